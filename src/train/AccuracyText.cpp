#include "train/AccuracyText.hpp"

#include <fmt/format.h>

namespace spillway {

std::string accuracyText(const RunningMean& mean, const std::string& before) {
  return mean.hasClasses() ? fmt::format("{}accuracy {:.2f} %", before, 100.0 * mean.accuracy())
                           : "";
}

} // namespace spillway
