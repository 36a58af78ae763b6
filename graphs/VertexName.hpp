// The names of our vertices, as popc knows them.
#pragma once

#include "network/NetworkSpec.hpp"

#include <poplar/Type.hpp>

#include <string>

namespace spillway {

inline std::string vertexArgument(poplar::Type type) {
  return type.toString();
}
inline std::string vertexArgument(bool value) {
  return value ? "true" : "false";
}
inline std::string vertexArgument(NeuronKind kind) {
  return std::string("spillway::NeuronModel::") + (kind == NeuronKind::Alif ? "Alif" : "Lif");
}
inline std::string vertexArgument(ResetMode mode) {
  return std::string("spillway::ResetRule::") + (mode == ResetMode::ToZero ? "ToZero" : "Subtract");
}

// REQUIRES: a gated kind.
inline std::string vertexArgument(LayerKind kind) {
  return std::string("spillway::GatedModel::") + (kind == LayerKind::Gru ? "Gru" : "Egru");
}

// vertexName("Foo", poplar::FLOAT, true) is "Foo<float,true>".
template <class... Arguments>
std::string vertexName(const std::string& name, const Arguments&... arguments) {
  std::string list;
  ((list += (list.empty() ? "" : ",") + vertexArgument(arguments)), ...);
  return name + "<" + list + ">";
}

} // namespace spillway
