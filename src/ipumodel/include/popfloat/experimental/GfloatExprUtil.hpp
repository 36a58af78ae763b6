// Names of the enumerators, as in vertex types.
#pragma once

#include <poplar/Type.hpp>
#include <poputil/VertexTemplates.hpp>

#include <popfloat/experimental/GfloatExpr.hpp>

#include <string>

namespace popfloat {
namespace experimental {

std::string roundTypeToString(RoundType rmode);
std::string formatTypeToString(FormatType fmt);
std::string srDensityTypeToString(SRDensityType dist);
/// INT8 is SIGNED_CHAR. Throws poplibs_error for AUTO.
poplar::Type specTypeToPoplarType(SpecType specType);

} // namespace experimental
} // namespace popfloat

namespace poputil {

template <>
struct VertexTemplateToString<popfloat::experimental::RoundType> {
  static std::string to_string(const popfloat::experimental::RoundType& value) {
    return "popfloat::experimental::RoundType::" + popfloat::experimental::roundTypeToString(value);
  }
};
template <>
struct VertexTemplateToString<popfloat::experimental::FormatType> {
  static std::string to_string(const popfloat::experimental::FormatType& value) {
    return "popfloat::experimental::FormatType::" +
           popfloat::experimental::formatTypeToString(value);
  }
};
template <>
struct VertexTemplateToString<popfloat::experimental::SRDensityType> {
  static std::string to_string(const popfloat::experimental::SRDensityType& value) {
    return "popfloat::experimental::SRDensityType::" +
           popfloat::experimental::srDensityTypeToString(value);
  }
};

} // namespace poputil
