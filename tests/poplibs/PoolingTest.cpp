#include "Harness.hpp"

#include <popnn/Pooling.hpp>
#include <popnn/codelets.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <limits>

using namespace harness;
using popnn::PoolingType;
using popnn::pooling::PoolParams;

namespace {

struct Case {
  Shape field, kernel;
  std::vector<unsigned> stride;
  std::vector<int> lower, upper;
};

std::vector<Case> cases() {
  return {{{5, 6}, {2, 2}, {2, 2}, {0, 0}, {0, 0}},
          {{7, 5}, {3, 2}, {2, 1}, {1, 0}, {1, 1}},
          {{6, 4}, {2, 3}, {1, 2}, {-1, 1}, {-1, 0}},
          {{9}, {3}, {2}, {1}, {1}},
          {{3, 4, 5}, {2, 2, 3}, {1, 2, 2}, {0, 1, 1}, {1, 0, 1}},
          {{3, 2, 4, 3}, {2, 2, 3, 1}, {1, 1, 2, 2}, {1, 0, 1, 0}, {0, 0, 1, 0}},
          {{2, 3, 1, 2, 3}, {2, 2, 1, 2, 2}, {1, 1, 1, 1, 2}, {0, 1, 0, 0, 1}, {1, 0, 0, 1, 0}}};
}

PoolParams paramsOf(const Case& c, PoolingType type, const poplar::Type& dType) {
  return {type, c.field, c.kernel, c.stride, c.lower, c.upper, 3, 2, dType};
}

std::size_t sizeOf(const Shape& shape) {
  std::size_t n = 1;
  for (const auto extent : shape)
    n *= extent;
  return n;
}

Shape coordinates(const Shape& shape, std::size_t index) {
  Shape at(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d])
    at[d] = index % shape[d];
  return at;
}

// Input elements of each window of one plane, from the definition.
std::vector<std::vector<std::size_t>> windows(const Case& c, const Shape& out) {
  std::vector<std::vector<std::size_t>> result(sizeOf(out));
  for (std::size_t o = 0; o != result.size(); ++o)
    for (std::size_t i = 0; i != sizeOf(c.field); ++i) {
      const auto to = coordinates(out, o), from = coordinates(c.field, i);
      bool inside = true;
      for (std::size_t d = 0; d != from.size(); ++d) {
        const auto offset =
            static_cast<int>(from[d]) + c.lower[d] - static_cast<int>(to[d] * c.stride[d]);
        inside = inside && offset >= 0 && offset < static_cast<int>(c.kernel[d]);
      }
      if (inside)
        result[o].push_back(i);
    }
  return result;
}

Shape fullShape(const Shape& field) {
  Shape shape = {2, 3};
  shape.insert(shape.end(), field.begin(), field.end());
  return shape;
}

constexpr std::size_t kPlanes = 6;

} // namespace

TEST(Pooling, FollowsItsDefinitionForwards) {
  for (const auto& c : cases())
    for (const auto type : {PoolingType::MAX, PoolingType::AVG, PoolingType::SUM})
      for (const unsigned tiles : {1u, 4u, 40u}) {
        TestGraph g(tiles);
        const auto p = paramsOf(c, type, poplar::FLOAT);
        const auto out = p.getOutputFieldShape();
        const auto x = randomFloats(kPlanes * sizeOf(c.field), 3);
        const auto in = g.input(poplar::FLOAT, fullShape(c.field), x);
        const auto handle = g.output(popnn::pooling::pool(g.graph, p, in, g.prog));
        g.run();
        const auto got = g.read<float>(handle);
        const auto sets = windows(c, out);
        ASSERT_EQ(got.size(), kPlanes * sets.size());
        for (std::size_t i = 0; i != got.size(); ++i) {
          const auto* plane = &x[i / sets.size() * sizeOf(c.field)];
          const auto& set = sets[i % sets.size()];
          double expected = type == PoolingType::MAX ? -std::numeric_limits<float>::max() : 0;
          for (const auto j : set)
            expected = type == PoolingType::MAX ? std::max<double>(expected, plane[j])
                                                : expected + plane[j];
          if (type == PoolingType::AVG)
            expected /= static_cast<double>(set.size());
          EXPECT_NEAR(got[i], expected, 1e-5) << popnn::pooling::asString(type) << " " << i;
        }
      }
}

TEST(Pooling, PropagatesGradients) {
  for (const auto& c : cases())
    for (const auto type : {PoolingType::MAX, PoolingType::AVG, PoolingType::SUM})
      for (const bool scaled : {false, true}) {
        TestGraph g(7);
        const auto p = paramsOf(c, type, poplar::FLOAT);
        const auto out = p.getOutputFieldShape();
        const auto fieldSize = sizeOf(c.field);
        // Few values, so that a window has several maxima.
        const auto levels = randomInts(kPlanes * fieldSize, 5, 0, 2);
        const std::vector<float> x(levels.begin(), levels.end());
        const auto grad = randomFloats(kPlanes * sizeOf(out), 7);
        const auto in = g.input(poplar::FLOAT, fullShape(c.field), x);
        const auto pooled = popnn::pooling::pool(g.graph, p, in, g.prog);
        const auto gradIn = g.input(poplar::FLOAT, fullShape(out), grad);
        const auto handle = g.output(popnn::pooling::poolInputGradient(
            g.graph, p, in, pooled, gradIn, scaled, g.prog, "grad"));
        g.run();
        const auto got = g.read<float>(handle);
        std::vector<double> expected(x.size(), 0);
        const auto sets = windows(c, out);
        for (std::size_t o = 0; o != grad.size(); ++o) {
          const auto base = o / sets.size() * fieldSize;
          const auto& set = sets[o % sets.size()];
          float highest = -1;
          double count = 0;
          for (const auto j : set)
            highest = std::max(highest, x[base + j]);
          for (const auto j : set)
            count += x[base + j] == highest;
          for (const auto j : set)
            if (type == PoolingType::MAX)
              expected[base + j] += x[base + j] != highest ? 0 : scaled ? grad[o] / count : grad[o];
            else
              expected[base + j] +=
                  type == PoolingType::AVG ? grad[o] / static_cast<double>(set.size()) : grad[o];
        }
        for (std::size_t i = 0; i != got.size(); ++i)
          EXPECT_NEAR(got[i], expected[i], 1e-5) << popnn::pooling::asString(type) << " " << i;
      }
}

TEST(Pooling, RoundsHalvesOnce) {
  TestGraph g(3);
  const Case c = {{4, 4}, {4, 4}, {1, 1}, {0, 0}, {0, 0}};
  const auto p = paramsOf(c, PoolingType::AVG, poplar::HALF);
  const auto x = randomFloats(kPlanes * 16, 1);
  const auto in = g.input(poplar::HALF, fullShape(c.field), x);
  const auto handle = g.output(popnn::pooling::pool(g.graph, p, in, g.prog));
  g.run();
  const auto got = g.read<float>(handle);
  for (std::size_t plane = 0; plane != kPlanes; ++plane) {
    float sum = 0;
    for (std::size_t i = 0; i != 16; ++i)
      sum += toHalf(g.graph.getTarget(), x[plane * 16 + i]);
    EXPECT_EQ(got[plane], toHalf(g.graph.getTarget(), sum / 16)) << plane;
  }
}

TEST(Pooling, RefusesWindowsThatDoNotFit) {
  const PoolParams p(PoolingType::MAX, {3, 3}, {4, 2}, {1, 1}, {0, 0}, {0, 0}, 3, 2, poplar::FLOAT);
  EXPECT_THROW(p.getOutputFieldShape(), poputil::poplibs_error);
  TestGraph g;
  const Shape ones(9, 1);
  const std::vector<int> none(9, 0);
  const PoolParams deep(PoolingType::MAX, ones, ones, std::vector<unsigned>(9, 1), none, none, 1, 1,
                        poplar::FLOAT);
  const auto in = g.input(poplar::FLOAT, Shape(11, 1), std::vector<float>(1));
  EXPECT_THROW(popnn::pooling::pool(g.graph, deep, in, g.prog), poputil::poplibs_error);
}
