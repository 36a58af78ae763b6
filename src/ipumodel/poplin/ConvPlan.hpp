// How a convolution is cut over the tiles. Operands have their transforms applied, groups first and
// three field dimensions (depth, rows, columns; the missing ones are 1 long).
#pragma once

#include <poplar/Target.hpp>
#include <poplar/Type.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace poplin {

using Field = std::array<std::size_t, 3>;

struct ConvShape {
  std::size_t groups, batch, inputChannels, outputChannels;
  Field input, kernel, stride;

  // Elements of the output along dimension d: as many as the input has room for.
  std::size_t output(std::size_t d) const { return (input[d] - kernel[d]) / stride[d] + 1; }
};

// A block is some output channels of some depths, rows and columns of one image and group. Input
// channels are never split, so there are no partial sums to add.
struct ConvPlan {
  std::size_t channelParts = 1;
  Field fieldParts = {1, 1, 1};
  std::size_t tilesPerImage = 1;
  std::uint64_t cycles = 0; // estimated

  unsigned tile(std::size_t image, std::size_t channelPart, const Field& fieldPart,
                unsigned numTiles) const;
};

ConvPlan planConvolution(const poplar::Target& target, const poplar::Type& inputType,
                         const ConvShape& shape);

} // namespace poplin
