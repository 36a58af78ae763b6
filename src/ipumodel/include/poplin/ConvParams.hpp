// The shape of a convolution: sizes, and what is done to its operands before and to its result
// after.
#pragma once

#include <poplar/Type.hpp>

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <vector>

namespace poplin {

struct ConvParams {
  /// What is done to each field dimension of the input or the kernel, in this order: elements are
  /// cut off, dilation - 1 zeros go between each two elements, zeros are added outside, all is
  /// reversed.
  struct InputTransform {
    std::vector<unsigned> truncationLower;
    std::vector<unsigned> truncationUpper;
    std::vector<unsigned> dilation;
    std::vector<unsigned> paddingLower;
    std::vector<unsigned> paddingUpper;
    std::vector<bool> flip;

    InputTransform() = default;
    /// Changes nothing in that many dimensions.
    InputTransform(std::size_t size);
    InputTransform(std::vector<unsigned> truncationLower, std::vector<unsigned> truncationUpper,
                   std::vector<unsigned> dilation, std::vector<unsigned> paddingLower,
                   std::vector<unsigned> paddingUpper, std::vector<bool> flip);

    friend bool operator<(const InputTransform& a, const InputTransform& b);
    friend bool operator==(const InputTransform& a, const InputTransform& b);
    friend bool operator!=(const InputTransform& a, const InputTransform& b);
  };

  /// What is done to each field dimension of the result: elements are cut off, each stride-th of
  /// the rest is kept, zeros are added outside.
  struct OutputTransform {
    std::vector<unsigned> truncationLower;
    std::vector<unsigned> truncationUpper;
    std::vector<unsigned> stride;
    std::vector<unsigned> paddingLower;
    std::vector<unsigned> paddingUpper;

    OutputTransform() = default;
    OutputTransform(std::size_t size);
    OutputTransform(std::vector<unsigned> truncationLower, std::vector<unsigned> truncationUpper,
                    std::vector<unsigned> stride, std::vector<unsigned> paddingLower,
                    std::vector<unsigned> paddingUpper);

    friend bool operator<(const OutputTransform& a, const OutputTransform& b);
    friend bool operator==(const OutputTransform& a, const OutputTransform& b);
    friend bool operator!=(const OutputTransform& a, const OutputTransform& b);
  };

  poplar::Type inputType;
  poplar::Type outputType;
  std::size_t batchSize = 0;
  std::vector<std::size_t> inputFieldShape;
  std::vector<std::size_t> kernelShape;
  std::size_t inputChannelsPerConvGroup = 0;
  std::size_t outputChannelsPerConvGroup = 0;
  std::size_t numConvGroups = 0;
  InputTransform inputTransform;
  InputTransform kernelTransform;
  OutputTransform outputTransform;

  ConvParams() = default;
  ConvParams(poplar::Type dataType, std::size_t batchSize, std::vector<std::size_t> inputFieldShape,
             std::vector<std::size_t> kernelShape, std::size_t inputChannels,
             std::size_t outputChannels, std::size_t numConvGroups);
  ConvParams(poplar::Type inputType, poplar::Type outputType, std::size_t batchSize,
             std::vector<std::size_t> inputFieldShape, std::vector<std::size_t> kernelShape,
             std::size_t inputChannels, std::size_t outputChannels, std::size_t numConvGroups);
  ConvParams(poplar::Type inputType, poplar::Type outputType, std::size_t batchSize,
             std::vector<std::size_t> inputFieldShape, std::vector<std::size_t> kernelShape,
             std::size_t inputChannels, std::size_t outputChannels, std::size_t numConvGroups,
             InputTransform inputTransform, InputTransform kernelTransform,
             OutputTransform outputTransform);

  std::size_t getNumFieldDims() const { return inputFieldShape.size(); }
  std::size_t getBatchSize() const { return batchSize; }
  std::size_t getNumConvGroups() const { return numConvGroups; }
  std::size_t getNumInputChansPerConvGroup() const { return inputChannelsPerConvGroup; }
  std::size_t getNumOutputChansPerConvGroup() const { return outputChannelsPerConvGroup; }
  std::size_t getNumInputChans() const { return inputChannelsPerConvGroup * numConvGroups; }
  std::size_t getNumOutputChans() const { return outputChannelsPerConvGroup * numConvGroups; }
  std::size_t getInputSize(unsigned dim) const { return inputFieldShape[dim]; }

  unsigned getTruncatedInputSize(unsigned dim) const;
  unsigned getTruncatedKernelSize(unsigned dim) const;
  unsigned getTransformedInputSize(unsigned dim) const;
  unsigned getTransformedKernelSize(unsigned dim) const;
  /// Before and after the output's transform.
  std::size_t getUntransformedOutputSize(unsigned dim) const;
  std::size_t getOutputSize(unsigned dim) const;
  std::vector<std::size_t> getOutputFieldShape() const;

  /// Throws poputil::poplibs_error if the sizes do not fit together.
  void validate() const;
  /// The same convolution without what no output uses: outputs that the stride passes over at the
  /// end are cut off, and elements of the input that only they needed are not padded or cut off.
  ConvParams canonicalize() const;

  friend bool operator<(const ConvParams& a, const ConvParams& b);
  friend bool operator==(const ConvParams& a, const ConvParams& b);
  friend bool operator!=(const ConvParams& a, const ConvParams& b);
};

std::ostream& operator<<(std::ostream& os, const ConvParams& p);
/// From a JSON object whose members have the names of the fields above; "dataType" stands for both
/// types. Types and sizes that it does not name stay as they are, transforms change nothing.
std::istream& operator>>(std::istream& is, ConvParams& p);
std::size_t hash_value(const ConvParams& p);

} // namespace poplin

namespace std {
template <>
struct hash<poplin::ConvParams> {
  size_t operator()(const poplin::ConvParams& p) const { return poplin::hash_value(p); }
};
} // namespace std
