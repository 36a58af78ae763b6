#include "poplin/ConvPlan.hpp"

#include <algorithm>
#include <vector>

namespace poplin {
namespace {

std::size_t ceilDiv(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

// Fixed cost of an exchange and the sync before it (PopLibs, CTCLossPlan.cpp).
constexpr std::uint64_t kExchangeCycles = 190;

// The slowest block: its input window and weights come in, then the matrix unit passes over them
// once for each kernel element (see codelets/Convolution.cpp).
std::uint64_t estimate(const poplar::Target& target, std::size_t typeSize, const ConvShape& s,
                       const ConvPlan& p) {
  const auto channels = ceilDiv(s.outputChannels, p.channelParts);
  std::size_t window = s.inputChannels, outputs = 1, kernel = 1;
  for (std::size_t d = 0; d != 3; ++d) {
    const auto n = ceilDiv(s.output(d), p.fieldParts[d]);
    outputs *= n;
    kernel *= s.kernel[d];
    window *= (n - 1) * s.stride[d] + s.kernel[d];
  }
  const auto weights = channels * s.inputChannels * kernel;
  const std::uint64_t inputsPerPass = typeSize == 2 ? 16 : 8,
                      cyclesPerOutput = typeSize == 2 ? 4 : 8;
  const std::uint64_t passes =
      kernel * ceilDiv(s.inputChannels, inputsPerPass) * ceilDiv(channels, 16);
  return kExchangeCycles + (window + weights) * typeSize / target.getExchangeBytesPerCycle() + 50 +
         passes * (16 * inputsPerPass * typeSize / 8 + 20 + cyclesPerOutput * outputs);
}

// 1, 2, 3, 4, 6, 8, ... and n itself.
std::vector<std::size_t> candidates(std::size_t n) {
  std::vector<std::size_t> parts;
  for (std::size_t i = 1; i < n; i = i < 4 ? i + 1 : i + (i + 3) / 4)
    parts.push_back(i);
  parts.push_back(std::max<std::size_t>(n, 1));
  return parts;
}

} // namespace

unsigned ConvPlan::tile(std::size_t image, std::size_t channelPart, const Field& fieldPart,
                        unsigned numTiles) const {
  std::size_t within = channelPart;
  for (std::size_t d = 0; d != 3; ++d)
    within = within * fieldParts[d] + fieldPart[d];
  return static_cast<unsigned>((image * tilesPerImage + within) % numTiles);
}

ConvPlan planConvolution(const poplar::Target& target, const poplar::Type& inputType,
                         const ConvShape& s) {
  const auto typeSize = target.getTypeSize(inputType);
  const auto images = std::max<std::size_t>(s.groups * s.batch, 1);
  const auto tiles = std::max<std::size_t>(target.getNumTiles() / images, 1);
  ConvPlan best;
  best.tilesPerImage = tiles;
  best.cycles = estimate(target, typeSize, s, best);
  for (const auto channels : candidates(std::min(s.outputChannels, tiles)))
    for (const auto depths : candidates(std::min(s.output(0), tiles / channels)))
      for (const auto rows : candidates(std::min(s.output(1), tiles / (channels * depths))))
        for (const auto columns :
             candidates(std::min(s.output(2), tiles / (channels * depths * rows)))) {
          ConvPlan plan{channels, {depths, rows, columns}, tiles, 0};
          plan.cycles = estimate(target, typeSize, s, plan);
          if (plan.cycles < best.cycles)
            best = plan;
        }
  return best;
}

} // namespace poplin
