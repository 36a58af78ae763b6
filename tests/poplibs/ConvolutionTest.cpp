#include "Harness.hpp"

#include <poplar/exceptions.hpp>
#include <poplin/ConvUtil.hpp>
#include <poplin/Convolution.hpp>
#include <poplin/MultiConvolution.hpp>
#include <poplin/codelets.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <array>
#include <set>

using namespace harness;
using poplin::ConvParams;

namespace {

using Array = std::vector<double>;

// One dimension of an image or kernel after its transform: where each element comes from, -1 for a
// zero.
std::vector<int> sources(std::size_t size, const ConvParams::InputTransform& t, unsigned dim) {
  std::vector<int> kept, result;
  for (unsigned i = t.truncationLower[dim]; i + t.truncationUpper[dim] < size; ++i) {
    if (!kept.empty())
      kept.insert(kept.end(), t.dilation[dim] - 1, -1);
    kept.push_back(static_cast<int>(i));
  }
  result.assign(t.paddingLower[dim], -1);
  result.insert(result.end(), kept.begin(), kept.end());
  result.insert(result.end(), t.paddingUpper[dim], -1);
  if (t.flip[dim])
    std::reverse(result.begin(), result.end());
  return result;
}

// Calls f(output index, input index, weight index) for each product of a convolution over two
// dimensions, from the definition.
template <class F>
void forEachProduct(const ConvParams& p, const F& f) {
  const auto inY = sources(p.inputFieldShape[0], p.inputTransform, 0);
  const auto inX = sources(p.inputFieldShape[1], p.inputTransform, 1);
  const auto kernelY = sources(p.kernelShape[0], p.kernelTransform, 0);
  const auto kernelX = sources(p.kernelShape[1], p.kernelTransform, 1);
  const auto& o = p.outputTransform;
  const auto ci = p.inputChannelsPerConvGroup, co = p.outputChannelsPerConvGroup;
  for (std::size_t b = 0; b != p.batchSize; ++b)
    for (std::size_t g = 0; g != p.numConvGroups; ++g)
      for (std::size_t c = 0; c != co; ++c)
        for (std::size_t i = 0; i != ci; ++i)
          for (std::size_t y = o.paddingLower[0]; y + o.paddingUpper[0] < p.getOutputSize(0); ++y)
            for (std::size_t x = o.paddingLower[1]; x + o.paddingUpper[1] < p.getOutputSize(1); ++x)
              for (std::size_t ky = 0; ky != kernelY.size(); ++ky)
                for (std::size_t kx = 0; kx != kernelX.size(); ++kx) {
                  const int fromY =
                      inY[(y - o.paddingLower[0]) * o.stride[0] + o.truncationLower[0] + ky];
                  const int fromX =
                      inX[(x - o.paddingLower[1]) * o.stride[1] + o.truncationLower[1] + kx];
                  if (fromY < 0 || fromX < 0 || kernelY[ky] < 0 || kernelX[kx] < 0)
                    continue;
                  f(((b * p.numConvGroups + g) * co + c) * p.getOutputSize(0) * p.getOutputSize(1) +
                        y * p.getOutputSize(1) + x,
                    (((b * p.numConvGroups + g) * ci + i) * p.inputFieldShape[0] +
                     static_cast<std::size_t>(fromY)) *
                            p.inputFieldShape[1] +
                        static_cast<std::size_t>(fromX),
                    (((g * co + c) * ci + i) * p.kernelShape[0] +
                     static_cast<std::size_t>(kernelY[ky])) *
                            p.kernelShape[1] +
                        static_cast<std::size_t>(kernelX[kx]));
                }
}

std::size_t product(const Shape& shape) {
  std::size_t n = 1;
  for (const auto size : shape)
    n *= size;
  return n;
}

std::vector<ConvParams> cases() {
  using In = ConvParams::InputTransform;
  using Out = ConvParams::OutputTransform;
  return {
      ConvParams(poplar::FLOAT, 1, {5, 6}, {1, 1}, 3, 2, 1),
      ConvParams(poplar::FLOAT, poplar::FLOAT, 2, {7, 9}, {3, 3}, 4, 5, 1,
                 In({0, 0}, {0, 0}, {1, 1}, {1, 1}, {1, 1}, {false, false}), In(2), Out(2)),
      ConvParams(poplar::FLOAT, poplar::FLOAT, 1, {8, 8}, {3, 2}, 2, 3, 2, In(2), In(2),
                 Out({1, 0}, {0, 1}, {2, 3}, {0, 1}, {1, 0})),
      ConvParams(poplar::FLOAT, poplar::FLOAT, 2, {6, 7}, {2, 3}, 2, 2, 1,
                 In({1, 0}, {0, 2}, {2, 1}, {0, 2}, {3, 0}, {false, false}),
                 In({0, 1}, {0, 0}, {2, 1}, {1, 0}, {0, 1}, {false, false}), Out(2)),
  };
}

ConvParams flipped() {
  using In = ConvParams::InputTransform;
  return ConvParams(poplar::FLOAT, poplar::FLOAT, 1, {6, 5}, {3, 2}, 2, 2, 1,
                    In({0, 1}, {0, 0}, {1, 1}, {1, 0}, {0, 0}, {true, false}),
                    In({0, 0}, {0, 0}, {1, 2}, {0, 1}, {0, 0}, {false, true}),
                    ConvParams::OutputTransform(2));
}

void expectNear(const std::vector<float>& x, const Array& expected) {
  ASSERT_EQ(x.size(), expected.size());
  for (std::size_t i = 0; i != x.size(); ++i)
    EXPECT_NEAR(x[i], expected[i], 1e-4) << "element " << i;
}

} // namespace

TEST(Convolution, FollowsItsDefinitionUnderEveryTransform) {
  auto all = cases();
  all.push_back(flipped());
  for (const auto& p : all) {
    SCOPED_TRACE(p);
    TestGraph g(24);
    poplin::addCodelets(g.graph);
    const auto in = poplin::createInput(g.graph, p, "in");
    const auto weights = poplin::createWeights(g.graph, p, "weights");
    const auto x = randomFloats(in.numElements(), 1), w = randomFloats(weights.numElements(), 2);
    g.setValues(in, x);
    g.setValues(weights, w);
    const auto out = poplin::convolution(g.graph, in, weights, p, false, g.prog, "conv");
    ASSERT_EQ(out.shape(),
              (Shape{p.batchSize, p.getNumOutputChans(), p.getOutputSize(0), p.getOutputSize(1)}));
    const auto handle = g.output(out);
    g.run();
    Array expected(out.numElements());
    forEachProduct(p, [&](std::size_t o, std::size_t i, std::size_t k) {
      expected[o] += double(x[i]) * w[k];
    });
    expectNear(g.read<float>(handle), expected);
  }
}

TEST(Convolution, CanonicalParamsAreTheSameProductsOfNoMoreInputs) {
  auto all = cases();
  all.push_back(flipped());
  ConvParams spare(poplar::FLOAT, 1, {9, 8}, {2, 3}, 1, 1, 1);
  spare.outputTransform.stride = {3, 4};
  spare.inputTransform.paddingUpper = {1, 0};
  spare.inputTransform.flip = {false, true};
  all.push_back(spare);
  for (const auto& p : all) {
    SCOPED_TRACE(p);
    const auto canonical = p.canonicalize();
    using Product = std::array<std::size_t, 3>;
    const auto products = [](const ConvParams& params) {
      std::set<Product> found;
      forEachProduct(params, [&](std::size_t o, std::size_t i, std::size_t k) {
        found.insert(Product{o, i, k});
      });
      return found;
    };
    EXPECT_EQ(canonical.getOutputFieldShape(), p.getOutputFieldShape());
    EXPECT_EQ(products(canonical), products(p));
    EXPECT_EQ(canonical.canonicalize(), canonical);
  }
  EXPECT_EQ(spare.canonicalize().getTransformedInputSize(0), 8u); // 1 + 2 strides of 3, and 1 more
  EXPECT_EQ(spare.canonicalize().getTransformedInputSize(1), 7u); // 1 + 1 stride of 4, and 2 more
}

TEST(Convolution, GradientsFollowFromTheDefinition) {
  for (const auto& p : cases()) {
    SCOPED_TRACE(p);
    TestGraph g(24);
    poplin::addCodelets(g.graph);
    const auto in = poplin::createInput(g.graph, p), weights = poplin::createWeights(g.graph, p);
    const Shape outShape{p.batchSize, p.getNumOutputChans(), p.getOutputSize(0),
                         p.getOutputSize(1)};
    const auto x = randomFloats(in.numElements(), 1), w = randomFloats(weights.numElements(), 2),
               z = randomFloats(product(outShape), 3);
    g.setValues(in, x);
    g.setValues(weights, w);
    const auto deltas = g.input(poplar::FLOAT, outShape, z);
    const auto ofIn = g.output(poplin::convolution(
        g.graph, deltas, weights, poplin::getGradientParams(p), true, g.prog, "backward"));
    const auto ofWeights =
        g.output(poplin::calculateWeightDeltas(g.graph, deltas, in, p, g.prog, "weights"));
    g.run();
    Array expectedIn(x.size()), expectedWeights(w.size());
    forEachProduct(p, [&](std::size_t o, std::size_t i, std::size_t k) {
      expectedIn[i] += double(z[o]) * w[k];
      expectedWeights[k] += double(z[o]) * x[i];
    });
    expectNear(g.read<float>(ofIn), expectedIn);
    expectNear(g.read<float>(ofWeights), expectedWeights);
  }
}

TEST(Convolution, OneAndThreeDimensionsAndHalf) {
  TestGraph g;
  poplin::addCodelets(g.graph);
  const ConvParams line(poplar::HALF, poplar::FLOAT, 1, {5}, {2}, 1, 1, 1);
  const auto in = poplin::createInput(g.graph, line),
             weights = poplin::createWeights(g.graph, line);
  g.setValues<float>(in, {1, 2, 3, 4, 5});
  g.setValues<float>(weights, {10, 1});
  const auto a = g.output(poplin::convolution(g.graph, in, weights, line, false, g.prog));

  const ConvParams cube(poplar::FLOAT, 1, {2, 2, 3}, {2, 2, 2}, 1, 1, 1);
  const auto in3 = poplin::createInput(g.graph, cube),
             weights3 = poplin::createWeights(g.graph, cube);
  g.setValues<float>(in3, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  g.setValues<float>(weights3, std::vector<float>(8, 1));
  const auto b = g.output(poplin::convolution(g.graph, in3, weights3, cube, false, g.prog));
  g.run();
  EXPECT_EQ(g.read<float>(a), (std::vector<float>{12, 23, 34, 45}));
  EXPECT_EQ(g.read<float>(b),
            (std::vector<float>{1 + 2 + 4 + 5 + 7 + 8 + 10 + 11, 2 + 3 + 5 + 6 + 8 + 9 + 11 + 12}));
}

TEST(Convolution, BiasesAreAddedAndUpdated) {
  TestGraph g;
  poplin::addCodelets(g.graph);
  const auto acts = g.input<float>(poplar::FLOAT, {1, 2, 2}, {1, 2, 3, 4});
  const auto biases = poplin::createBiases(g.graph, acts);
  g.setValues<float>(biases, {10, 20});
  const auto before = g.graph.clone(acts);
  g.prog.add(poplar::program::Copy(acts, before));
  poplin::addBias(g.graph, acts, biases, g.prog);
  poplin::convolutionBiasUpdate(g.graph, before, biases, -0.5f, {}, g.prog);
  const auto a = g.output(acts), b = g.output(biases);
  g.run();
  EXPECT_EQ(g.read<float>(a), (std::vector<float>{11, 12, 23, 24}));
  EXPECT_EQ(g.read<float>(b), (std::vector<float>{8.5f, 16.5f}));
}

TEST(Convolution, WhatDoesNotFitIsNamed) {
  TestGraph g;
  poplin::addCodelets(g.graph);
  ConvParams large(poplar::FLOAT, 1, {2, 2}, {3, 3}, 1, 1, 1);
  EXPECT_THROW(large.validate(), poputil::poplibs_error);
  EXPECT_THROW(poplin::createInput(g.graph, large), poputil::poplibs_error);
  large.inputTransform.paddingLower = {1, 1};
  large.validate();
  EXPECT_EQ(large.getOutputFieldShape(), (Shape{1, 1}));
  const ConvParams p(poplar::FLOAT, 1, {4, 4}, {3, 3}, 1, 1, 1);
  const auto in = poplin::createInput(g.graph, p), weights = poplin::createWeights(g.graph, p);
  EXPECT_THROW(poplin::convolution(g.graph, in, weights[0], p, false, g.prog),
               poputil::poplibs_error);
  EXPECT_THROW(poplin::createInput(g.graph, p, "x", {{"frobnicate", "1"}}), poplar::invalid_option);
  EXPECT_THROW(poplin::createInput(g.graph, p, "x", {{"pass", "FOO"}}), poplar::invalid_option);
}

TEST(Convolution, WeightUpdateParamsDescribeTheGradient) {
  for (const auto& p : cases()) {
    SCOPED_TRACE(p);
    const auto update = poplin::getWeightUpdateParams(p);
    EXPECT_EQ(update.getOutputFieldShape(), p.kernelShape);
    EXPECT_EQ(update.batchSize, p.inputChannelsPerConvGroup);
    EXPECT_EQ(update.inputChannelsPerConvGroup, p.batchSize);
    if (p.numConvGroups != 1)
      continue;
    TestGraph g(24);
    poplin::addCodelets(g.graph);
    const Shape outShape{p.batchSize, p.getNumOutputChans(), p.getOutputSize(0),
                         p.getOutputSize(1)};
    const Shape inShape{p.batchSize, p.getNumInputChans(), p.inputFieldShape[0],
                        p.inputFieldShape[1]};
    const auto x = randomFloats(product(inShape), 1), z = randomFloats(product(outShape), 3);
    const auto in = g.input(poplar::FLOAT, inShape, x),
               deltas = g.input(poplar::FLOAT, outShape, z);
    const auto handle = g.output(poplin::convolution(g.graph, in.dimShuffle({1, 0, 2, 3}),
                                                     deltas.dimShuffle({1, 0, 2, 3}).expand({0}),
                                                     update, false, g.prog)
                                     .dimShuffle({1, 0, 2, 3}));
    g.run();
    Array expected(p.getNumOutputChans() * p.getNumInputChans() * product(p.kernelShape));
    forEachProduct(p, [&](std::size_t o, std::size_t i, std::size_t k) {
      expected[k] += double(z[o]) * x[i];
    });
    expectNear(g.read<float>(handle), expected);
  }
  EXPECT_THROW(poplin::getWeightUpdateParams(flipped()), poputil::poplibs_error);
}

TEST(Convolution, IndicesAndRangesFollowTheDefinition) {
  auto all = cases();
  all.push_back(flipped());
  using Range = std::pair<unsigned, unsigned>;
  for (const auto& p : all)
    for (unsigned dim = 0; dim != 2; ++dim) {
      SCOPED_TRACE(p);
      const auto in = sources(p.inputFieldShape[dim], p.inputTransform, dim);
      const auto kernel = sources(p.kernelShape[dim], p.kernelTransform, dim);
      const auto& o = p.outputTransform;
      const auto outputs = static_cast<unsigned>(p.getOutputSize(dim));
      std::set<unsigned> inputsUsed, outputsWithLast;
      const auto last = static_cast<unsigned>(p.kernelShape[dim] - 1);
      for (unsigned out = 0; out != outputs; ++out)
        for (unsigned k = 0; k != p.kernelShape[dim]; ++k) {
          unsigned expected = ~0u;
          for (std::size_t at = 0; at != kernel.size(); ++at)
            if (kernel[at] == int(k) && out >= o.paddingLower[dim] &&
                out + o.paddingUpper[dim] < outputs)
              expected = static_cast<unsigned>(
                  in[(out - o.paddingLower[dim]) * o.stride[dim] + o.truncationLower[dim] + at]);
          ASSERT_EQ(poplin::getInputIndex(dim, out, k, p), expected) << out << " " << k;
          if (expected == ~0u)
            continue;
          EXPECT_EQ(poplin::getKernelIndex(dim, out, expected, p), k);
          inputsUsed.insert(expected);
          if (k == last)
            outputsWithLast.insert(out);
        }
      EXPECT_EQ(poplin::getInputRange(dim, Range(0, outputs), p),
                Range(*inputsUsed.begin(), *inputsUsed.rbegin() + 1));
      const auto withLast = poplin::getOutputRangeForKernelIndex(dim, {0, outputs}, last, p);
      EXPECT_EQ(withLast, outputsWithLast.empty()
                              ? Range(0, 0)
                              : Range(*outputsWithLast.begin(), *outputsWithLast.rbegin() + 1));
    }
  EXPECT_EQ(poplin::getDilatedSize(3, 4), 9u);
  EXPECT_EQ(poplin::getDilatedSize(0, 4), 0u);
}

TEST(MultiConvolution, IsEachOfItsConvolutions) {
  const auto p = cases();
  TestGraph g(24);
  poplin::addCodelets(g.graph);
  poplin::PlanningCache cache;
  const std::vector<poplin::multiconv::CreateTensorArgs> args{{p[0], {}, "a"}, {p[1], {}, "b"}};
  const poplar::OptionFlags options{{"planType", "parallel"}};
  const auto inputs = poplin::multiconv::createInput(g.graph, args, options, &cache);
  const auto weights = poplin::multiconv::createWeights(g.graph, args, options, &cache);
  std::vector<poplin::multiconv::ConvolutionArgs> convs;
  std::vector<std::string> alone;
  for (unsigned i = 0; i != 2; ++i) {
    g.setValues(inputs[i], randomFloats(inputs[i].numElements(), i));
    g.setValues(weights[i], randomFloats(weights[i].numElements(), i + 2));
    convs.push_back({inputs[i], weights[i], p[i], {}});
    alone.push_back(
        g.output(poplin::convolution(g.graph, inputs[i], weights[i], p[i], false, g.prog)));
  }
  const auto outputs =
      poplin::multiconv::convolution(g.graph, convs, false, g.prog, "both", options, &cache);
  const auto first = g.output(outputs[0]), second = g.output(outputs[1]);
  poplin::multiconv::convolutionWeightUpdate(
      g.graph,
      std::vector<poplin::multiconv::ConvWeightUpdateArgsScalar>{
          {outputs[0], weights[0], inputs[0], 0.0f, p[0], {}}},
      g.prog);
  g.run();
  EXPECT_EQ(g.read<float>(first), g.read<float>(alone[0]));
  EXPECT_EQ(g.read<float>(second), g.read<float>(alone[1]));
  EXPECT_THROW(poplin::multiconv::createInput(g.graph, args, {{"frobnicate", "1"}}),
               poplar::invalid_option);
  EXPECT_THROW(poplin::multiconv::createInput(g.graph, args, 2), poputil::poplibs_error);
  convs[1].options = {{"insertTransformsCycleCountProgs", "true"}};
  EXPECT_THROW(poplin::multiconv::convolution(g.graph, convs, false, g.prog),
               poputil::poplibs_error);
}

TEST(Convolution, WeightsSplitSeriallyLieAlike) {
  TestGraph g(16);
  const poplin::ConvParams params(poplar::HALF, 4, {8, 8}, {3, 3}, 16, 16, 1);
  const char* constraint = R"({"0": {"partition": {"outChanSplit": {"serial": 4}}}})";
  const auto weights =
      poplin::createWeights(g.graph, params, "weights", {{"planConstraints", constraint}});
  const auto first = g.graph.getTileMapping(weights.slice(0, 4, 1));
  for (std::size_t channel = 4; channel != 16; channel += 4)
    EXPECT_EQ(g.graph.getTileMapping(weights.slice(channel, channel + 4, 1)), first) << channel;
  EXPECT_NE(g.graph.getTileMapping(poplin::createWeights(g.graph, params)),
            g.graph.getTileMapping(weights));
}
