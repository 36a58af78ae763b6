// An expression with the types of its parts, ready to be executed or written as a codelet.
#pragma once

#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <popops/Expr.hpp>

#include <vector>

namespace popops {

struct TypedExpr {
  enum class Kind { Const, PlaceHolder, Cast, Unary, Binary, Ternary };

  Kind kind;
  poplar::Type type; // of the result
  const expr::Expr* source;
  std::vector<TypedExpr> arguments;
  unsigned input = 0; // of a placeholder, from 0

  bool isLeaf() const { return kind == Kind::Const || kind == Kind::PlaceHolder; }
  expr::UnaryOpType unaryOp() const { return source->getAs<expr::UnaryOp>()->getOpType(); }
  expr::BinaryOpType binaryOp() const { return source->getAs<expr::BinaryOp>()->getOpType(); }
  expr::TernaryOpType ternaryOp() const { return source->getAs<expr::TernaryOp>()->getOpType(); }
  const expr::Const& constant() const { return *source->getAs<expr::Const>(); }
};

// Gives every part its type: a placeholder has its tensor's, a constant that of what it meets.
// Throws poplibs_error for operands that do not fit together or their operator.
TypedExpr typeExpression(const expr::Expr& expr, const std::vector<poplar::Tensor>& ts);

} // namespace popops
