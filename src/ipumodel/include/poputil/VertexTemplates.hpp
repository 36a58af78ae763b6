// Names of template vertices: templateVertex("Foo", FLOAT, true, 3) is "Foo<float,true,3>".
#pragma once

#include <poplar/StringRef.hpp>
#include <poplar/Type.hpp>

#include <string>
#include <utility>

namespace poputil {

/// How a template argument is spelt in a vertex name. Specialise it for an enum, giving the fully
/// qualified enumerator.
template <typename T>
struct VertexTemplateToString {
  static std::string to_string(const T& x) { return std::to_string(x); }
};
template <>
struct VertexTemplateToString<poplar::StringRef> {
  static std::string to_string(const poplar::StringRef& s) { return s; }
};
template <>
struct VertexTemplateToString<std::string> {
  static std::string to_string(const std::string& s) { return s; }
};
template <>
struct VertexTemplateToString<poplar::Type> {
  static std::string to_string(const poplar::Type& t) { return t.toString(); }
};
template <>
struct VertexTemplateToString<bool> {
  static std::string to_string(bool b) { return b ? "true" : "false"; }
};

inline std::string templateVertexParams(bool first) {
  return first ? "" : ">";
}

template <typename... Args>
std::string templateVertexParams(bool first, const char* text, Args&&... rest);

template <typename T, typename... Args>
std::string templateVertexParams(bool first, const T& value, Args&&... rest) {
  std::string params(1, first ? '<' : ',');
  params += VertexTemplateToString<T>::to_string(value);
  return params + templateVertexParams(false, std::forward<Args>(rest)...);
}

template <typename... Args>
std::string templateVertexParams(bool first, const char* text, Args&&... rest) {
  std::string params(1, first ? '<' : ',');
  params += text;
  return params + templateVertexParams(false, std::forward<Args>(rest)...);
}

template <typename... Args>
std::string templateVertex(const std::string& name, Args&&... args) {
  return name + templateVertexParams(true, std::forward<Args>(args)...);
}

} // namespace poputil
