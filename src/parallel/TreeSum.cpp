#include "parallel/TreeSum.hpp"

#include <cmath>
#include <limits>

namespace spillway {

void addAsDevice(std::vector<float>& sum, const std::vector<float>& values) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const float added = sum[i] + values[i];
    sum[i] =
        std::fabs(added) < std::numeric_limits<float>::min() ? std::copysign(0.0f, added) : added;
  }
}

void TreeSum::add(PartialSum sum, std::vector<std::vector<float>>& spare) {
  for (std::size_t merges = order_.push({sum.begin, sum.end}); merges > 0; --merges) {
    PartialSum& left = sums_.back();
    addAsDevice(left.values, sum.values);
    left.end = sum.end;
    spare.push_back(std::move(sum.values));
    sum = std::move(left);
    sums_.pop_back();
  }
  sums_.push_back(std::move(sum));
}

} // namespace spillway
