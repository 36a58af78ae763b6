// Writes a codelet that evaluates a whole expression for each element.
#pragma once

#include "popops/TypedExpr.hpp"

#include <poplar/Graph.hpp>

#include <string>
#include <vector>

namespace popops {

// One input of the generated vertices: field "in<k>" with k from 1.
struct CodeletInput {
  poplar::Type type;
  bool isScalar; // one element for all
};

enum class CodeletOutput { Separate, FirstInput };

// The values of the constants in the order the expression names them; the codelet has them as
// fields "c0", "c1", ..., so that one codelet serves expressions that differ in constants only.
std::vector<const TypedExpr*> constantsOf(const TypedExpr& expr);

struct GeneratedCodelet {
  std::string oneRegion, manyRegions; // vertex names
  std::string text;                   // C++ source
};

// With CodeletOutput::FirstInput the result is written to input 1 (its field is InOut, named
// "out").
GeneratedCodelet generateCodelet(const TypedExpr& expr, const std::vector<CodeletInput>& inputs,
                                 CodeletOutput output);

} // namespace popops
