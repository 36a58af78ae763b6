#include <poplin/ConvUtil.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <string>

namespace poplin {
namespace {

using Range = std::pair<unsigned, unsigned>;
using Transform = ConvParams::InputTransform;
constexpr unsigned kNone = ~0u;

// Where an element is after the transform, and back; kNone if it is cut off or is a zero.
unsigned transformedIndex(unsigned index, std::size_t size, unsigned transformedSize,
                          const Transform& t, unsigned dim) {
  if (index < t.truncationLower[dim] || index + t.truncationUpper[dim] >= size)
    return kNone;
  const unsigned at = (index - t.truncationLower[dim]) * t.dilation[dim] + t.paddingLower[dim];
  return t.flip[dim] ? transformedSize - 1 - at : at;
}

unsigned originalIndex(unsigned index, unsigned transformedSize, const Transform& t, unsigned dim) {
  if (index >= transformedSize)
    return kNone;
  const unsigned at = t.flip[dim] ? transformedSize - 1 - index : index;
  if (at < t.paddingLower[dim] || at + t.paddingUpper[dim] >= transformedSize)
    return kNone;
  const unsigned kept = at - t.paddingLower[dim];
  return kept % t.dilation[dim] ? kNone : kept / t.dilation[dim] + t.truncationLower[dim];
}

// The output before its transform; kNone for padding.
unsigned untransformedOutput(unsigned output, const ConvParams& p, unsigned dim) {
  const auto& o = p.outputTransform;
  if (output < o.paddingLower[dim] || output + o.paddingUpper[dim] >= p.getOutputSize(dim))
    return kNone;
  return (output - o.paddingLower[dim]) * o.stride[dim] + o.truncationLower[dim];
}

void extend(Range& range, unsigned index) {
  if (range.first == range.second)
    range = {index, index + 1};
  else
    range = {std::min(range.first, index), std::max(range.second, index + 1)};
}

// The range of what `find(output, index)` gives over both ranges.
template <class Find>
Range foundIn(Range outputs, Range indices, const Find& find) {
  Range range{0, 0};
  for (unsigned output = outputs.first; output < outputs.second; ++output)
    for (unsigned index = indices.first; index < indices.second; ++index)
      if (const unsigned found = find(output, index); found != kNone)
        extend(range, found);
  return range;
}

Range single(unsigned index) {
  return {index, index + 1};
}

} // namespace

unsigned getDilatedSize(unsigned size, unsigned dilation) {
  return size == 0 ? 0 : (size - 1) * dilation + 1;
}

unsigned getInputIndex(unsigned dim, unsigned outputIndex, unsigned kernelIndex,
                       const ConvParams& p) {
  const unsigned output = untransformedOutput(outputIndex, p, dim);
  const unsigned kernel = transformedIndex(kernelIndex, p.kernelShape[dim],
                                           p.getTransformedKernelSize(dim), p.kernelTransform, dim);
  if (output == kNone || kernel == kNone)
    return kNone;
  return originalIndex(output + kernel, p.getTransformedInputSize(dim), p.inputTransform, dim);
}

unsigned getKernelIndex(unsigned dim, unsigned outputIndex, unsigned inputIndex,
                        const ConvParams& p) {
  const unsigned output = untransformedOutput(outputIndex, p, dim);
  const unsigned input = transformedIndex(inputIndex, p.inputFieldShape[dim],
                                          p.getTransformedInputSize(dim), p.inputTransform, dim);
  if (output == kNone || input == kNone || input < output)
    return kNone;
  return originalIndex(input - output, p.getTransformedKernelSize(dim), p.kernelTransform, dim);
}

Range getOutputRangeForKernelRange(unsigned dim, Range outputRange, Range kernelIndexRange,
                                   const ConvParams& p) {
  return foundIn(outputRange, kernelIndexRange, [&](unsigned output, unsigned kernel) {
    return getInputIndex(dim, output, kernel, p) == kNone ? kNone : output;
  });
}
Range getOutputRangeForInputRange(unsigned dim, Range outputRange, Range inputRange,
                                  const ConvParams& p) {
  return foundIn(outputRange, inputRange, [&](unsigned output, unsigned input) {
    return getKernelIndex(dim, output, input, p) == kNone ? kNone : output;
  });
}
Range getOutputRangeForKernelIndex(unsigned dim, Range outputRange, unsigned kernelIndex,
                                   const ConvParams& p) {
  return getOutputRangeForKernelRange(dim, outputRange, single(kernelIndex), p);
}
Range getOutputRangeForInputIndex(unsigned dim, Range outputRange, unsigned inputIndex,
                                  const ConvParams& p) {
  return getOutputRangeForInputRange(dim, outputRange, single(inputIndex), p);
}

Range getInputRange(unsigned dim, Range outputRange, Range kernelIndexRange, const ConvParams& p) {
  return foundIn(outputRange, kernelIndexRange, [&](unsigned output, unsigned kernel) {
    return getInputIndex(dim, output, kernel, p);
  });
}
Range getInputRange(unsigned dim, Range outputRange, unsigned kernelIndex, const ConvParams& p) {
  return getInputRange(dim, outputRange, single(kernelIndex), p);
}
Range getKernelRange(unsigned dim, Range outputRange, Range inputRange, const ConvParams& p) {
  return foundIn(outputRange, inputRange, [&](unsigned output, unsigned input) {
    return getKernelIndex(dim, output, input, p);
  });
}
Range getKernelRange(unsigned dim, Range outputRange, unsigned inputIndex, const ConvParams& p) {
  return getKernelRange(dim, outputRange, single(inputIndex), p);
}

ConvParams getWeightUpdateParams(const ConvParams& p) {
  ConvParams update = p;
  update.batchSize = p.inputChannelsPerConvGroup;
  update.inputChannelsPerConvGroup = p.batchSize;
  update.kernelShape = p.getOutputFieldShape();
  auto& kernel = update.kernelTransform;
  auto& output = update.outputTransform;
  for (unsigned dim = 0; dim != p.getNumFieldDims(); ++dim) {
    if (p.inputTransform.flip[dim] || p.kernelTransform.flip[dim])
      throw poputil::poplibs_error("getWeightUpdateParams: dimension " + std::to_string(dim) +
                                   " is flipped, which is not supported");
    const auto& o = p.outputTransform;
    // Outputs that the stride steps over at the end.
    const auto reached =
        p.getUntransformedOutputSize(dim) - o.truncationLower[dim] - o.truncationUpper[dim];
    const auto beyond = reached ? static_cast<unsigned>((reached - 1) % o.stride[dim]) : 0u;
    kernel.truncationLower[dim] = o.paddingLower[dim];
    kernel.truncationUpper[dim] = o.paddingUpper[dim];
    kernel.dilation[dim] = o.stride[dim];
    kernel.paddingLower[dim] = o.truncationLower[dim];
    kernel.paddingUpper[dim] = o.truncationUpper[dim] + beyond;
    output.truncationLower[dim] = p.kernelTransform.paddingLower[dim];
    output.truncationUpper[dim] = p.kernelTransform.paddingUpper[dim];
    output.stride[dim] = p.kernelTransform.dilation[dim];
    output.paddingLower[dim] = p.kernelTransform.truncationLower[dim];
    output.paddingUpper[dim] = p.kernelTransform.truncationUpper[dim];
  }
  update.validate();
  return update;
}

} // namespace poplin
