#include "Harness.hpp"

#include <poplar/Type.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Expr.hpp>
#include <popops/ExprOpUtils.hpp>
#include <popops/OperationDefUtil.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace pe = popops::expr;

TEST(Expr, EqualsWhatIsBuiltInTheSameWay) {
  const auto e = pe::Select(pe::Tanh(pe::_1 + 3.0f), pe::Cast(pe::_2, poplar::FLOAT), pe::_3);
  EXPECT_TRUE(pe::deepEquals(e, *e.clone()));
  EXPECT_TRUE(
      e.deepEquals(pe::Select(pe::Tanh(pe::_1 + 3.0f), pe::Cast(pe::_2, poplar::FLOAT), pe::_3)));
  EXPECT_FALSE(
      e.deepEquals(pe::Select(pe::Tanh(pe::_1 + 4.0f), pe::Cast(pe::_2, poplar::FLOAT), pe::_3)));
  EXPECT_FALSE(
      e.deepEquals(pe::Select(pe::Tanh(pe::_1 + 3.0f), pe::Cast(pe::_2, poplar::HALF), pe::_3)));
  EXPECT_FALSE(e.deepEquals(pe::_1));
  EXPECT_FALSE(pe::deepEquals(pe::_1, pe::_2));
  EXPECT_FALSE(pe::deepEquals(pe::_1 + pe::_2, pe::_1 - pe::_2));
  EXPECT_FALSE(pe::deepEquals(pe::Sin(pe::_1), pe::Cos(pe::_1)));
  EXPECT_FALSE(pe::deepEquals(pe::Const(1), pe::Const(1u)));
}

TEST(Expr, IsPrintedOnOneLineOrSeveral) {
  const auto e = pe::Add(pe::Neg(pe::_1), pe::Const(3));
  std::ostringstream line, lines;
  e.print(line, 0, false);
  lines << e;
  EXPECT_EQ(line.str(), "ADD(NEGATE(PlaceHolder(1)),Const(3))");
  EXPECT_EQ(lines.str(), "ADD(\n  NEGATE(\n    PlaceHolder(1)),\n  Const(3))");
}

TEST(Expr, ConstantsPrintAllTheirDigits) {
  for (const float value : {1e-8f, std::numeric_limits<float>::lowest(),
                            std::numeric_limits<float>::min(), std::numeric_limits<float>::max()})
    EXPECT_EQ(std::stof(pe::Const(value).printValue()), value);
}

TEST(Expr, OperatorsHaveNames) {
  using namespace pe::ostream_ext;
  std::stringstream text;
  text << pe::UnaryOpType::TANH << ' ' << pe::BinaryOpType::POWER << ' '
       << pe::TernaryOpType::SELECT;
  EXPECT_EQ(text.str(), "TANH POWER SELECT");
  EXPECT_EQ(poputil::templateVertex("Sum", popops::Operation::SQUARE_ADD),
            "Sum<popops::Operation::SQUARE_ADD>");
}

TEST(Expr, HasACodeletThatCanBeRead) {
  harness::TestGraph g;
  const auto a = g.graph.addVariable(poplar::FLOAT, {5}),
             b = g.graph.addVariable(poplar::FLOAT, {});
  std::stringstream text;
  popops::outputGeneratedCodelet(g.graph.getTarget(), pe::_1 * pe::_2 + pe::_1, {a, b}, {}, text);
  EXPECT_TRUE(g.graph.addCodelets(text));
}
