// The dense product with a layer's weights against sums in double precision, on whatever unit of
// the host's multiplies.
#include "maths/Control.hpp"
#include "maths/Panel.hpp"
#include "train/Codelets.hpp"

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace spillway::testing {
namespace {

struct Shape {
  unsigned layerSize, neuronsPerTile; // of the layer that sends
  unsigned fanIn;                     // neurons of the tile that receives
  unsigned samples, blockSteps, steps;

  unsigned numTiles() const { return (layerSize + neuronsPerTile - 1) / neuronsPerTile; }
  unsigned held(unsigned tile) const {
    return std::min(neuronsPerTile, layerSize - tile * neuronsPerTile);
  }
  unsigned numRows() const { return samples * blockSteps; }
};

struct Factors {
  std::vector<std::vector<float>> weights, scaled; // per tile: [fanIn][held] and [row][held]
};

// Magnitudes over many powers of two, as adjoints have.
Factors randomFactors(const Shape& shape, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal;
  const auto some = [&](std::size_t count) {
    std::vector<float> values(count);
    std::generate(values.begin(), values.end(),
                  [&] { return normal(engine) * std::exp2(6.0f * normal(engine)); });
    return values;
  };
  Factors factors;
  for (unsigned tile = 0; tile < shape.numTiles(); ++tile) {
    factors.weights.push_back(some(std::size_t{shape.fanIn} * shape.held(tile)));
    factors.scaled.push_back(some(std::size_t{shape.numRows()} * shape.held(tile)));
  }
  return factors;
}

// [row][fanIn]; rows of steps that are not run keep their value, -1.
std::vector<float> productOnDevice(const Shape& shape, const Factors& factors) {
  const poplar::Device device = poplar::Device::createCPUDevice();
  poplar::Graph graph(device.getTarget());
  graph.addCodelets(codeletsPath("spillway_codelets_cpu"));
  std::vector<float> results(std::size_t{shape.numRows()} * shape.fanIn, -1.0f);
  std::vector<unsigned> words(kControlWords, 0);
  words[kNumSteps] = shape.steps;
  const auto constant = [&](const auto& values, const poplar::Type& type) {
    const poplar::Tensor tensor = graph.addConstant(type, {values.size()}, values.data());
    graph.setTileMapping(tensor, 0);
    return tensor;
  };
  const auto variable = [&](std::size_t size) {
    const poplar::Tensor tensor = graph.addVariable(poplar::FLOAT, {size});
    graph.setTileMapping(tensor, 0);
    return tensor;
  };
  std::vector<poplar::Tensor> weights, scaled;
  for (unsigned tile = 0; tile < shape.numTiles(); ++tile) {
    weights.push_back(constant(factors.weights[tile], poplar::FLOAT));
    scaled.push_back(constant(factors.scaled[tile], poplar::FLOAT));
  }
  const poplar::Tensor partials = variable(results.size());
  const poplar::ComputeSet computeSet = graph.addComputeSet("product");
  const poplar::VertexRef vertex =
      graph.addVertex(computeSet, "LayerProduct",
                      {{"control", constant(words, poplar::UNSIGNED_INT)},
                       {"partials", partials},
                       {"panels", variable(std::size_t{shape.neuronsPerTile} * kMostPanelWidth)}});
  graph.connect(vertex["weights"], weights);
  graph.connect(vertex["scaled"], scaled);
  graph.setInitialValue(vertex["layerSize"], shape.layerSize);
  graph.setInitialValue(vertex["neuronsPerTile"], shape.neuronsPerTile);
  graph.setInitialValue(vertex["samples"], shape.samples);
  graph.setInitialValue(vertex["blockSteps"], shape.blockSteps);
  graph.setInitialValue(vertex["fanIn"], shape.fanIn);
  graph.setTileMapping(vertex, 0);
  graph.createHostWrite("partials", partials);
  graph.createHostRead("partials", partials);
  poplar::Engine engine(graph, poplar::program::Execute(computeSet));
  engine.load(device);
  engine.writeTensor("partials", results.data(), results.data() + results.size());
  engine.run(0);
  engine.readTensor("partials", results.data(), results.data() + results.size());
  return results;
}

void expectEqualsDoubles(const Shape& shape) {
  const Factors factors = randomFactors(shape, 7);
  const std::vector<float> results = productOnDevice(shape, factors);
  for (unsigned row = 0; row < shape.numRows(); ++row) {
    for (unsigned i = 0; i < shape.fanIn; ++i) {
      double sum = 0.0, magnitude = 0.0;
      for (unsigned tile = 0; tile < shape.numTiles(); ++tile) {
        const std::size_t held = shape.held(tile);
        for (std::size_t n = 0; n < held; ++n) {
          const double product =
              double{factors.scaled[tile][row * held + n]} * factors.weights[tile][i * held + n];
          sum += product;
          magnitude += std::abs(product);
        }
      }
      const float result = results[std::size_t{row} * shape.fanIn + i];
      if (row % shape.blockSteps < shape.steps) {
        // Were all roundings to go the same way, a long sum of floats could be ten times as far
        // off.
        ASSERT_NEAR(result, sum, (4 + 0.1 * shape.layerSize) * 6e-8 * magnitude) << row << ' ' << i;
      } else {
        ASSERT_EQ(result, -1.0f) << row << ' ' << i;
      }
    }
  }
}

TEST(LayerProduct, IsAsExactAsProductsOfFloats) {
  expectEqualsDoubles({.layerSize = 256,
                       .neuronsPerTile = 128,
                       .fanIn = 128,
                       .samples = 8,
                       .blockSteps = 16,
                       .steps = 16});
}

TEST(LayerProduct, TakesSizesThatFillNoRegister) {
  expectEqualsDoubles({.layerSize = 203,
                       .neuronsPerTile = 135,
                       .fanIn = 141,
                       .samples = 5,
                       .blockSteps = 7,
                       .steps = 7});
  expectEqualsDoubles({.layerSize = 10,
                       .neuronsPerTile = 10,
                       .fanIn = 33,
                       .samples = 1,
                       .blockSteps = 3,
                       .steps = 3});
}

TEST(LayerProduct, LeavesRowsOfStepsThatDoNotRunAlone) {
  expectEqualsDoubles({.layerSize = 96,
                       .neuronsPerTile = 64,
                       .fanIn = 64,
                       .samples = 9,
                       .blockSteps = 10,
                       .steps = 4});
}

// A schedule decides how many steps run together.
TEST(LayerProduct, OfAStepHasTheSameBitsHoweverManyRunWithIt) {
  const Shape whole{.layerSize = 203,
                    .neuronsPerTile = 128,
                    .fanIn = 77,
                    .samples = 5,
                    .blockSteps = 16,
                    .steps = 16};
  Shape part = whole;
  part.steps = 3;
  const Factors factors = randomFactors(whole, 9);
  const std::vector<float> all = productOnDevice(whole, factors);
  const std::vector<float> some = productOnDevice(part, factors);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k / whole.fanIn % whole.blockSteps < part.steps) {
      ASSERT_EQ(all[k], some[k]) << k;
    }
  }
}

} // namespace
} // namespace spillway::testing
