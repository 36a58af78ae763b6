// Names of the element-wise operators and the types they take.
#pragma once

#include <poplar/Type.hpp>
#include <popops/ExprOp.hpp>

namespace popops {

const char* opName(expr::UnaryOpType op);
const char* opName(expr::BinaryOpType op);
const char* opName(expr::TernaryOpType op);

bool isReal(const poplar::Type& type);

// Whether the result is BOOL whatever the operands are.
bool givesBool(expr::UnaryOpType op);
bool givesBool(expr::BinaryOpType op);

// The type of the result. Throws poplibs_error, naming operator and type, for operands the operator
// does not take.
poplar::Type resultType(expr::UnaryOpType op, const poplar::Type& type);
poplar::Type resultType(expr::BinaryOpType op, const poplar::Type& type);

} // namespace popops
