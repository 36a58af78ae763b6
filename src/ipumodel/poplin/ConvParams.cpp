#include <poplin/ConvParams.hpp>
#include <poplin/ConvUtil.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>

namespace poplin {
namespace {

using Transform = ConvParams::InputTransform;

auto members(const Transform& t) {
  return std::tie(t.truncationLower, t.truncationUpper, t.dilation, t.paddingLower, t.paddingUpper,
                  t.flip);
}
auto members(const ConvParams::OutputTransform& t) {
  return std::tie(t.truncationLower, t.truncationUpper, t.stride, t.paddingLower, t.paddingUpper);
}
auto members(const ConvParams& p) {
  return std::tie(p.inputType, p.outputType, p.batchSize, p.inputFieldShape, p.kernelShape,
                  p.inputChannelsPerConvGroup, p.outputChannelsPerConvGroup, p.numConvGroups,
                  p.inputTransform, p.kernelTransform, p.outputTransform);
}

std::size_t truncated(std::size_t size, const Transform& t, unsigned dim) {
  const std::size_t cut = t.truncationLower[dim] + t.truncationUpper[dim];
  return size > cut ? size - cut : 0;
}

unsigned transformed(std::size_t size, const Transform& t, unsigned dim) {
  const auto rest = truncated(size, t, dim);
  const auto dilated = rest ? (rest - 1) * t.dilation[dim] + 1 : 0;
  return static_cast<unsigned>(dilated + t.paddingLower[dim] + t.paddingUpper[dim]);
}

[[noreturn]] void fail(const ConvParams& p, const std::string& what) {
  throw poputil::poplibs_error("Convolution of " + std::to_string(p.getNumFieldDims()) +
                               " field dimensions: " + what);
}

template <class T>
void print(std::ostream& os, const char* name, const std::vector<T>& values) {
  os << "        " << name << " {";
  for (std::size_t i = 0; i != values.size(); ++i)
    os << (i ? "," : "") << values[i];
  os << "}\n";
}

void print(std::ostream& os, const char* name, const Transform& t) {
  os << name << "\n";
  print(os, "truncationLower", t.truncationLower);
  print(os, "truncationUpper", t.truncationUpper);
  print(os, "dilation       ", t.dilation);
  print(os, "paddingLower   ", t.paddingLower);
  print(os, "paddingUpper   ", t.paddingUpper);
  print(os, "flip           ", t.flip);
}

} // namespace

Transform::InputTransform(std::size_t size)
    : InputTransform(std::vector<unsigned>(size, 0), std::vector<unsigned>(size, 0),
                     std::vector<unsigned>(size, 1), std::vector<unsigned>(size, 0),
                     std::vector<unsigned>(size, 0), std::vector<bool>(size, false)) {}
Transform::InputTransform(std::vector<unsigned> truncationLower_,
                          std::vector<unsigned> truncationUpper_, std::vector<unsigned> dilation_,
                          std::vector<unsigned> paddingLower_, std::vector<unsigned> paddingUpper_,
                          std::vector<bool> flip_)
    : truncationLower(std::move(truncationLower_)),
      truncationUpper(std::move(truncationUpper_)),
      dilation(std::move(dilation_)),
      paddingLower(std::move(paddingLower_)),
      paddingUpper(std::move(paddingUpper_)),
      flip(std::move(flip_)) {}

ConvParams::OutputTransform::OutputTransform(std::size_t size)
    : OutputTransform(std::vector<unsigned>(size, 0), std::vector<unsigned>(size, 0),
                      std::vector<unsigned>(size, 1), std::vector<unsigned>(size, 0),
                      std::vector<unsigned>(size, 0)) {}
ConvParams::OutputTransform::OutputTransform(std::vector<unsigned> truncationLower_,
                                             std::vector<unsigned> truncationUpper_,
                                             std::vector<unsigned> stride_,
                                             std::vector<unsigned> paddingLower_,
                                             std::vector<unsigned> paddingUpper_)
    : truncationLower(std::move(truncationLower_)),
      truncationUpper(std::move(truncationUpper_)),
      stride(std::move(stride_)),
      paddingLower(std::move(paddingLower_)),
      paddingUpper(std::move(paddingUpper_)) {}

bool operator<(const Transform& a, const Transform& b) {
  return members(a) < members(b);
}
bool operator==(const Transform& a, const Transform& b) {
  return members(a) == members(b);
}
bool operator!=(const Transform& a, const Transform& b) {
  return !(a == b);
}
bool operator<(const ConvParams::OutputTransform& a, const ConvParams::OutputTransform& b) {
  return members(a) < members(b);
}
bool operator==(const ConvParams::OutputTransform& a, const ConvParams::OutputTransform& b) {
  return members(a) == members(b);
}
bool operator!=(const ConvParams::OutputTransform& a, const ConvParams::OutputTransform& b) {
  return !(a == b);
}
bool operator<(const ConvParams& a, const ConvParams& b) {
  return members(a) < members(b);
}
bool operator==(const ConvParams& a, const ConvParams& b) {
  return members(a) == members(b);
}
bool operator!=(const ConvParams& a, const ConvParams& b) {
  return !(a == b);
}

ConvParams::ConvParams(poplar::Type dataType, std::size_t batch, std::vector<std::size_t> field,
                       std::vector<std::size_t> kernel, std::size_t inputChannels,
                       std::size_t outputChannels, std::size_t groups)
    : ConvParams(dataType, dataType, batch, std::move(field), std::move(kernel), inputChannels,
                 outputChannels, groups) {}
ConvParams::ConvParams(poplar::Type inType, poplar::Type outType, std::size_t batch,
                       std::vector<std::size_t> field, std::vector<std::size_t> kernel,
                       std::size_t inputChannels, std::size_t outputChannels, std::size_t groups)
    : ConvParams(inType, outType, batch, field, kernel, inputChannels, outputChannels, groups,
                 InputTransform(field.size()), InputTransform(field.size()),
                 OutputTransform(field.size())) {}
ConvParams::ConvParams(poplar::Type inType, poplar::Type outType, std::size_t batch,
                       std::vector<std::size_t> field, std::vector<std::size_t> kernel,
                       std::size_t inputChannels, std::size_t outputChannels, std::size_t groups,
                       InputTransform ofInput, InputTransform ofKernel, OutputTransform ofOutput)
    : inputType(inType),
      outputType(outType),
      batchSize(batch),
      inputFieldShape(std::move(field)),
      kernelShape(std::move(kernel)),
      inputChannelsPerConvGroup(inputChannels),
      outputChannelsPerConvGroup(outputChannels),
      numConvGroups(groups),
      inputTransform(std::move(ofInput)),
      kernelTransform(std::move(ofKernel)),
      outputTransform(std::move(ofOutput)) {} // not validated: padding is often set afterwards

unsigned ConvParams::getTruncatedInputSize(unsigned dim) const {
  return static_cast<unsigned>(truncated(inputFieldShape[dim], inputTransform, dim));
}
unsigned ConvParams::getTruncatedKernelSize(unsigned dim) const {
  return static_cast<unsigned>(truncated(kernelShape[dim], kernelTransform, dim));
}
unsigned ConvParams::getTransformedInputSize(unsigned dim) const {
  return transformed(inputFieldShape[dim], inputTransform, dim);
}
unsigned ConvParams::getTransformedKernelSize(unsigned dim) const {
  return transformed(kernelShape[dim], kernelTransform, dim);
}
std::size_t ConvParams::getUntransformedOutputSize(unsigned dim) const {
  return getTransformedInputSize(dim) + 1 - getTransformedKernelSize(dim);
}
std::size_t ConvParams::getOutputSize(unsigned dim) const {
  const auto& t = outputTransform;
  const std::size_t cut = t.truncationLower[dim] + t.truncationUpper[dim];
  const auto rest = getUntransformedOutputSize(dim) - cut;
  return (rest + t.stride[dim] - 1) / t.stride[dim] + t.paddingLower[dim] + t.paddingUpper[dim];
}
std::vector<std::size_t> ConvParams::getOutputFieldShape() const {
  std::vector<std::size_t> shape;
  for (unsigned dim = 0; dim != getNumFieldDims(); ++dim)
    shape.push_back(getOutputSize(dim));
  return shape;
}

void ConvParams::validate() const {
  const auto n = getNumFieldDims();
  if (kernelShape.size() != n)
    fail(*this, "the kernel has " + std::to_string(kernelShape.size()));
  for (const Transform* t : {&inputTransform, &kernelTransform})
    for (const auto* list : {&t->truncationLower, &t->truncationUpper, &t->dilation,
                             &t->paddingLower, &t->paddingUpper})
      if (list->size() != n || t->flip.size() != n)
        fail(*this, "a transform of an operand has another number of them");
  const auto& o = outputTransform;
  for (const auto* list :
       {&o.truncationLower, &o.truncationUpper, &o.stride, &o.paddingLower, &o.paddingUpper})
    if (list->size() != n)
      fail(*this, "the transform of the output has another number of them");
  for (unsigned dim = 0; dim != n; ++dim) {
    const std::string where = " in dimension " + std::to_string(dim);
    if (!inputTransform.dilation[dim] || !kernelTransform.dilation[dim] || !o.stride[dim])
      fail(*this, "a dilation or stride of 0" + where);
    if (getTransformedKernelSize(dim) > getTransformedInputSize(dim))
      fail(*this, "a kernel of " + std::to_string(getTransformedKernelSize(dim)) +
                      " elements on an input of " + std::to_string(getTransformedInputSize(dim)) +
                      where);
    if (o.truncationLower[dim] + o.truncationUpper[dim] > getUntransformedOutputSize(dim))
      fail(*this, "more is cut off the output than it has" + where);
  }
}

ConvParams ConvParams::canonicalize() const {
  validate();
  ConvParams p = *this;
  for (unsigned dim = 0; dim != getNumFieldDims(); ++dim) {
    auto& cut = p.outputTransform.truncationUpper[dim];
    const auto used = getUntransformedOutputSize(dim) - outputTransform.truncationLower[dim] - cut;
    if (used == 0)
      continue;
    unsigned spare = cut + static_cast<unsigned>((used - 1) % outputTransform.stride[dim]);
    // Outputs at the end need inputs at the end: those of the other end when the input is flipped.
    auto& t = p.inputTransform;
    const bool flip = t.flip[dim];
    auto& padding = flip ? t.paddingLower[dim] : t.paddingUpper[dim];
    const auto unpadded = std::min(padding, spare);
    padding -= unpadded;
    spare -= unpadded;
    if (t.dilation[dim] == 1 && !padding) {
      const auto cutOff = std::min(spare, p.getTruncatedInputSize(dim));
      (flip ? t.truncationLower[dim] : t.truncationUpper[dim]) += cutOff;
      spare -= cutOff;
    }
    cut = spare;
  }
  return p;
}

std::ostream& operator<<(std::ostream& os, const ConvParams& p) {
  os << "Params: inputType " << p.inputType << ", outputType " << p.outputType << "\n"
     << "        batchSize " << p.batchSize << ", numConvGroups " << p.numConvGroups
     << ", inputChannelsPerConvGroup " << p.inputChannelsPerConvGroup
     << ", outputChannelsPerConvGroup " << p.outputChannelsPerConvGroup << "\n";
  print(os, "inputFieldShape", p.inputFieldShape);
  print(os, "kernelShape    ", p.kernelShape);
  print(os, "inputTransform", p.inputTransform);
  print(os, "kernelTransform", p.kernelTransform);
  os << "outputTransform\n";
  print(os, "truncationLower", p.outputTransform.truncationLower);
  print(os, "truncationUpper", p.outputTransform.truncationUpper);
  print(os, "stride         ", p.outputTransform.stride);
  print(os, "paddingLower   ", p.outputTransform.paddingLower);
  print(os, "paddingUpper   ", p.outputTransform.paddingUpper);
  print(os, "outputFieldShape", p.getOutputFieldShape());
  return os;
}

std::size_t hash_value(const ConvParams& p) {
  std::size_t hash = 0;
  const auto mix = [&](std::size_t value) {
    hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  };
  for (const auto value :
       {p.inputType.hash(), p.outputType.hash(), p.batchSize, p.inputChannelsPerConvGroup,
        p.outputChannelsPerConvGroup, p.numConvGroups})
    mix(value);
  for (const auto* shape : {&p.inputFieldShape, &p.kernelShape})
    for (const auto size : *shape)
      mix(size);
  return hash;
}

ConvParams getGradientParams(const ConvParams& p) {
  ConvParams gradient = p;
  gradient.inputFieldShape = p.getOutputFieldShape();
  std::swap(gradient.inputChannelsPerConvGroup, gradient.outputChannelsPerConvGroup);
  auto& input = gradient.inputTransform;
  auto& kernel = gradient.kernelTransform;
  auto& output = gradient.outputTransform;
  for (unsigned dim = 0; dim != p.getNumFieldDims(); ++dim) {
    if (p.inputTransform.flip[dim] || p.kernelTransform.flip[dim])
      throw poputil::poplibs_error("getGradientParams: dimension " + std::to_string(dim) +
                                   " is flipped, which is not supported");
    // Elements of the output that the stride never reaches have no gradient.
    const auto reached = p.getUntransformedOutputSize(dim) -
                         p.outputTransform.truncationLower[dim] -
                         p.outputTransform.truncationUpper[dim];
    const auto beyond = static_cast<unsigned>((reached + p.outputTransform.stride[dim] - 1) %
                                              p.outputTransform.stride[dim]);
    const unsigned reach = p.getTransformedKernelSize(dim) - 1;
    input.truncationLower[dim] = p.outputTransform.paddingLower[dim];
    input.truncationUpper[dim] = p.outputTransform.paddingUpper[dim];
    input.dilation[dim] = p.outputTransform.stride[dim];
    input.paddingLower[dim] = p.outputTransform.truncationLower[dim] + reach;
    input.paddingUpper[dim] = p.outputTransform.truncationUpper[dim] + beyond + reach;
    std::swap(kernel.truncationLower[dim], kernel.truncationUpper[dim]);
    std::swap(kernel.paddingLower[dim], kernel.paddingUpper[dim]);
    output.truncationLower[dim] = p.inputTransform.paddingLower[dim];
    output.truncationUpper[dim] = p.inputTransform.paddingUpper[dim];
    output.stride[dim] = p.inputTransform.dilation[dim];
    output.paddingLower[dim] = p.inputTransform.truncationLower[dim];
    output.paddingUpper[dim] = p.inputTransform.truncationUpper[dim];
  }
  gradient.validate();
  return gradient;
}

} // namespace poplin
