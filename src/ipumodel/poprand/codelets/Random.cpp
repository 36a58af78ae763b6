// Fills a region with random numbers. Element i of the flattened result uses the four words of
// counter {i, high word of i, execution, modifier}.
#include "Philox.hpp"

#include <poplar/Vertex.hpp>

#include <cmath>
#include <type_traits>

namespace poprand {

using poplar::Input;
using poplar::Output;
using poplar::Vector;

enum class Distribution : unsigned char { Uniform, Bernoulli, Normal, TruncatedNormal, LogUniform };

// Parameters a and b, by distribution: bounds; probability; mean and standard deviation; c: the
// cut.
struct Draw {
  Distribution distribution;
  float a, b, c;
  Philox philox;
  std::uint32_t execution, modifier;

  void words(std::uint32_t index, std::uint32_t attempt, std::uint32_t out[4]) const {
    const std::uint32_t counter[4] = {index, attempt, execution, modifier};
    philox(counter, out);
  }

  // Box and Muller's transform; the first uniform is never 0.
  static float gaussian(const std::uint32_t w[4]) {
    const float u = 1.0f - toUnit(w[0]);
    return std::sqrt(-2.0f * std::log(u)) * std::cos(6.28318530717958648f * toUnit(w[1]));
  }

  float real(std::uint32_t index) const {
    std::uint32_t w[4];
    words(index, 0, w);
    switch (distribution) {
    case Distribution::Uniform:
      return a + (b - a) * toUnit(w[0]);
    case Distribution::LogUniform:
      return std::exp(a + (b - a) * toUnit(w[0]));
    case Distribution::Bernoulli:
      return toUnit(w[0]) < a ? 1.0f : 0.0f;
    case Distribution::Normal:
      return a + b * gaussian(w);
    case Distribution::TruncatedNormal:
      for (std::uint32_t attempt = 1;; ++attempt) { // by rejection
        const float x = gaussian(w);
        if (std::fabs(x) <= c)
          return a + b * x;
        words(index, attempt, w);
      }
    }
    return 0;
  }

  int integer(std::uint32_t index, int low, std::uint32_t range) const {
    std::uint32_t w[4];
    words(index, 0, w);
    if (distribution == Distribution::Bernoulli)
      return toUnit(w[0]) < a;
    // range 0 stands for 2^32.
    const std::uint32_t offset =
        range == 0 ? w[0] : static_cast<std::uint32_t>((std::uint64_t{w[0]} * range) >> 32);
    return static_cast<int>(static_cast<std::uint32_t>(low) + offset);
  }
};

// The hardware generator gives 64 bits a cycle; a normal draw takes a few (f32v2grand). Software
// rejection repeats it.
inline std::uint64_t randomCycles(Distribution distribution, std::uint64_t n) {
  switch (distribution) {
  case Distribution::TruncatedNormal:
    return 40 + 12 * n;
  case Distribution::LogUniform:
    return 40 + 6 * n;
  case Distribution::Normal:
    return 30 + 3 * n;
  default:
    return 30 + 2 * n;
  }
}

template <class T>
class Random : public poplar::Vertex {
public:
  Output<Vector<T>> out;
  Input<Vector<unsigned>> seed; // two words
  unsigned firstIndex;
  unsigned modifier;
  unsigned execution; // counts, where there is no seed
  unsigned range;
  int low;
  float a;
  float b;
  float c;
  unsigned char distribution;
  bool countsExecutions;

  bool compute() {
    const Draw draw{static_cast<Distribution>(distribution),
                    a,
                    b,
                    c,
                    {{seed[0], seed[1]}},
                    execution,
                    modifier};
    for (unsigned i = 0; i < out.size(); ++i) {
      if constexpr (std::is_same<T, int>::value)
        out[i] = draw.integer(firstIndex + i, low, range);
      else
        out[i] = static_cast<T>(draw.real(firstIndex + i));
    }
    if (countsExecutions)
      ++execution;
    return true;
  }
  std::uint64_t estimateCycles() const {
    return randomCycles(static_cast<Distribution>(distribution), out.size());
  }
};

template class Random<float>;
template class Random<half>;
template class Random<int>;

} // namespace poprand
