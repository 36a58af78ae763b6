#include "Harness.hpp"

#include <popops/Reduce.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

using namespace harness;
using popops::Operation;

namespace {

// Reduces dimensions of a 3-D tensor, given as bits of `mask`.
std::vector<double> reference(const std::vector<float>& in, const Shape& shape, unsigned mask,
                              Operation op) {
  Shape out;
  for (unsigned d = 0; d != 3; ++d)
    out.push_back(mask >> d & 1 ? 1 : shape[d]);
  std::vector<double> result(out[0] * out[1] * out[2]);
  std::vector<bool> started(result.size());
  for (std::size_t i = 0; i != in.size(); ++i) {
    const auto a = i / (shape[1] * shape[2]), b = i / shape[2] % shape[1], c = i % shape[2];
    const auto j = ((a % out[0]) * out[1] + b % out[1]) * out[2] + c % out[2];
    const double x = op == Operation::SQUARE_ADD ? double(in[i]) * in[i] : double(in[i]);
    if (!started[j])
      result[j] = x;
    else if (op == Operation::ADD || op == Operation::SQUARE_ADD)
      result[j] += x;
    else if (op == Operation::MUL)
      result[j] *= x;
    else if (op == Operation::MAX)
      result[j] = std::max(result[j], x);
    else
      result[j] = std::min(result[j], x);
    started[j] = true;
  }
  return result;
}

std::vector<std::size_t> dimsOf(unsigned mask) {
  std::vector<std::size_t> dims;
  for (unsigned d = 0; d != 3; ++d)
    if (mask >> d & 1)
      dims.push_back(d);
  return dims;
}

} // namespace

TEST(Reduce, EverySetOfDimensionsAndEveryOperation) {
  const Shape shape{6, 5, 8};
  const auto data = randomFloats(240, 5, 0.5f, 1.5f);
  TestGraph g;
  const auto t = g.input(poplar::FLOAT, shape, data);
  struct Case {
    unsigned mask;
    Operation op;
    std::string out;
  };
  std::vector<Case> cases;
  for (unsigned mask = 1; mask != 8; ++mask)
    for (auto op :
         {Operation::ADD, Operation::MUL, Operation::MAX, Operation::MIN, Operation::SQUARE_ADD})
      cases.push_back({mask, op, g.output(popops::reduce(g.graph, t, dimsOf(mask), op, g.prog))});
  g.run();
  for (const auto& c : cases) {
    const auto expected = reference(data, shape, c.mask, c.op);
    const auto result = g.read<float>(c.out);
    ASSERT_EQ(result.size(), expected.size());
    for (std::size_t i = 0; i != result.size(); ++i)
      EXPECT_NEAR(result[i], expected[i], 1e-4 * std::max(1.0, std::abs(expected[i])))
          << "mask " << c.mask << " operation " << c.op;
  }
}

TEST(Reduce, ManyTilesAndLongRows) {
  const std::size_t n = 5000;
  TestGraph g(64);
  const auto data = randomFloats(n, 5);
  const auto t = g.input(poplar::FLOAT, {n}, data);
  const auto spread = g.output(popops::reduce(g.graph, t, {0}, Operation::ADD, g.prog));
  const auto onOne = g.graph.addVariable(poplar::FLOAT, {n});
  g.graph.setTileMapping(onOne, 3);
  g.setValues(onOne, data);
  const auto single = g.output(popops::reduce(g.graph, onOne, {0}, Operation::ADD, g.prog));
  g.run();
  const double expected = std::accumulate(data.begin(), data.end(), 0.0);
  EXPECT_NEAR(g.read<float>(spread)[0], expected, 1e-2);
  EXPECT_NEAR(g.read<float>(single)[0], expected, 1e-2);
}

TEST(Reduce, HalfIsSummedInFloat) {
  const std::size_t n = 4096;
  TestGraph g;
  const auto t = g.input(poplar::HALF, {n}, std::vector<float>(n, 0.1f));
  const auto half = g.output(popops::reduce(g.graph, t, {0}, Operation::ADD, g.prog));
  const auto wide =
      g.output(popops::reduce(g.graph, t, poplar::FLOAT, {0}, Operation::ADD, g.prog));
  g.run();
  const auto& target = g.graph.getTarget();
  const float expected = static_cast<float>(n) * toHalf(target, 0.1f);
  EXPECT_EQ(g.read<float>(half)[0], toHalf(target, expected));
  EXPECT_NEAR(g.read<float>(wide)[0], expected, 1e-2);
}

TEST(Reduce, IntegersAndBooleans) {
  TestGraph g;
  const auto ints = randomInts(60, 3);
  const auto t = g.input(poplar::INT, {6, 10}, ints);
  const auto sums = g.output(popops::reduce(g.graph, t, {1}, Operation::ADD, g.prog));
  std::vector<unsigned char> flags(30, 1);
  flags[17] = 0;
  const auto b = g.graph.addVariable(poplar::BOOL, {3, 10});
  poputil::mapTensorLinearly(g.graph, b, 2, 1);
  g.graph.setInitialValue(b, poplar::ArrayRef<unsigned char>(flags));
  const auto all = g.output(popops::reduce(g.graph, b, {1}, Operation::LOGICAL_AND, g.prog));
  const auto any = g.output(popops::reduce(g.graph, b, {0}, Operation::LOGICAL_OR, g.prog));
  g.run();
  const auto s = g.read<int>(sums);
  for (std::size_t i = 0; i != 6; ++i)
    EXPECT_EQ(s[i],
              std::accumulate(ints.begin() + long(i) * 10, ints.begin() + long(i + 1) * 10, 0));
  EXPECT_EQ(g.read<bool>(all), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(g.read<bool>(any), std::vector<bool>(10, true));
}

TEST(Reduce, ScaleAndUpdate) {
  TestGraph g;
  const auto data = randomFloats(40, 9), before = randomFloats(8, 10);
  const auto t = g.input(poplar::FLOAT, {5, 8}, data);
  const auto out = g.input(poplar::FLOAT, {8}, before);
  const auto scale = g.input(poplar::FLOAT, {}, std::vector<float>{0.25f});
  popops::reduceWithOutput(g.graph, t, out, {0}, {Operation::ADD, true, scale}, g.prog);
  const auto handle = g.output(out);
  g.run();
  const auto result = g.read<float>(handle);
  for (std::size_t j = 0; j != 8; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i != 5; ++i)
      sum += data[i * 8 + j];
    EXPECT_NEAR(result[j], before[j] + 0.25 * sum, 1e-5);
  }
}

TEST(Reduce, ManyReductionsShareComputeSets) {
  TestGraph g;
  const auto a = randomFloats(24, 1), b = randomFloats(30, 2);
  const auto ta = g.input(poplar::FLOAT, {4, 6}, a), tb = g.input(poplar::FLOAT, {5, 6}, b);
  std::vector<poplar::Tensor> outs;
  popops::reduceMany(g.graph, {{ta, {0}, Operation::ADD}, {tb, {0, 1}, Operation::MAX}}, outs,
                     g.prog);
  ASSERT_EQ(outs.size(), 2u);
  const auto first = g.output(outs[0]), second = g.output(outs[1]);
  g.run();
  const auto f = g.read<float>(first);
  for (std::size_t j = 0; j != 6; ++j)
    EXPECT_NEAR(f[j], a[j] + a[6 + j] + a[12 + j] + a[18 + j], 1e-5);
  EXPECT_EQ(g.read<float>(second)[0], *std::max_element(b.begin(), b.end()));
}

TEST(Reduce, HalvesOfAWordLieOnOneTile) {
  TestGraph g(4);
  const auto in = g.graph.addVariable(poplar::HALF, {4, 100}, "in");
  for (unsigned i = 0; i != 4; ++i)
    g.graph.setTileMapping(in[i], i);
  const auto tilesOf = [&](const poplar::Tensor& t) {
    std::size_t tiles = 0;
    for (const auto& regions : g.graph.getTileMapping(t))
      tiles += regions.empty() ? 0 : 1;
    return tiles;
  };
  EXPECT_EQ(tilesOf(popops::reduce(g.graph, in, poplar::HALF, {1}, Operation::ADD, g.prog)), 2u);
  EXPECT_EQ(tilesOf(popops::reduce(g.graph, in, poplar::FLOAT, {1}, Operation::ADD, g.prog)), 4u);
}

TEST(Reduce, OverDimensionsOfSizeOneIsACopy) {
  TestGraph g;
  const auto in = g.input<float>(poplar::FLOAT, {2, 1, 2}, {1, 2, 3, 4});
  poplar::program::Sequence prog;
  const auto out = popops::reduce(g.graph, in, {1}, Operation::ADD, prog);
  const auto asHalf = popops::reduce(g.graph, in, poplar::HALF, {1}, Operation::MAX, prog);
  std::vector<poplar::Tensor> many;
  popops::reduceMany(g.graph, {{in, {1}, {Operation::MIN}}}, many, prog);
  std::stringstream text;
  poplar::program::Sequence plain;
  popops::reduce(g.graph, in, {1}, Operation::ADD, plain);
  poplar::program::dumpProgram(g.graph, plain, text);
  EXPECT_EQ(text.str().find("Execute"), std::string::npos) << text.str();
  EXPECT_EQ(out.shape(), (Shape{2, 2}));
  EXPECT_EQ(asHalf.elementType(), poplar::HALF);
  g.prog.add(prog);
  const auto squares = popops::reduce(g.graph, in, {1}, Operation::SQUARE_ADD, g.prog);
  const auto a = g.output(out), b = g.output(many[0]), c = g.output(squares);
  g.run();
  EXPECT_EQ(g.read<float>(a), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(g.read<float>(b), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(g.read<float>(c), (std::vector<float>{1, 4, 9, 16}));
}
