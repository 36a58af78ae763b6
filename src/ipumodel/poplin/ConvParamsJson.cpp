// Convolution parameters from JSON.
#include <poplin/ConvParams.hpp>
#include <poputil/exceptions.hpp>

#include <nlohmann/json.hpp>

#include <istream>
#include <string>

namespace poplin {
namespace {

using nlohmann::json;

poplar::Type typeOf(const std::string& name) {
  for (const auto& type : {poplar::HALF, poplar::FLOAT})
    if (name == type.toString().cloneAsString())
      return type;
  throw poputil::poplibs_error("convolution parameters: type '" + name +
                               "'; it must be half or float");
}

// Numbers may be written as text, as some writers of JSON do.
std::size_t numberOf(const json& value) {
  return value.is_string() ? std::stoul(value.get<std::string>()) : value.get<std::size_t>();
}

bool truthOf(const json& value) {
  return value.is_boolean() ? value.get<bool>() : value == "true" || value == 1 || value == "1";
}

void read(const json& object, const char* name, std::size_t& field) {
  if (const auto it = object.find(name); it != object.end())
    field = numberOf(*it);
}

template <class T>
void read(const json& object, const char* name, std::vector<T>& field) {
  const auto it = object.find(name);
  if (it == object.end())
    return;
  field.clear();
  for (const json& value : *it) {
    if constexpr (std::is_same_v<T, bool>)
      field.push_back(truthOf(value));
    else
      field.push_back(static_cast<T>(numberOf(value)));
  }
}

template <class Transform>
void readCommon(const json& object, Transform& transform) {
  read(object, "truncationLower", transform.truncationLower);
  read(object, "truncationUpper", transform.truncationUpper);
  read(object, "paddingLower", transform.paddingLower);
  read(object, "paddingUpper", transform.paddingUpper);
}

void read(const json& root, const char* name, ConvParams::InputTransform& transform) {
  const auto it = root.find(name);
  if (it == root.end())
    return;
  readCommon(*it, transform);
  read(*it, "dilation", transform.dilation);
  read(*it, "flip", transform.flip);
}

void read(const json& root, ConvParams& p) {
  for (const auto& [name, types] :
       {std::pair("dataType", std::vector<poplar::Type*>{&p.inputType, &p.outputType}),
        std::pair("inputType", std::vector<poplar::Type*>{&p.inputType}),
        std::pair("outputType", std::vector<poplar::Type*>{&p.outputType})})
    if (const auto it = root.find(name); it != root.end())
      for (poplar::Type* type : types)
        *type = typeOf(it->get<std::string>());
  read(root, "batchSize", p.batchSize);
  read(root, "numConvGroups", p.numConvGroups);
  read(root, "inputChannelsPerConvGroup", p.inputChannelsPerConvGroup);
  read(root, "outputChannelsPerConvGroup", p.outputChannelsPerConvGroup);
  read(root, "inputFieldShape", p.inputFieldShape);
  read(root, "kernelShape", p.kernelShape);
  const std::size_t dims = p.inputFieldShape.size();
  if (p.kernelShape.size() != dims)
    throw poputil::poplibs_error("convolution parameters: the input has " + std::to_string(dims) +
                                 " dimensions and the kernel " +
                                 std::to_string(p.kernelShape.size()));
  p.inputTransform = ConvParams::InputTransform(dims);
  p.kernelTransform = ConvParams::InputTransform(dims);
  p.outputTransform = ConvParams::OutputTransform(dims);
  read(root, "inputTransform", p.inputTransform);
  read(root, "kernelTransform", p.kernelTransform);
  if (const auto it = root.find("outputTransform"); it != root.end()) {
    readCommon(*it, p.outputTransform);
    read(*it, "stride", p.outputTransform.stride);
  }
}

} // namespace

std::istream& operator>>(std::istream& is, ConvParams& p) {
  try {
    read(json::parse(is), p);
  } catch (const json::exception& error) {
    throw poputil::poplibs_error(std::string("convolution parameters: ") + error.what());
  }
  return is;
}

} // namespace poplin
