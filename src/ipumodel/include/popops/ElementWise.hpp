// Element-wise operations. Shapes are matched by NumPy's broadcast rules (poputil/Broadcast.hpp).
//
// Every operation has three forms: op() makes the result tensor, opInPlace() overwrites its first
// operand, which then may not be broadcast, and opWithOutput() writes the tensor it is given.
// Either operand of a binary operation may be a host constant of the tensor's type.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <popops/Expr.hpp>
#include <poputil/DebugInfo.hpp>

#include <iosfwd>
#include <stdexcept>
#include <vector>

namespace poputil {
template <>
poplar::ProfileValue toProfileValue(const popops::expr::UnaryOpType& op);
template <>
poplar::ProfileValue toProfileValue(const popops::expr::BinaryOpType& op);
template <>
poplar::ProfileValue toProfileValue(const popops::expr::TernaryOpType& op);
} // namespace poputil

namespace popops {

/// Evaluates `expr` for each element of the tensors, which its placeholders name, in one compute
/// set. Options: enableGenerateCodelet (true, false) [=true]: an expression of several operations
/// becomes a codelet of its own; otherwise the operations follow one another.
poplar::Tensor map(poplar::Graph& graph, const expr::Expr& expr,
                   const std::vector<poplar::Tensor>& ts, poplar::program::Sequence& prog,
                   const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});
std::vector<poplar::Tensor> map(poplar::Graph& graph, const std::vector<expr::Any>& exprs,
                                const std::vector<poplar::Tensor>& ts,
                                poplar::program::Sequence& prog,
                                const poplar::DebugContext& debugContext = {},
                                const poplar::OptionFlags& options = {});

/// Writes the result to the first tensor; for several expressions, result i to tensor i.
void mapInPlace(poplar::Graph& graph, const expr::Expr& expr, const std::vector<poplar::Tensor>& ts,
                poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                const poplar::OptionFlags& options = {});
void mapInPlace(poplar::Graph& graph, const std::vector<expr::Any>& exprs,
                const std::vector<poplar::Tensor>& ts, poplar::program::Sequence& prog,
                const poplar::DebugContext& debugContext = {},
                const poplar::OptionFlags& options = {});

void mapWithOutput(poplar::Graph& graph, const expr::Expr& expr,
                   const std::vector<poplar::Tensor>& ts, const poplar::Tensor& out,
                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});
void mapWithOutput(poplar::Graph& graph, const std::vector<expr::Any>& exprs,
                   const std::vector<poplar::Tensor>& ts, const std::vector<poplar::Tensor>& outs,
                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});

/// Writes the C++ source of the codelet that map() would generate for an expression.
void outputGeneratedCodelet(const poplar::Target& target, const expr::Expr& expr,
                            const std::vector<poplar::Tensor>& ts,
                            const poplar::OptionFlags& options, std::ostream& os);

inline poplar::Tensor map(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& t,
                          poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
  return map(graph, expr::UnaryOp(op, expr::_1), {t}, prog, debugContext, options);
}
inline poplar::Tensor map(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
  return map(graph, expr::BinaryOp(op, expr::_1, expr::_2), {a, b}, prog, debugContext, options);
}
inline poplar::Tensor map(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, const poplar::Tensor& c,
                          poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
  return map(graph, expr::TernaryOp(op, expr::_1, expr::_2, expr::_3), {a, b, c}, prog,
             debugContext, options);
}
inline void mapInPlace(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& t,
                       poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {},
                       const poplar::OptionFlags& options = {}) {
  mapInPlace(graph, expr::UnaryOp(op, expr::_1), {t}, prog, debugContext, options);
}
inline void mapInPlace(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a,
                       const poplar::Tensor& b, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {},
                       const poplar::OptionFlags& options = {}) {
  mapInPlace(graph, expr::BinaryOp(op, expr::_1, expr::_2), {a, b}, prog, debugContext, options);
}
inline void mapInPlace(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a,
                       const poplar::Tensor& b, const poplar::Tensor& c,
                       poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext = {},
                       const poplar::OptionFlags& options = {}) {
  mapInPlace(graph, expr::TernaryOp(op, expr::_1, expr::_2, expr::_3), {a, b, c}, prog,
             debugContext, options);
}
inline void mapWithOutput(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& in,
                          const poplar::Tensor& out, poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
  mapWithOutput(graph, expr::UnaryOp(op, expr::_1), {in}, out, prog, debugContext, options);
}
inline void mapWithOutput(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, const poplar::Tensor& out,
                          poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
  mapWithOutput(graph, expr::BinaryOp(op, expr::_1, expr::_2), {a, b}, out, prog, debugContext,
                options);
}
inline void mapWithOutput(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, const poplar::Tensor& c,
                          const poplar::Tensor& out, poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {}) {
  mapWithOutput(graph, expr::TernaryOp(op, expr::_1, expr::_2, expr::_3), {a, b, c}, out, prog,
                debugContext, options);
}

/// Throws std::runtime_error unless a constant of that host type may meet elements of the type:
/// float and double meet FLOAT and HALF, others their own device type.
template <typename constType>
inline void checkTypes(poplar::Type elementType, constType) {
  if (elementType != poplar::equivalent_device_type<constType>().value)
    throw std::runtime_error("Type mismatch between Binary op Tensor and constant: " +
                             elementType.toString().cloneAsString());
}
template <>
inline void checkTypes<double>(poplar::Type elementType, double) {
  if (elementType != poplar::FLOAT && elementType != poplar::HALF)
    throw std::runtime_error(
        "Type mismatch between Binary op Tensor and floating-point constant: " +
        elementType.toString().cloneAsString());
}
template <>
inline void checkTypes<float>(poplar::Type elementType, float constant) {
  checkTypes<double>(elementType, constant);
}

namespace internal {

/// A scalar constant of the type on tile 0.
template <typename constType>
poplar::Tensor scalarConstant(poplar::Graph& graph, poplar::Type type, constType value,
                              const poplar::DebugContext& debugContext) {
  checkTypes(type, value);
  auto t = graph.addConstant(type, {}, value, debugContext);
  graph.setTileMapping(t, 0);
  return t;
}

} // namespace internal

// The forms of an operation differ in their names alone; only a macro can make those.
#define POPLIBS_DEFINE_UNARY_OPERATOR_FN(fn, op)                                                   \
  inline poplar::Tensor fn(                                                                        \
      poplar::Graph& graph, const poplar::Tensor& A, poplar::program::Sequence& prog,              \
      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {    \
    return map(graph, expr::UnaryOpType::op, A, prog, debugContext, options);                      \
  }                                                                                                \
  inline void fn##InPlace(                                                                         \
      poplar::Graph& graph, const poplar::Tensor& A, poplar::program::Sequence& prog,              \
      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {    \
    mapInPlace(graph, expr::UnaryOpType::op, A, prog, debugContext, options);                      \
  }                                                                                                \
  inline void fn##WithOutput(poplar::Graph& graph, const poplar::Tensor& A,                        \
                             const poplar::Tensor& out, poplar::program::Sequence& prog,           \
                             const poplar::DebugContext& debugContext = {},                        \
                             const poplar::OptionFlags& options = {}) {                            \
    mapWithOutput(graph, expr::UnaryOpType::op, A, out, prog, debugContext, options);              \
  }

#define POPLIBS_DEFINE_BINARY_OPERATOR_FN(fn, op)                                                  \
  inline poplar::Tensor fn(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B, \
                           poplar::program::Sequence& prog,                                        \
                           const poplar::DebugContext& debugContext = {},                          \
                           const poplar::OptionFlags& options = {}) {                              \
    return map(graph, expr::BinaryOpType::op, A, B, prog, debugContext, options);                  \
  }                                                                                                \
  template <typename constType>                                                                    \
  inline poplar::Tensor fn(poplar::Graph& graph, const poplar::Tensor& A, const constType B,       \
                           poplar::program::Sequence& prog,                                        \
                           const poplar::DebugContext& debugContext = {},                          \
                           const poplar::OptionFlags& options = {}) {                              \
    const auto b = internal::scalarConstant(graph, A.elementType(), B, debugContext);              \
    return map(graph, expr::BinaryOpType::op, A, b, prog, debugContext, options);                  \
  }                                                                                                \
  template <typename constType>                                                                    \
  inline poplar::Tensor fn(poplar::Graph& graph, const constType A, const poplar::Tensor& B,       \
                           poplar::program::Sequence& prog,                                        \
                           const poplar::DebugContext& debugContext = {},                          \
                           const poplar::OptionFlags& options = {}) {                              \
    const auto a = internal::scalarConstant(graph, B.elementType(), A, debugContext);              \
    return map(graph, expr::BinaryOpType::op, a, B, prog, debugContext, options);                  \
  }                                                                                                \
  inline void fn##InPlace(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,  \
                          poplar::program::Sequence& prog,                                         \
                          const poplar::DebugContext& debugContext = {},                           \
                          const poplar::OptionFlags& options = {}) {                               \
    mapInPlace(graph, expr::BinaryOpType::op, A, B, prog, debugContext, options);                  \
  }                                                                                                \
  template <typename constType>                                                                    \
  inline void fn##InPlace(poplar::Graph& graph, const poplar::Tensor& A, const constType B,        \
                          poplar::program::Sequence& prog,                                         \
                          const poplar::DebugContext& debugContext = {},                           \
                          const poplar::OptionFlags& options = {}) {                               \
    const auto b = internal::scalarConstant(graph, A.elementType(), B, debugContext);              \
    mapInPlace(graph, expr::BinaryOpType::op, A, b, prog, debugContext, options);                  \
  }                                                                                                \
  inline void fn##WithOutput(                                                                      \
      poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,                      \
      const poplar::Tensor& out, poplar::program::Sequence& prog,                                  \
      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {    \
    mapWithOutput(graph, expr::BinaryOpType::op, A, B, out, prog, debugContext, options);          \
  }                                                                                                \
  template <typename constType>                                                                    \
  inline void fn##WithOutput(poplar::Graph& graph, const poplar::Tensor& A, const constType B,     \
                             const poplar::Tensor& out, poplar::program::Sequence& prog,           \
                             const poplar::DebugContext& debugContext = {},                        \
                             const poplar::OptionFlags& options = {}) {                            \
    const auto b = internal::scalarConstant(graph, A.elementType(), B, debugContext);              \
    mapWithOutput(graph, expr::BinaryOpType::op, A, b, out, prog, debugContext, options);          \
  }                                                                                                \
  template <typename constType>                                                                    \
  inline void fn##WithOutput(poplar::Graph& graph, const constType A, const poplar::Tensor& B,     \
                             const poplar::Tensor& out, poplar::program::Sequence& prog,           \
                             const poplar::DebugContext& debugContext = {},                        \
                             const poplar::OptionFlags& options = {}) {                            \
    const auto a = internal::scalarConstant(graph, B.elementType(), A, debugContext);              \
    mapWithOutput(graph, expr::BinaryOpType::op, a, B, out, prog, debugContext, options);          \
  }

#define POPLIBS_DEFINE_TERNARY_OPERATOR_FN(fn, op)                                                 \
  inline poplar::Tensor fn(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B, \
                           const poplar::Tensor& C, poplar::program::Sequence& prog,               \
                           const poplar::DebugContext& debugContext = {},                          \
                           const poplar::OptionFlags& options = {}) {                              \
    return map(graph, expr::TernaryOpType::op, A, B, C, prog, debugContext, options);              \
  }                                                                                                \
  inline void fn##InPlace(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,  \
                          const poplar::Tensor& C, poplar::program::Sequence& prog,                \
                          const poplar::DebugContext& debugContext = {},                           \
                          const poplar::OptionFlags& options = {}) {                               \
    mapInPlace(graph, expr::TernaryOpType::op, A, B, C, prog, debugContext, options);              \
  }                                                                                                \
  inline void fn##WithOutput(                                                                      \
      poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,                      \
      const poplar::Tensor& C, const poplar::Tensor& out, poplar::program::Sequence& prog,         \
      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {}) {    \
    mapWithOutput(graph, expr::TernaryOpType::op, A, B, C, out, prog, debugContext, options);      \
  }

POPLIBS_DEFINE_UNARY_OPERATOR_FN(abs, ABSOLUTE)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(asin, ASIN)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(bitwiseNot, BITWISE_NOT)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(cbrt, CBRT)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(ceil, CEIL)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(countLeadingZeros, COUNT_LEADING_ZEROS)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(cos, COS)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(erf, ERF)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(exp, EXPONENT)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(expm1, EXPONENT_MINUS_ONE)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(exp2, EXPONENT2)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(floor, FLOOR)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(geluErf, GELU_ERF)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(inv, INVERSE)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(log, LOGARITHM)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(log1p, LOGARITHM_ONE_PLUS)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(logicalNot, LOGICAL_NOT)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(nearbyInt, NEARBY_INT)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(neg, NEGATE)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(popcount, POPCOUNT)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(round, ROUND)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(rsqrt, RSQRT)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(sigmoid, SIGMOID)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(signum, SIGNUM)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(sin, SIN)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(sqrt, SQRT)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(square, SQUARE)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(tan, TAN)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(tanh, TANH)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(trunc, TRUNC)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(isFinite, IS_FINITE)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(isInf, IS_INF)
POPLIBS_DEFINE_UNARY_OPERATOR_FN(isNaN, IS_NAN)

POPLIBS_DEFINE_BINARY_OPERATOR_FN(add, ADD)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(atan2, ATAN2)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(bitwiseAnd, BITWISE_AND)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(bitwiseOr, BITWISE_OR)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(bitwiseXor, BITWISE_XOR)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(bitwiseXnor, BITWISE_XNOR)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(div, DIVIDE)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(eq, EQUAL)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(gteq, GREATER_THAN_EQUAL)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(gt, GREATER_THAN)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(invStdDevToVariance, INV_STD_DEV_TO_VARIANCE)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(lteq, LESS_THAN_EQUAL)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(logicalAnd, LOGICAL_AND)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(logicalOr, LOGICAL_OR)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(lt, LESS_THAN)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(max, MAXIMUM)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(min, MINIMUM)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(mul, MULTIPLY)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(neq, NOT_EQUAL)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(pow, POWER)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(rem, REMAINDER)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(shiftLeft, SHIFT_LEFT)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(shiftRight, SHIFT_RIGHT)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(shiftRightSignExtend, SHIFT_RIGHT_SIGN_EXTEND)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(sub, SUBTRACT)
POPLIBS_DEFINE_BINARY_OPERATOR_FN(varianceToInvStdDev, VARIANCE_TO_INV_STD_DEV)

/// select(A, B, conditions): A where the condition is true, else B. clamp(values, lowest, highest).
POPLIBS_DEFINE_TERNARY_OPERATOR_FN(select, SELECT)
POPLIBS_DEFINE_TERNARY_OPERATOR_FN(clamp, CLAMP)

} // namespace popops
