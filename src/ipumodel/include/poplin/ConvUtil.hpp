// Which elements of a convolution's input, kernel and output belong together along one field
// dimension; and the parameters of one pass from those of another.
#pragma once

#include <poplin/ConvParams.hpp>

#include <utility>

namespace poplin {

/// The number of elements of `size` elements with dilation - 1 zeros between each two.
unsigned getDilatedSize(unsigned size, unsigned dilation);

/// The input (kernel) element that the kernel (input) element is multiplied with for that output;
/// ~0u if there is none. Indices are those of the operands before their transforms.
unsigned getInputIndex(unsigned dim, unsigned outputIndex, unsigned kernelIndex,
                       const ConvParams& params);
unsigned getKernelIndex(unsigned dim, unsigned outputIndex, unsigned inputIndex,
                        const ConvParams& params);

/// Ranges are [first, second), the smallest that hold what is asked for, {0, 0} if there is
/// nothing.

/// The part of the outputs in whose computation the kernel (input) elements take part.
std::pair<unsigned, unsigned>
getOutputRangeForKernelIndex(unsigned dim, std::pair<unsigned, unsigned> outputRange,
                             unsigned kernelIndex, const ConvParams& params);
std::pair<unsigned, unsigned> getOutputRangeForInputIndex(unsigned dim,
                                                          std::pair<unsigned, unsigned> outputRange,
                                                          unsigned inputIndex,
                                                          const ConvParams& params);
std::pair<unsigned, unsigned>
getOutputRangeForKernelRange(unsigned dim, std::pair<unsigned, unsigned> outputRange,
                             std::pair<unsigned, unsigned> kernelIndexRange,
                             const ConvParams& params);
std::pair<unsigned, unsigned> getOutputRangeForInputRange(unsigned dim,
                                                          std::pair<unsigned, unsigned> outputRange,
                                                          std::pair<unsigned, unsigned> inputRange,
                                                          const ConvParams& params);

/// The input elements that meet the kernel elements when the outputs are computed.
std::pair<unsigned, unsigned> getInputRange(unsigned dim, std::pair<unsigned, unsigned> outputRange,
                                            unsigned kernelIndex, const ConvParams& params);
std::pair<unsigned, unsigned> getInputRange(unsigned dim, std::pair<unsigned, unsigned> outputRange,
                                            std::pair<unsigned, unsigned> kernelIndexRange,
                                            const ConvParams& params);
inline std::pair<unsigned, unsigned> getInputRange(unsigned dim, unsigned outputIndex,
                                                   std::pair<unsigned, unsigned> kernelIndexRange,
                                                   const ConvParams& params) {
  return getInputRange(dim, {outputIndex, outputIndex + 1}, kernelIndexRange, params);
}
inline std::pair<unsigned, unsigned> getInputRange(unsigned dim, unsigned outputIndex,
                                                   const ConvParams& params) {
  return getInputRange(dim, outputIndex, {0, static_cast<unsigned>(params.kernelShape[dim])},
                       params);
}
inline std::pair<unsigned, unsigned>
getInputRange(unsigned dim, std::pair<unsigned, unsigned> outputRange, const ConvParams& params) {
  return getInputRange(dim, outputRange, std::pair<unsigned, unsigned>(0, params.kernelShape[dim]),
                       params);
}

/// The kernel elements that meet the input elements when the outputs are computed.
std::pair<unsigned, unsigned> getKernelRange(unsigned dim,
                                             std::pair<unsigned, unsigned> outputRange,
                                             unsigned inputIndex, const ConvParams& params);
std::pair<unsigned, unsigned> getKernelRange(unsigned dim,
                                             std::pair<unsigned, unsigned> outputRange,
                                             std::pair<unsigned, unsigned> inputRange,
                                             const ConvParams& params);

/// Of the convolution of the output's gradient with the transposed and flipped weights that gives
/// the input's gradient. REQUIRES: neither operand is flipped.
ConvParams getGradientParams(const ConvParams& params);

/// Of the convolution that gives the weights' gradient: images become channels, channels the batch,
/// and the output's gradient is the kernel. REQUIRES: neither operand is flipped.
ConvParams getWeightUpdateParams(const ConvParams& fwdParams);

} // namespace poplin
