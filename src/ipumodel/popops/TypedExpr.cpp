#include "popops/TypedExpr.hpp"

#include "popops/OpInfo.hpp"

#include <poputil/exceptions.hpp>

#include <string>

namespace popops {
namespace {

using Kind = TypedExpr::Kind;

// Gives constants among the first `count` arguments the type of the one that is none.
void matchConstants(std::vector<TypedExpr>& arguments, std::size_t count) {
  for (std::size_t i = 0; i != count; ++i) {
    if (arguments[i].kind == Kind::Const)
      continue;
    for (std::size_t j = 0; j != count; ++j)
      if (arguments[j].kind == Kind::Const)
        arguments[j].type = arguments[i].type;
    return;
  }
}

void requireEqual(const char* op, const poplar::Type& a, const poplar::Type& b) {
  if (a != b)
    throw poputil::poplibs_error(std::string("Element-wise operator ") + op +
                                 " has operands of types " + a.toString().cloneAsString() +
                                 " and " + b.toString().cloneAsString());
}

} // namespace

TypedExpr typeExpression(const expr::Expr& expr, const std::vector<poplar::Tensor>& ts) {
  if (const auto* e = expr.getAs<expr::Const>())
    return {Kind::Const, e->getType(), &expr, {}};
  if (const auto* e = expr.getAs<expr::PlaceHolder>()) {
    const auto index = e->getIndex();
    if (index == 0 || index > ts.size())
      throw poputil::poplibs_error("Expression uses placeholder _" + std::to_string(index) +
                                   " but is mapped over " + std::to_string(ts.size()) + " tensors");
    return {Kind::PlaceHolder, ts[index - 1].elementType(), &expr, {}, index - 1};
  }
  if (const auto* e = expr.getAs<expr::Cast>())
    return {Kind::Cast, e->getRHSType(), &expr, {typeExpression(e->getLHS(), ts)}};
  if (const auto* e = expr.getAs<expr::UnaryOp>()) {
    auto argument = typeExpression(e->getArg(), ts);
    const auto type = resultType(e->getOpType(), argument.type);
    return {Kind::Unary, type, &expr, {std::move(argument)}};
  }
  if (const auto* e = expr.getAs<expr::BinaryOp>()) {
    std::vector<TypedExpr> arguments{typeExpression(e->getLHS(), ts),
                                     typeExpression(e->getRHS(), ts)};
    matchConstants(arguments, 2);
    requireEqual(opName(e->getOpType()), arguments[0].type, arguments[1].type);
    const auto type = resultType(e->getOpType(), arguments[0].type);
    return {Kind::Binary, type, &expr, std::move(arguments)};
  }
  const auto* e = expr.getAs<expr::TernaryOp>();
  std::vector<TypedExpr> arguments{typeExpression(e->getArg0(), ts),
                                   typeExpression(e->getArg1(), ts),
                                   typeExpression(e->getArg2(), ts)};
  const bool isSelect = e->getOpType() == expr::TernaryOpType::SELECT;
  matchConstants(arguments, isSelect ? 2 : 3);
  requireEqual(opName(e->getOpType()), arguments[0].type, arguments[1].type);
  requireEqual(opName(e->getOpType()), arguments[2].type,
               isSelect ? poplar::BOOL : arguments[0].type);
  const auto type = arguments[0].type;
  return {Kind::Ternary, type, &expr, std::move(arguments)};
}

} // namespace popops
