#include <poputil/DebugInfo.hpp>

#include <sstream>

namespace poputil {

using poplar::ProfileValue;

namespace {

template <typename T>
ProfileValue fromStream(const T& v) {
  std::ostringstream text;
  text << v;
  return ProfileValue(text.str());
}

} // namespace

template <>
ProfileValue toProfileValue(const bool& v) {
  return ProfileValue(v ? "true" : "false");
}
template <>
ProfileValue toProfileValue(const char& v) {
  return ProfileValue(std::to_string(v));
}
template <>
ProfileValue toProfileValue(const signed char& v) {
  return ProfileValue(std::to_string(v));
}
template <>
ProfileValue toProfileValue(const unsigned char& v) {
  return ProfileValue(std::to_string(v));
}
template <>
ProfileValue toProfileValue(const short& v) {
  return ProfileValue(std::to_string(v));
}
template <>
ProfileValue toProfileValue(const unsigned short& v) {
  return ProfileValue(std::to_string(v));
}
template <>
ProfileValue toProfileValue(const int& v) {
  return ProfileValue(std::to_string(v));
}
template <>
ProfileValue toProfileValue(const unsigned int& v) {
  return ProfileValue(std::to_string(v));
}
template <>
ProfileValue toProfileValue(const long& v) {
  return ProfileValue(std::to_string(v));
}
template <>
ProfileValue toProfileValue(const unsigned long& v) {
  return ProfileValue(std::to_string(v));
}
template <>
ProfileValue toProfileValue(const long long& v) {
  return ProfileValue(std::to_string(v));
}
template <>
ProfileValue toProfileValue(const unsigned long long& v) {
  return ProfileValue(std::to_string(v));
}
template <>
ProfileValue toProfileValue(const float& v) {
  return fromStream(v);
}
template <>
ProfileValue toProfileValue(const double& v) {
  return fromStream(v);
}
template <>
ProfileValue toProfileValue(const std::string& v) {
  return ProfileValue(v);
}
template <>
ProfileValue toProfileValue(const poplar::ComputeSet& v) {
  return ProfileValue(std::to_string(v.getId()));
}
template <>
ProfileValue toProfileValue(const poplar::OptionFlags& v) {
  ProfileValue::Map map;
  for (const auto& flag : v)
    map.insert({flag.first, ProfileValue(flag.second)});
  return ProfileValue(map);
}
template <>
ProfileValue toProfileValue(const poplar::program::Copy&) {
  return ProfileValue("<poplar::program::Copy>");
}
template <>
ProfileValue toProfileValue(const poplar::program::Sequence&) {
  return ProfileValue("<poplar::program::Sequence>");
}
template <>
ProfileValue toProfileValue(const poplar::Tensor& v) {
  if (!v.valid())
    return ProfileValue("<invalid>");
  ProfileValue::Map map;
  map.insert({"shape", ProfileValue(v.shapeToString())});
  map.insert({"type", toProfileValue(v.elementType())});
  return ProfileValue(map);
}
template <>
ProfileValue toProfileValue(const poplar::Type& v) {
  return ProfileValue(v.toString().cloneAsString());
}

OpDebugInfo::OpDebugInfo(const poplar::DebugContext& debugContext, std::string api)
    : poplar::DebugInfo(debugContext, "poplibs") {
  if (!api.empty())
    setValue("api", ProfileValue(api));
}

OpDebugInfo::~OpDebugInfo() = default;

void OpDebugInfo::add(const std::string& name, const std::vector<ArgType>& args) {
  ProfileValue::Map map;
  for (const auto& arg : args)
    map.insert({arg.n, arg.pv});
  setValue(name, ProfileValue(map));
}

PoplibsOpDebugInfo::PoplibsOpDebugInfo(const poplar::DebugContext& debugContext,
                                       const std::vector<ArgType>& args, const std::string& api)
    : OpDebugInfo(debugContext, api) {
  if (!args.empty())
    add("args", args);
}

PoplibsOpDebugInfo::~PoplibsOpDebugInfo() = default;

void PoplibsOpDebugInfo::addOutputs(const std::vector<ArgType>& outputs) {
  add("outputs", outputs);
}

void PoplibsOpDebugInfo::addOutput(const poplar::Tensor& output) {
  add("outputs", DI_ARGS(output));
}

} // namespace poputil
