#include "TestGraph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace poplar;
using testing::HasSubstr;

namespace {

typedef std::vector<std::size_t> Shape;

class TensorTest : public testing::Test {
protected:
  Graph graph{testTarget()};
  Tensor t = graph.addVariable(FLOAT, {2, 3, 4}, "t");
};

} // namespace

TEST_F(TensorTest, ADefaultTensorIsInvalidAndCannotBeViewed) {
  Tensor none;
  EXPECT_FALSE(none.valid());
  EXPECT_TRUE(t.valid());
  EXPECT_THROW(none.flatten(), poplar_error);
}

TEST_F(TensorTest, ShapeRankAndElementsAgree) {
  EXPECT_EQ(t.shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(t.rank(), 3u);
  EXPECT_EQ(t.numElements(), 24u);
  EXPECT_EQ(t.dim(1), 3u);
  EXPECT_EQ(t.elementType(), FLOAT);
  EXPECT_THROW(t.dim(3), poplar_error);
}

TEST_F(TensorTest, IndexingDropsTheFirstDimension) {
  EXPECT_EQ(t[1].shape(), (Shape{3, 4}));
  EXPECT_EQ(t[1][2][3].rank(), 0u);
  EXPECT_EQ(t.index({1, 2, 3}), t[1][2][3]);
  EXPECT_EQ(t[Interval(0, 1)].shape(), (Shape{1, 3, 4}));
  EXPECT_THROW(t[2], poplar_error);
}

TEST_F(TensorTest, SlicesOutOfRangeThrowAndNameTheTensor) {
  const std::string message = messageOf<poplar_error>([&] { t.slice(1, 4, 1); });
  EXPECT_THAT(message, HasSubstr("'t'"));
  EXPECT_THAT(message, HasSubstr("[1,4)"));
  EXPECT_THROW(t.slice(2, 1, 1), poplar_error);
  EXPECT_THROW(t.slice(0, 1, 3), poplar_error);
  EXPECT_THROW(t.slice({0, 0, 0}, {2, 3, 5}), poplar_error);
}

TEST_F(TensorTest, SliceFormsAgree) {
  EXPECT_EQ(t.slice(1, 3, 1), t.slice({1, 3}, 1));
  EXPECT_EQ(t.slice(1, 3, 1), t.slice({0, 1, 0}, {2, 3, 4}));
  EXPECT_EQ(t.slice(0, 1), t.slice(0, 1, 0));
  const std::vector<Tensor> parts = t.slices({Interval(0, 1), Interval(1, 3)}, 1);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(concat(parts, 1), t);
  const std::vector<std::vector<Interval>> lists = {{{2, 3}, {0, 1}}};
  EXPECT_EQ(t.slices(lists, 1)[0], concat(t.slice(2, 3, 1), t.slice(0, 1, 1), 1));
}

TEST_F(TensorTest, ReshapeMustKeepTheNumberOfElements) {
  EXPECT_EQ(t.reshape({6, 4}).shape(), (Shape{6, 4}));
  EXPECT_THAT(messageOf<poplar_error>([&] { t.reshape({5, 5}); }), HasSubstr("24"));
  EXPECT_EQ(t.flatten(), t.reshape({24}));
  EXPECT_EQ(t.flatten(0, 2).shape(), (Shape{6, 4}));
  EXPECT_EQ(t.reshapePartial(1, 3, {2, 6}).shape(), (Shape{2, 2, 6}));
}

TEST_F(TensorTest, DimensionsAreShuffledAsDocumented) {
  EXPECT_EQ(t.dimShuffle({2, 0, 1}).shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(t.dimShuffle({2, 0, 1})[3][1][2], t[1][2][3]);
  EXPECT_EQ(t.dimShufflePartial({2}, {0}), t.dimShuffle({2, 0, 1}));
  EXPECT_EQ(t.dimRoll(2), t.dimShuffle({2, 0, 1}));
  EXPECT_EQ(t.dimRoll(0, 2).shape(), (Shape{3, 4, 2}));
  EXPECT_EQ(t.transpose(), t.dimShuffle({2, 1, 0}));
  EXPECT_THROW(t.dimShuffle({0, 1}), poplar_error);
  EXPECT_THROW(t.dimShuffle({0, 0, 1}), poplar_error);
}

TEST_F(TensorTest, ExpandAndSqueezeUndoEachOther) {
  EXPECT_EQ(t.expand({0, 3}).shape(), (Shape{1, 2, 3, 4, 1}));
  EXPECT_EQ(t.expand({1, 1}).shape(), (Shape{2, 1, 1, 3, 4}));
  EXPECT_EQ(t.expand({0, 3}).squeeze({0, 4}), t);
  EXPECT_THROW(t.squeeze({0}), poplar_error);
}

TEST_F(TensorTest, BroadcastUpsampleAndSubSampleRepeatElements) {
  const Tensor v = t[0][0];
  EXPECT_EQ(v.broadcast(3, 0).shape(), (Shape{12}));
  EXPECT_EQ(v.broadcast(3, 0)[5], v[1]);
  EXPECT_EQ(v.upsample(3, 0, UpsampleMethod::REPEAT)[5], v[1]);
  EXPECT_EQ(v.upsample(3, 0, UpsampleMethod::REPEAT)[2], v[0]);
  EXPECT_EQ(v.subSample(3, 0), concat(v.slice(0, 1), v.slice(3, 4)));
  EXPECT_EQ(v.reverse(0)[0], v[3]);
}

TEST_F(TensorTest, ReinterpretNeedsTypesOfOneSize) {
  EXPECT_EQ(t.reinterpret(UNSIGNED_INT).elementType(), UNSIGNED_INT);
  EXPECT_THROW(t.reinterpret(HALF), type_error);
}

TEST_F(TensorTest, ConcatChecksShapesAndTypes) {
  EXPECT_EQ(concat(t, t, 1).shape(), (Shape{2, 6, 4}));
  EXPECT_EQ(concat({t, t, t}).shape(), (Shape{6, 3, 4}));
  EXPECT_EQ(append(t, t[0]).shape(), (Shape{3, 3, 4}));
  EXPECT_EQ(append(t[0], t[0][0], 0).shape(), (Shape{4, 4}));
  EXPECT_THROW(concat(t, t[0]), poplar_error);
  EXPECT_THROW(concat(t, graph.addVariable(HALF, {2, 3, 4}, "h")), type_error);
}

TEST_F(TensorTest, AliasesAndConstantsAreNotParallelWriteable) {
  EXPECT_TRUE(t.isParallelWriteable());
  EXPECT_FALSE(t.containsAliases());
  const Tensor twice = concat(t, t.slice(0, 1));
  EXPECT_TRUE(twice.containsAliases());
  EXPECT_FALSE(twice.isParallelWriteable());
  EXPECT_TRUE(t[0][0][0].expand({0}).broadcast(2, 0).containsAliases());
  EXPECT_FALSE(t.transpose().containsAliases());
  const Tensor c = graph.addConstant(FLOAT, {3}, 1.0f, "c");
  EXPECT_TRUE(c.containsConstant());
  EXPECT_FALSE(c.isParallelWriteable());
}

TEST_F(TensorTest, OneElementOfAConstantCanBeRead) {
  const Tensor c = graph.addConstant<float>(FLOAT, {2, 2}, {1.5f, 2.5f, -3.0f, 4.0f}, "c");
  const Tensor h = graph.addConstant(HALF, {}, 0.25f, "h");
  const Tensor n = graph.addConstant(INT, {1}, -1, "n");
  float value = 0;
  EXPECT_TRUE(c.transpose()[0][1].getConstantValue(&value));
  EXPECT_EQ(value, -3.0f);
  EXPECT_TRUE(h.expand({0}).getConstantValue(&value));
  EXPECT_EQ(value, 0.25f);
  unsigned bits = 0;
  EXPECT_TRUE(n.reinterpret(UNSIGNED_INT).getConstantValue(&bits));
  EXPECT_EQ(bits, 0xffffffffu);
  EXPECT_FALSE(t[0][0][0].getConstantValue(&value));
  EXPECT_FALSE(c.getConstantValue(&value));
  EXPECT_FALSE(graph.addReplicationIndexConstant().getConstantValue(&bits));
  EXPECT_EQ(value, 0.25f);
}

TEST_F(TensorTest, IntersectionIsOfElements) {
  EXPECT_TRUE(t[0].intersectsWith(t[0][1]));
  EXPECT_FALSE(t[0].intersectsWith(t[1]));
  EXPECT_FALSE(t.slice(0, 1, 2).intersectsWith(t.slice(1, 2, 2)));
  EXPECT_TRUE(t.slice(1, 2, 2).intersectsWith(t[1].transpose()));
}

TEST_F(TensorTest, ContiguousRegionsFollowMemory) {
  EXPECT_TRUE(t.isContiguous());
  EXPECT_TRUE(t[1].isContiguous());
  EXPECT_FALSE(t.slice(0, 2, 2).isContiguous());
  EXPECT_EQ(t.slice(0, 2, 2).getContiguousRegions().size(), 6u);
  const std::vector<VariableInterval> vars = t[1].getVarRegions();
  ASSERT_EQ(vars.size(), 1u);
  EXPECT_EQ(vars[0].interval, Interval(12, 24));
  EXPECT_EQ(graph.getVariable(vars[0].var), t.flatten());
}

TEST_F(TensorTest, RegionsArePrintedWithTheirVariables) {
  const Tensor x = graph.addVariable(FLOAT, {8}, "x");
  std::stringstream text;
  x.slice(2, 5).outputRegions(text);
  EXPECT_EQ(text.str(), "[0,3) is 'x' [2,5)\n");
}

TEST_F(TensorTest, EqualityIsOfViews) {
  EXPECT_EQ(t, t.transpose().transpose());
  EXPECT_NE(t, t.reshape({6, 4}));
  EXPECT_NE(t[0], t[1]);
  EXPECT_EQ(t.flatten(), concat(t[0].flatten(), t[1].flatten()));
}
