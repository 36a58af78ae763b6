// Names of non-linearities: for people, and as template arguments of vertices.
#pragma once

#include <popnn/NonLinearity.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <string>

namespace popnn {

/// As operator<< writes it.
const char* asString(const NonLinearityType& type);

} // namespace popnn

namespace poputil {

/// Only of those that act on single elements; the others have no vertex of their own.
template <>
struct VertexTemplateToString<popnn::NonLinearityType> {
  static std::string to_string(const popnn::NonLinearityType& type) {
    using Type = popnn::NonLinearityType;
    switch (type) {
    case Type::SIGMOID:
      return "popnn::NonLinearityType::SIGMOID";
    case Type::HARD_SIGMOID:
      return "popnn::NonLinearityType::HARD_SIGMOID";
    case Type::RELU:
      return "popnn::NonLinearityType::RELU";
    case Type::TANH:
      return "popnn::NonLinearityType::TANH";
    case Type::GELU:
      return "popnn::NonLinearityType::GELU";
    case Type::GELU_ERF:
      return "popnn::NonLinearityType::GELU_ERF";
    case Type::SWISH:
      return "popnn::NonLinearityType::SWISH";
    case Type::SOFTMAX:
    case Type::SOFTMAX_STABLE:
    case Type::SOFTMAX_SCALED:
      break;
    }
    throw poplibs_error(std::string("No vertex computes the non-linearity ") +
                        popnn::asString(type));
  }
};

} // namespace poputil
