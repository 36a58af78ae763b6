#include "SparseFixture.hpp"

#include <poputil/exceptions.hpp>
#include <pva/pva.hpp>

#include <gtest/gtest.h>

#include <popsparse/Embedding.hpp>
#include <popsparse/FullyConnected.hpp>
#include <popsparse/MatMul.hpp>
#include <popsparse/MatMulParams.hpp>
#include <popsparse/SparsePartitioner.hpp>
#include <popsparse/codelets.hpp>

using namespace harness;
using namespace popsparse::dynamic;

namespace {

struct LayerCase {
  std::size_t batch, inputs, outputs, numBlocks;
  std::array<std::size_t, 2> block;
  unsigned tiles;
};

FullyConnectedParams paramsOf(const LayerCase& c) {
  const auto type = c.block[0] * c.block[1] == 1 ? SparsityType::Element : SparsityType::Block;
  return FullyConnectedParams::createWithNumNonZeroValues(
      SparsityParams(type, SparsityStructure::Unstructured, c.block),
      c.numBlocks * c.block[0] * c.block[1], c.batch, 1, c.inputs, c.outputs);
}

// A layer with its three passes; the weights come from the host before each run.
class Layer {
public:
  explicit Layer(const LayerCase& c, const poplar::Type& type = poplar::FLOAT)
      : case_(c),
        params_(paramsOf(c)),
        x_(randomFloats(c.batch * c.inputs, 3)),
        dy_(randomFloats(c.batch * c.outputs, 4)),
        g_(c.tiles),
        partitioner_(params_, type, g_.graph.getTarget(), {}) {
    popsparse::addCodelets(g_.graph);
    const auto weights = createFullyConnectedWeights(g_.graph, type, params_, "weights");
    const auto x = createFullyConnectedInput(g_.graph, type, params_, "x");
    const auto dy = g_.input(type, {c.batch, c.outputs}, dy_);
    EXPECT_EQ(x.shape(), (Shape{c.batch, c.inputs}));
    EXPECT_EQ(weights.getMetaInfoTensor().elementType(), poplar::UNSIGNED_SHORT);
    g_.setValues(x, x_);
    g_.graph.createHostWrite("meta", weights.getMetaInfoTensor());
    g_.graph.createHostWrite("values", weights.getNzValuesTensor());
    y = g_.output(fullyConnectedFwd(g_.graph, weights, x, params_, g_.prog, "fwd"));
    dx = g_.output(fullyConnectedGradA(g_.graph, weights, dy, params_, g_.prog, "gradA"));
    dw = g_.output(fullyConnectedSparseGradW(g_.graph, weights.getMetaInfoTensor(), dy, x, params_,
                                             g_.prog, "gradW"));
  }

  void run(const Matrix& weights) {
    const auto data = partitioner_.createSparsityDataImpl(weights);
    const auto meta = narrowed(data.metaInfo);
    if (!g_.engine) {
      g_.engine = std::make_unique<poplar::Engine>(g_.graph, g_.prog);
      g_.engine->load(g_.device);
    }
    g_.engine->writeTensor("meta", meta.data(), meta.data() + meta.size());
    g_.engine->writeTensor("values", data.nzValues.data(),
                           data.nzValues.data() + data.nzValues.size());
    g_.engine->run(0);
    gradient_ = {data.metaInfo, g_.read<float>(dw)};
  }

  void expectRight(const Matrix& weights) {
    const auto w = dense(weights);
    const auto output = product(x_, transposed(w, case_.outputs), case_.inputs);
    EXPECT_LT(largestDifference(g_.read<float>(y), output), 1e-4);
    EXPECT_LT(largestDifference(g_.read<float>(dx), product(dy_, w, case_.outputs)), 1e-4);
    // The gradients lie as the values do, and only where there are values.
    auto gradient = partitioner_.sparsityDataImplToCOOMatrix(gradient_);
    const auto all = product(transposed(dy_, case_.batch), x_, case_.batch);
    auto mask = weights;
    std::fill(mask.nzValues.begin(), mask.nzValues.end(), 1.f);
    auto expected = dense(mask);
    for (std::size_t i = 0; i != expected.size(); ++i)
      expected[i] *= all[i];
    EXPECT_LT(largestDifference(dense(gradient), expected), 1e-4);
  }

  std::string y, dx, dw;

private:
  LayerCase case_;
  FullyConnectedParams params_;
  std::vector<float> x_, dy_;
  TestGraph g_;
  Partitioner<float> partitioner_;
  SparsityDataImpl<float> gradient_;
};

} // namespace

TEST(SparseLayer, AgreesWithADenseOneInAllPasses) {
  for (const auto& c : {LayerCase{5, 7, 9, 20, {1, 1}, 8}, LayerCase{1, 64, 48, 300, {1, 1}, 16},
                        LayerCase{33, 40, 24, 200, {1, 1}, 1}, LayerCase{6, 32, 48, 30, {4, 4}, 16},
                        LayerCase{4, 32, 64, 11, {16, 8}, 5}, LayerCase{3, 8, 8, 64, {1, 1}, 12}}) {
    Layer layer(c);
    const auto weights = randomSparse(c.outputs, c.inputs, c.numBlocks, c.block, 1);
    layer.run(weights);
    layer.expectRight(weights);
  }
}

TEST(SparseLayer, TheZerosMayChangeFromRunToRun) {
  const LayerCase c{4, 24, 36, 90, {1, 1}, 16};
  Layer layer(c);
  for (unsigned seed = 1; seed != 4; ++seed) {
    const auto weights = randomSparse(c.outputs, c.inputs, c.numBlocks - seed, c.block, seed);
    layer.run(weights);
    layer.expectRight(weights);
  }
}

TEST(SparseLayer, ValuesThatCrowdTogetherFindRoomElsewhere) {
  const LayerCase c{4, 40, 40, 80, {1, 1}, 16};
  Layer layer(c);
  Matrix rows(40, 40, randomFloats(80, 1), {}, {});
  for (std::size_t i = 0; i != 80; ++i) { // all in two rows
    rows.rowIndices.push_back(17 + i / 40);
    rows.columnIndices.push_back(i % 40);
  }
  layer.run(rows);
  layer.expectRight(rows);
  auto columns = rows;
  std::swap(columns.rowIndices, columns.columnIndices);
  layer.run(columns);
  layer.expectRight(columns);
}

TEST(SparseLayer, MoreValuesThanWasSaidDoNotFit) {
  const LayerCase c{4, 40, 40, 80, {1, 1}, 16};
  Layer layer(c);
  EXPECT_THROW(layer.run(randomSparse(40, 40, 400, c.block, 1)), poputil::poplibs_error);
  auto outside = randomSparse(40, 40, 10, c.block, 1);
  outside.rowIndices[3] = 40;
  EXPECT_THROW(layer.run(outside), poputil::poplibs_error);
  auto twice = randomSparse(40, 40, 10, c.block, 1);
  twice.rowIndices[3] = twice.rowIndices[5];
  twice.columnIndices[3] = twice.columnIndices[5];
  EXPECT_THROW(layer.run(twice), poputil::poplibs_error);
}

TEST(SparsePartitioner, GivesTheMatrixBackInEveryForm) {
  const LayerCase c{4, 24, 36, 20, {4, 2}, 16};
  TestGraph g(c.tiles);
  const Partitioner<float> partitioner(paramsOf(c), poplar::FLOAT, g.graph.getTarget(), {});
  const auto matrix = randomSparse(c.outputs, c.inputs, c.numBlocks, c.block, 1);
  const auto data = partitioner.createSparsityDataImpl(matrix);
  const auto csr = partitioner.sparsityDataImplToCSRMatrix(data);
  const auto csc = partitioner.sparsityDataImplToCSCMatrix(data);
  EXPECT_EQ(csr.rowIndices.size(), 36u / 4 + 1);
  EXPECT_EQ(csc.columnIndices.size(), 24u / 2 + 1);
  EXPECT_EQ(csr.rowIndices.back(), matrix.nzValues.size());
  for (const auto& again :
       {partitioner.createSparsityDataImpl(csr), partitioner.createSparsityDataImpl(csc)}) {
    const auto coo = partitioner.sparsityDataImplToCOOMatrix(again);
    EXPECT_EQ(dense(coo), dense(matrix));
    EXPECT_TRUE(std::is_sorted(coo.rowIndices.begin(), coo.rowIndices.end()));
  }
}

TEST(SparsePartitioner, MetaInformationFitsTheTensors) {
  const LayerCase c{4, 24, 36, 20, {1, 1}, 16};
  TestGraph g(c.tiles);
  const poplar::OptionFlags options{{"metaInfoBucketOversizeProportion", "0.7"}};
  const auto params = paramsOf(c);
  const auto weights = createFullyConnectedWeights(g.graph, poplar::HALF, params, "w", options);
  const Partitioner<double> partitioner(params, poplar::HALF, g.graph.getTarget(), options);
  const auto partitions = partitioner.getPlanPartitions();
  const auto data = partitioner.createSparsityDataImpl(popsparse::COOMatrix<double>());
  EXPECT_EQ(data.metaInfo.size(), weights.getMetaInfoTensor().numElements());
  EXPECT_EQ(data.nzValues.size(), weights.getNzValuesTensor().numElements());
  EXPECT_EQ(data.metaInfo.size(),
            partitions[0].size() * partitions[1].size() * partitioner.getmetaInfoBucketElements());
  EXPECT_THROW(createFullyConnectedWeights(g.graph, poplar::HALF, params, "w", {{"fast", "yes"}}),
               poplar::invalid_option);
}

TEST(SparsePartitioner, OfSeveralIpusFitsTensorsOfOne) {
  const auto target = makeDevice(16, 2).getTarget();
  poplar::Graph graph(target);
  auto second = graph.createVirtualGraph(16, 32);
  const auto params = MatMulParams::createWithNzRatio(
      SparsityParams(SparsityType::Element, SparsityStructure::Unstructured), 0.1, 1, 64, 64, 64);
  const auto weights = createSparseDenseMatMulLHS(second, poplar::HALF, params, "weights");
  const Partitioner<float> partitioner(params, poplar::HALF, target, {});
  const auto data = partitioner.createSparsityDataImpl(randomSparse(64, 64, 300, {1, 1}, 1));
  EXPECT_EQ(data.metaInfo.size(), weights.getMetaInfoTensor().numElements());
  EXPECT_EQ(data.nzValues.size(), weights.getNzValuesTensor().numElements());
}

TEST(SparseMatMul, EitherOperandMayBeTransposed) {
  const std::size_t m = 20, k = 30, n = 7;
  const auto sparse = randomSparse(m, k, 100, {1, 1}, 1);
  const auto params = MatMulParams::createWithNumNonZeroValues(SparsityParams(), 100, 1, m, k, n);
  TestGraph g(12);
  popsparse::addCodelets(g.graph);
  const Partitioner<float> partitioner(params, poplar::HALF, g.graph.getTarget(), {});
  const auto data = partitioner.createSparsityDataImpl(sparse);
  const auto lhs = createSparseDenseMatMulLHS(g.graph, poplar::HALF, params, "lhs");
  g.setValues(lhs.getMetaInfoTensor(), data.metaInfo);
  g.setValues(lhs.getNzValuesTensor(), data.nzValues);
  const auto right = randomFloats(k * n, 2), left = randomFloats(m * n, 3);
  const auto rhs = createSparseDenseMatMulRHS(g.graph, poplar::HALF, params, "rhs");
  ASSERT_EQ(rhs.shape(), (Shape{1, k, n}));
  g.setValues(rhs, right);
  const auto y = g.output(sparseDenseMatMul(g.graph, lhs, rhs, g.prog));
  const auto other = g.input(poplar::HALF, {1, n, m}, transposed(left, m));
  const auto z = g.output(sparseDenseMatMul(g.graph, lhs, other, g.prog, true, true));
  g.run();
  EXPECT_LT(largestDifference(g.read<float>(y), product(dense(sparse), right, k)), 0.05);
  EXPECT_LT(largestDifference(g.read<float>(z), product(transposed(dense(sparse), m), left, m)),
            0.05);
  EXPECT_THROW(sparseDenseMatMul(g.graph, lhs, rhs[0], g.prog), poputil::poplibs_error);
  EXPECT_THROW(sparseDenseMatMul(g.graph, SparseTensor(), rhs, g.prog), poputil::poplibs_error);
}

TEST(SparseMatMul, ZerosThatAreKnownMayBeOnEitherSide) {
  using namespace popsparse::static_;
  const std::size_t m = 24, k = 32, n = 9;
  const auto coo = randomSparse(m, k, 40, {4, 4}, 1);
  TestGraph g(12);
  popsparse::addCodelets(g.graph);
  const auto& target = g.graph.getTarget();
  // The first partitioner brings the coordinates in order of rows, as compressed ones have to be.
  const auto order = [&](const popsparse::static_::MatMulParams& p, const Matrix& matrix) {
    const popsparse::static_::Partitioner<float> partitioner(p, poplar::FLOAT, target, {});
    return partitioner.sparsityDataImplToCSRMatrix(partitioner.createSparsityDataImpl(matrix));
  };
  const auto fill = [&](const popsparse::static_::MatMulParams& p, const Matrix& matrix,
                        const popsparse::static_::SparseTensor& t) {
    const popsparse::static_::Partitioner<float> partitioner(p, poplar::FLOAT, target, {});
    const auto data = partitioner.createSparsityDataImpl(matrix);
    EXPECT_EQ(data.nzValues.size(), matrix.nzValues.size());
    g.setValues(t.getNzValuesTensor(), data.nzValues);
  };
  const auto params = popsparse::static_::MatMulParams::createForSparseDense(1, m, k, n);
  const auto csr = order(params, coo);
  const auto lhs = createSparseDenseMatMulLHS(g.graph, poplar::FLOAT, params, csr, "lhs");
  fill(params, coo, lhs);
  const auto right = randomFloats(k * n, 2), left = randomFloats(n * k, 3);
  const auto rhs = createSparseDenseMatMulRHS(g.graph, poplar::FLOAT, params, csr, "rhs");
  g.setValues(rhs, right);
  const auto y = g.output(popsparse::static_::sparseDenseMatMul(g.graph, lhs, rhs, g.prog));

  auto swapped = randomSparse(k, m, 40, {4, 4}, 5);
  const auto other = popsparse::static_::MatMulParams::createForDenseSparse(1, n, k, m);
  const auto csrRight = order(other, swapped);
  const auto sparse = createDenseSparseMatMulRHS(g.graph, poplar::FLOAT, other, csrRight, "s");
  fill(other, swapped, sparse);
  const auto x = createDenseSparseMatMulLHS(g.graph, poplar::FLOAT, other, csrRight, "x");
  ASSERT_EQ(x.shape(), (Shape{1, n, k}));
  g.setValues(x, left);
  const auto z = g.output(denseSparseMatMul(g.graph, x, sparse, g.prog));
  g.run();
  EXPECT_LT(largestDifference(g.read<float>(y), product(dense(coo), right, k)), 1e-4);
  EXPECT_LT(largestDifference(g.read<float>(z), product(left, dense(swapped), k)), 1e-4);
}

TEST(SparseEmbedding, SlicesAndUpdatesRows) {
  const LayerCase c{8, 24, 36, 120, {1, 1}, 16};
  const auto params = paramsOf(c);
  const auto table = randomSparse(c.outputs, c.inputs, c.numBlocks, c.block, 1);
  TestGraph g(c.tiles);
  popsparse::addCodelets(g.graph);
  const Partitioner<float> partitioner(params, poplar::FLOAT, g.graph.getTarget(), {});
  const auto data = partitioner.createSparsityDataImpl(table);
  const auto t = createFullyConnectedWeights(g.graph, poplar::FLOAT, params, "table");
  g.setValues(t.getMetaInfoTensor(), data.metaInfo);
  g.setValues(t.getNzValuesTensor(), data.nzValues);
  const std::vector<unsigned> rows{35, 0, 7, 7};
  const auto indices = createIndicesTensor(g.graph, params, rows.size());
  g.setValues(indices, rows);
  const auto updates = randomFloats(rows.size() * c.inputs, 2);
  const auto slices = createSliceTensor(g.graph, poplar::FLOAT, params, rows.size(), "slices");
  g.setValues(slices, updates);
  const auto y = g.output(embeddingSlice(g.graph, t, indices, g.prog, params));
  const auto scale = g.input<float>(poplar::FLOAT, {}, {-0.5f});
  embeddingUpdateAdd(g.graph, t, slices, indices, scale, g.prog, params);
  const auto values = g.output(t.getNzValuesTensor());
  g.run();
  auto expected = dense(table);
  auto mask = table;
  std::fill(mask.nzValues.begin(), mask.nzValues.end(), 1.f);
  const auto there = dense(mask);
  const auto read = g.read<float>(y);
  for (std::size_t i = 0; i != rows.size(); ++i)
    for (std::size_t j = 0; j != c.inputs; ++j)
      EXPECT_EQ(read[i * c.inputs + j], expected[rows[i] * c.inputs + j]);
  for (std::size_t i = 0; i != rows.size(); ++i)
    for (std::size_t j = 0; j != c.inputs; ++j)
      expected[rows[i] * c.inputs + j] -=
          0.5f * updates[i * c.inputs + j] * there[rows[i] * c.inputs + j];
  const auto after =
      partitioner.sparsityDataImplToCOOMatrix({data.metaInfo, g.read<float>(values)});
  EXPECT_LT(largestDifference(dense(after), expected), 1e-5);
}

TEST(SparseMatMul, FewerValuesTakeFewerCycles) {
  const auto cyclesOf = [](std::size_t numValues) {
    const std::size_t size = 256;
    const auto params =
        MatMulParams::createWithNumNonZeroValues(SparsityParams(), numValues, 1, size, size, size);
    TestGraph g(64);
    popsparse::addCodelets(g.graph);
    const Partitioner<float> partitioner(params, poplar::FLOAT, g.graph.getTarget(), {});
    const auto data =
        partitioner.createSparsityDataImpl(randomSparse(size, size, numValues, {1, 1}, 1));
    const auto lhs = createSparseDenseMatMulLHS(g.graph, poplar::FLOAT, params);
    g.setValues(lhs.getMetaInfoTensor(), data.metaInfo);
    g.setValues(lhs.getNzValuesTensor(), data.nzValues);
    const auto rhs = createSparseDenseMatMulRHS(g.graph, poplar::FLOAT, params);
    g.setValues(rhs, randomFloats(size * size, 2));
    sparseDenseMatMul(g.graph, lhs, rhs, g.prog);
    g.run();
    std::uint64_t cycles = 0;
    for (const auto& step : g.engine->getReport().execution().steps())
      cycles += step.ipus()[0].cycles();
    return cycles;
  };
  EXPECT_LT(cyclesOf(3000) * 2, cyclesOf(30000));
}
