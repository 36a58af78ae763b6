#include "machine/VertexBytes.hpp"

#include <gtest/gtest.h>

namespace ipumodel {
namespace {

std::size_t elementBytes(const poplar::Type& type) {
  return type == poplar::HALF || type == poplar::UNSIGNED_SHORT ? 2 : type == poplar::BOOL ? 1 : 4;
}

FieldInfo field(FieldDirection direction, FieldRank rank, poplar::Type type,
                PointerLayout inner = PointerLayout::None,
                PointerLayout outer = PointerLayout::None) {
  FieldInfo info;
  info.direction = direction;
  info.rank = rank;
  info.elementType = type;
  info.innerLayout = inner;
  info.outerLayout = outer;
  return info;
}

VertexBytes bytesWith(std::vector<FieldInfo> fields, std::size_t sizeOfEach = 1) {
  VertexType type;
  type.fields = std::move(fields);
  return bytesOf(
      type, [=](unsigned) { return sizeOfEach; }, elementBytes);
}

using enum FieldDirection;
using enum FieldRank;
using poplar::FLOAT;
using poplar::UNSIGNED_INT;
using poplar::UNSIGNED_SHORT;

TEST(VertexBytes, ANonlinearityInPlaceTakesEightBytes) {
  // Eight bytes per tile in a real profile of Relu: a pointer and a 16-bit count.
  EXPECT_EQ(bytesWith({field(InOut, Vector, FLOAT, PointerLayout::OnePtr),
                       field(State, Scalar, UNSIGNED_SHORT)})
                .instanceState,
            8u);
}

TEST(VertexBytes, FollowThePointerLayouts) {
  const auto one = [](PointerLayout layout) {
    return bytesWith({field(Input, Vector, FLOAT, layout)}).instanceState;
  };
  EXPECT_EQ(one(PointerLayout::OnePtr), 4u);
  EXPECT_EQ(one(PointerLayout::Span), 8u);
  EXPECT_EQ(one(PointerLayout::ShortSpan), 4u);
  EXPECT_EQ(one(PointerLayout::ScaledPtr64), 4u) << "two bytes, rounded to a word";
  EXPECT_EQ(bytesWith({field(Input, Vector, FLOAT, PointerLayout::ScaledPtr64),
                       field(Input, Vector, FLOAT, PointerLayout::ScaledPtr64)})
                .instanceState,
            4u);
}

TEST(VertexBytes, AnEdgeIsAPointerAndAStateScalarItself) {
  EXPECT_EQ(bytesWith({field(Input, Scalar, poplar::BOOL)}).instanceState, 4u);
  EXPECT_EQ(bytesWith({field(State, Scalar, poplar::BOOL), field(State, Scalar, poplar::BOOL)})
                .instanceState,
            4u);
}

TEST(VertexBytes, StateVectorsKeepTheirElementsApart) {
  const VertexBytes bytes =
      bytesWith({field(State, Vector, UNSIGNED_INT, PointerLayout::Span)}, 10);
  EXPECT_EQ(bytes.instanceState, 8u);
  EXPECT_EQ(bytes.fieldData, 40u);
}

TEST(VertexBytes, VectorsOfVectorsKeepADescriptorEach) {
  const VertexBytes spans =
      bytesWith({field(Input, VectorList, FLOAT, PointerLayout::Span, PointerLayout::Span)}, 5);
  EXPECT_EQ(spans.instanceState, 8u);
  EXPECT_EQ(spans.vectorListDescriptor, 40u);
  const VertexBytes deltas =
      bytesWith({field(Input, VectorList, FLOAT, PointerLayout::None, PointerLayout::DeltaN)}, 5);
  EXPECT_EQ(deltas.vectorListDescriptor, 20u);
}

} // namespace
} // namespace ipumodel
