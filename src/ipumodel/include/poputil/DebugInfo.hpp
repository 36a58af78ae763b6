// Debug information of library operations: the arguments of a call, kept under its debug context.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

#include <string>
#include <utility>
#include <vector>

namespace poputil {

/// Specialise for a type to make it an argument of DI_ARGS.
template <typename T>
poplar::ProfileValue toProfileValue(const T& t);

template <>
poplar::ProfileValue toProfileValue(const bool& v);
template <>
poplar::ProfileValue toProfileValue(const char& v);
template <>
poplar::ProfileValue toProfileValue(const signed char& v);
template <>
poplar::ProfileValue toProfileValue(const unsigned char& v);
template <>
poplar::ProfileValue toProfileValue(const short& v);
template <>
poplar::ProfileValue toProfileValue(const unsigned short& v);
template <>
poplar::ProfileValue toProfileValue(const int& v);
template <>
poplar::ProfileValue toProfileValue(const unsigned int& v);
template <>
poplar::ProfileValue toProfileValue(const long& v);
template <>
poplar::ProfileValue toProfileValue(const unsigned long& v);
template <>
poplar::ProfileValue toProfileValue(const long long& v);
template <>
poplar::ProfileValue toProfileValue(const unsigned long long& v);
template <>
poplar::ProfileValue toProfileValue(const float& v);
template <>
poplar::ProfileValue toProfileValue(const double& v);
template <>
poplar::ProfileValue toProfileValue(const std::string& v);
template <>
poplar::ProfileValue toProfileValue(const poplar::ComputeSet& v);
template <>
poplar::ProfileValue toProfileValue(const poplar::OptionFlags& v);
template <>
poplar::ProfileValue toProfileValue(const poplar::program::Copy& v);
template <>
poplar::ProfileValue toProfileValue(const poplar::program::Sequence& v);
template <>
poplar::ProfileValue toProfileValue(const poplar::Tensor& v);
template <>
poplar::ProfileValue toProfileValue(const poplar::Type& v);

template <typename T>
poplar::ProfileValue toProfileValue(const T* v) {
  return v ? toProfileValue(*v) : poplar::ProfileValue("<nullptr>");
}
template <typename T>
poplar::ProfileValue toProfileValue(T* const& v) {
  return v ? toProfileValue(*v) : poplar::ProfileValue("<nullptr>");
}
template <typename T>
poplar::ProfileValue toProfileValue(const std::vector<T>& v) {
  poplar::ProfileValue::Map map;
  for (std::size_t i = 0; i != v.size(); ++i)
    map.insert({std::to_string(i), toProfileValue(static_cast<const T&>(v[i]))});
  return poplar::ProfileValue(map);
}

/// One named argument.
class ArgType {
public:
  std::string n;
  poplar::ProfileValue pv;

  ArgType(const std::string& name, const poplar::ProfileValue& value) : n(name), pv(value) {}
  ArgType(const std::pair<std::string, const poplar::ProfileValue>& p) : n(p.first), pv(p.second) {}
};

/// The debug information of one operation; give `{di, "name"}` to what it creates.
class OpDebugInfo : public poplar::DebugInfo {
public:
  OpDebugInfo(const poplar::DebugContext& debugContext, std::string api);
  OpDebugInfo& operator=(const OpDebugInfo&) = delete;
  OpDebugInfo(const OpDebugInfo&) = delete;
  virtual ~OpDebugInfo();

  void add(const std::string& name, const std::vector<ArgType>& args);
};

class PoplibsOpDebugInfo : public OpDebugInfo {
public:
  PoplibsOpDebugInfo(const poplar::DebugContext& debugContext,
                     const std::vector<ArgType>& args = {},
                     const std::string& api = __builtin_FUNCTION());
  PoplibsOpDebugInfo& operator=(const PoplibsOpDebugInfo&) = delete;
  PoplibsOpDebugInfo(const PoplibsOpDebugInfo&) = delete;
  virtual ~PoplibsOpDebugInfo();

  void addOutputs(const std::vector<ArgType>& outputs);
  void addOutput(const poplar::Tensor& output);
};

} // namespace poputil

// DI_ARGS(a, b) is {{"a", value of a}, {"b", value of b}}: a macro because it needs the names.
#define DI_ARG_1(x) poputil::ArgType(#x, poputil::toProfileValue(x))
#define DI_ARG_2(x, ...) DI_ARG_1(x), DI_ARG_1(__VA_ARGS__)
#define DI_ARG_3(x, ...) DI_ARG_1(x), DI_ARG_2(__VA_ARGS__)
#define DI_ARG_4(x, ...) DI_ARG_1(x), DI_ARG_3(__VA_ARGS__)
#define DI_ARG_5(x, ...) DI_ARG_1(x), DI_ARG_4(__VA_ARGS__)
#define DI_ARG_6(x, ...) DI_ARG_1(x), DI_ARG_5(__VA_ARGS__)
#define DI_ARG_7(x, ...) DI_ARG_1(x), DI_ARG_6(__VA_ARGS__)
#define DI_ARG_8(x, ...) DI_ARG_1(x), DI_ARG_7(__VA_ARGS__)
#define DI_ARG_9(x, ...) DI_ARG_1(x), DI_ARG_8(__VA_ARGS__)
#define DI_ARG_10(x, ...) DI_ARG_1(x), DI_ARG_9(__VA_ARGS__)
#define DI_ARG_11(x, ...) DI_ARG_1(x), DI_ARG_10(__VA_ARGS__)
#define DI_ARG_12(x, ...) DI_ARG_1(x), DI_ARG_11(__VA_ARGS__)
#define DI_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, N, ...) N
#define DI_ARGS(...)                                                                               \
  {                                                                                                \
    DI_PICK(__VA_ARGS__, DI_ARG_12, DI_ARG_11, DI_ARG_10, DI_ARG_9, DI_ARG_8, DI_ARG_7, DI_ARG_6,  \
            DI_ARG_5, DI_ARG_4, DI_ARG_3, DI_ARG_2, DI_ARG_1, unused)                              \
    (__VA_ARGS__)                                                                                  \
  }
