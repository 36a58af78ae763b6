#include "Harness.hpp"

#include <gcl/CollectiveBalancedReorder.hpp>
#include <gcl/Collectives.hpp>
#include <gcl/TileAllocation.hpp>
#include <poplar/exceptions.hpp>
#include <popops/Cast.hpp>
#include <popops/Collectives.hpp>
#include <popops/ElementWise.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <sstream>

using namespace harness;

namespace {

// Data that differs between replicas: replica r has base[i] + 100 r.
poplar::Tensor perReplica(TestGraph& g, const Shape& shape, const std::vector<float>& base) {
  const auto t = g.input(poplar::FLOAT, shape, base);
  const auto index = g.graph.addReplicationIndexConstant();
  g.graph.setTileMapping(index, 0);
  const auto offset = popops::cast(g.graph, index, poplar::FLOAT, g.prog);
  popops::mulInPlace(g.graph, offset, 100.0f, g.prog);
  popops::addInPlace(g.graph, t, offset, g.prog);
  return t;
}

std::vector<float> ramp(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i != n; ++i)
    values[i] = float(i);
  return values;
}

} // namespace

TEST(Collectives, AllReduceAddsOverReplicas) {
  const unsigned R = 4;
  const std::size_t n = 10; // not a multiple of the replicas
  TestGraph g(6, R);
  const auto t = perReplica(g, {n}, ramp(n));
  const auto sum =
      g.output(gcl::allReduceCrossReplica(g.graph, t, gcl::CollectiveOperator::ADD, g.prog));
  const auto mean =
      g.output(gcl::allReduceCrossReplica(g.graph, t, gcl::CollectiveOperator::MEAN, g.prog));
  g.run();
  const auto s = g.read<float>(sum), m = g.read<float>(mean);
  ASSERT_EQ(s.size(), R * n);
  for (std::size_t r = 0; r != R; ++r)
    for (std::size_t i = 0; i != n; ++i) {
      EXPECT_EQ(s[r * n + i], 4 * float(i) + 600);
      EXPECT_EQ(m[r * n + i], float(i) + 150);
    }
}

TEST(Collectives, GatherScatterAndAllToAllInGroups) {
  const unsigned R = 4;
  for (const auto& group : {gcl::CommGroup(), gcl::CommGroup(gcl::CommGroupType::CONSECUTIVE, 2),
                            gcl::CommGroup(gcl::CommGroupType::ORTHOGONAL, 2)}) {
    TestGraph g(6, R);
    const bool all = group.type() == gcl::CommGroupType::ALL;
    const unsigned size = all ? R : 2;
    const unsigned stride = group.type() == gcl::CommGroupType::ORTHOGONAL ? 2 : 1;
    const std::size_t n = 3 * size;
    const auto t = perReplica(g, {size, 3}, ramp(n));
    const auto gathered = g.output(gcl::allGatherCrossReplica(g.graph, t, g.prog, group));
    const auto scattered = g.output(
        gcl::reduceScatterCrossReplica(g.graph, t, gcl::CollectiveOperator::MAX, g.prog, group));
    const auto swapped = g.output(gcl::allToAllCrossReplica(g.graph, t, g.prog, group));
    g.run();
    const auto a = g.read<float>(gathered), b = g.read<float>(scattered),
               c = g.read<float>(swapped);
    for (unsigned r = 0; r != R; ++r) {
      const unsigned rank = r / stride % size, first = r - rank * stride;
      const unsigned last = first + (size - 1) * stride;
      for (unsigned j = 0; j != size; ++j)
        for (std::size_t i = 0; i != n; ++i)
          EXPECT_EQ(a[(r * size + j) * n + i], float(i) + 100 * float(first + j * stride));
      for (std::size_t i = 0; i != 3; ++i) {
        EXPECT_EQ(b[r * 3 + i], float(rank * 3 + i) + 100 * float(last));
        for (unsigned j = 0; j != size; ++j)
          EXPECT_EQ(c[r * n + j * 3 + i], float(rank * 3 + i) + 100 * float(first + j * stride));
      }
    }
  }
}

TEST(Collectives, TakeSeveralTensorsAndWriteWhereTold) {
  const unsigned R = 2;
  const auto add = gcl::CollectiveOperator::ADD;
  const gcl::CommGroup all;
  TestGraph g(6, R);
  const std::vector<poplar::Tensor> datas{perReplica(g, {4}, ramp(4)), perReplica(g, {2}, ramp(2))};
  const auto sums = gcl::allReduceCrossReplica(g.graph, datas, add, g.prog, all);
  const auto parts = gcl::reduceScatterCrossReplica(g.graph, datas, add, g.prog, all);
  const std::vector<poplar::Tensor> gathered{g.input(poplar::FLOAT, {8}, ramp(8)),
                                             g.input(poplar::FLOAT, {2, 2}, ramp(4))};
  gcl::allGatherToDestinationCrossReplica(g.graph, datas, gathered, g.prog, all);
  const auto part = g.input(poplar::FLOAT, {2}, ramp(2));
  gcl::reduceScatterToDestinationCrossReplica(g.graph, datas[0], part, add, g.prog, all);
  EXPECT_THROW(gcl::allGatherToDestinationCrossReplica(g.graph, datas[0], part, g.prog, all),
               poputil::poplibs_error);
  EXPECT_THROW(gcl::allReduceToDestinationCrossReplica(g.graph, datas, {part}, add, g.prog, all),
               poputil::poplibs_error);
  gcl::allReduceInPlaceCrossReplica(g.graph, datas, add, g.prog, all);
  const auto sum = g.output(sums[1]), inPlace = g.output(datas[1]), first = g.output(parts[1]),
             row = g.output(gathered[1]), toGiven = g.output(part);
  g.run();
  EXPECT_EQ(g.read<float>(sum), (std::vector<float>{100, 102, 100, 102}));
  EXPECT_EQ(g.read<float>(inPlace), g.read<float>(sum));
  EXPECT_EQ(g.read<float>(first), (std::vector<float>{100, 102}));
  EXPECT_EQ(g.read<float>(row), (std::vector<float>{0, 1, 100, 101, 0, 1, 100, 101}));
  EXPECT_EQ(g.read<float>(toGiven), (std::vector<float>{100, 102, 104, 106}));
}

TEST(Collectives, BroadcastGivesEveryoneTheRootsData) {
  TestGraph g(6, 3);
  const auto t = perReplica(g, {2}, ramp(2));
  const auto out = g.output(gcl::broadcastCrossReplica(g.graph, t, g.prog, gcl::CommGroup(), 1));
  g.run();
  EXPECT_EQ(g.read<float>(out), (std::vector<float>{100, 101, 100, 101, 100, 101}));
}

TEST(TileAllocation, TilesOfEachIpu) {
  TestGraph g(40);
  EXPECT_EQ(gcl::getMinIoTiles(g.graph), 32u);
  EXPECT_EQ(gcl::perIPUTiles(g.graph, 2, 3), (std::vector<unsigned>{2, 3, 4}));
}

TEST(Collectives, WithinAReplicaEachRowGetsTheReductionWhereItLies) {
  TestGraph g(4);
  const auto rows = g.input<float>(poplar::FLOAT, {2, 3}, {1, 2, 3, 10, 0, 30});
  g.graph.setTileMapping(rows[0], 1);
  g.graph.setTileMapping(rows[1], 3);
  const auto most =
      gcl::allReduceWithinReplica(g.graph, rows, gcl::CollectiveOperator::MAX, g.prog, "most");
  const auto mean =
      gcl::allReduceWithinReplica(g.graph, rows, gcl::CollectiveOperator::MEAN, g.prog, "mean");
  EXPECT_EQ(g.graph.getTileMapping(most), g.graph.getTileMapping(rows));
  const auto mostHandle = g.output(most), meanHandle = g.output(mean);
  g.run();
  EXPECT_EQ(g.read<float>(mostHandle), (std::vector<float>{10, 2, 30, 10, 2, 30}));
  EXPECT_EQ(g.read<float>(meanHandle), (std::vector<float>{5.5f, 1, 16.5f, 5.5f, 1, 16.5f}));
}

TEST(Collectives, ChunksOfRowsAreGatheredOnEachIpu) {
  const auto device = makeDevice(4, 2);
  poplar::Graph graph(device.getTarget());
  const auto rows = graph.addVariable(poplar::FLOAT, {2, 3});
  graph.setTileMapping(rows[0], 1);
  graph.setTileMapping(rows[1], 6);
  graph.setInitialValue(rows, poplar::ArrayRef<float>({1, 2, 3, 10, 0, 30}));
  poplar::program::Sequence prog;
  const auto chunks =
      gcl::reduceScatterWithinReplica(graph, rows, gcl::CollectiveOperator::ADD, prog);
  ASSERT_EQ(chunks.chunks.size(), 2u);
  EXPECT_EQ(chunks.chunks[0].tensor.numElements(), 2u);
  EXPECT_EQ(graph.getTileMapping(chunks.chunks[1].tensor)[6].size(), 1u);
  const auto gathered = gcl::allGatherWithinReplica(graph, chunks, prog);
  for (unsigned row = 0; row != 2; ++row) {
    const auto mapping = graph.getTileMapping(gathered[row]);
    for (unsigned tile = 0; tile != mapping.size(); ++tile)
      EXPECT_TRUE(mapping[tile].empty() || tile / 4 == row) << tile;
  }
  const auto older = popops::allGather(
      graph, popops::reduceScatter(graph, rows, popops::Operation::ADD, prog), prog);
  const auto most = popops::allReduce(graph, rows, popops::CollectiveOperator::MAX, prog);
  graph.createHostRead("gathered", gathered);
  graph.createHostRead("older", older);
  graph.createHostRead("most", most);
  poplar::Engine engine(graph, prog);
  engine.load(device);
  engine.run(0);
  std::vector<float> values(6);
  for (const char* handle : {"gathered", "older"}) {
    engine.readTensor(handle, values.data(), values.data() + 6);
    EXPECT_EQ(values, (std::vector<float>{11, 2, 33, 11, 2, 33}));
  }
  engine.readTensor("most", values.data(), values.data() + 6);
  EXPECT_EQ(values, (std::vector<float>{10, 2, 30, 10, 2, 30}));
}

TEST(Collectives, KeepTheirOlderNames) {
  const unsigned R = 2;
  TestGraph g(6, R);
  const auto t = perReplica(g, {2, 2}, ramp(4)); // 0 1 2 3 and 100 101 102 103
  const poplar::OptionFlags options{{"useReplicatedImplementation", "true"}};
  const auto into = g.input(poplar::FLOAT, {2, 2}, std::vector<float>(4, 0));
  const auto place = perReplica(g, {1}, {1});
  popops::replicatedAllReduceWithOutput(g.graph, t, into, popops::Operation::ADD, g.prog, "sum",
                                        options);
  popops::replicatedAllReduceInPlace(g.graph, place, popops::CollectiveOperator::MAX, g.prog);
  const auto sum = g.output(
      popops::replicatedAllReduce(g.graph, g.graph, t, popops::Operation::ADD, g.prog, "sum"));
  const auto written = g.output(into), inPlace = g.output(place);
  const auto scattered = g.output(popops::replicatedReduceScatter(
      g.graph, t.flatten(), popops::CollectiveOperator::MIN, g.prog));
  const auto gathered = g.output(popops::replicatedAllGather(g.graph, t[0], g.prog));
  const auto swapped = g.output(popops::allToAllPersonalizedExchange(g.graph, t, g.prog));
  EXPECT_THROW(popops::replicatedAllGather(g.graph, t, g.prog, {}, {{"noSuchOption", "1"}}),
               poplar::invalid_option);
  EXPECT_THROW(popops::allReduce(g.graph, t, popops::Operation::LOG_ADD, g.prog),
               poputil::poplibs_error);
  g.run();
  EXPECT_EQ(g.read<float>(sum), (std::vector<float>{100, 102, 104, 106, 100, 102, 104, 106}));
  EXPECT_EQ(g.read<float>(written), g.read<float>(sum));
  EXPECT_EQ(g.read<float>(inPlace), (std::vector<float>{101, 101}));
  EXPECT_EQ(g.read<float>(scattered), (std::vector<float>{0, 1, 2, 3}));
  EXPECT_EQ(g.read<float>(gathered), (std::vector<float>{0, 1, 100, 101, 0, 1, 100, 101}));
  EXPECT_EQ(g.read<float>(swapped), (std::vector<float>{0, 1, 100, 101, 2, 3, 102, 103}));
}

TEST(Collectives, OperatorsAreReadAndWritten) {
  std::stringstream text;
  text << popops::CollectiveOperator::SQUARE_ADD;
  EXPECT_EQ(text.str(), "SQUARE_ADD");
  popops::CollectiveOperator back{};
  text >> back;
  EXPECT_EQ(back, popops::CollectiveOperator::SQUARE_ADD);
  std::stringstream wrong("NONE");
  EXPECT_THROW(wrong >> back, poputil::poplibs_error);
}

TEST(Collectives, TakeOperatorsOfEitherLibraryUnderTheirFirstNames) {
  TestGraph g(6, 2);
  const auto t = perReplica(g, {2, 1}, ramp(2)); // 0 1 and 100 101
  const auto place = perReplica(g, {1}, {1});
  const gcl::CommGroup all;
  const auto into = g.input(poplar::FLOAT, {2, 1}, std::vector<float>(2, 0));
  const auto sum = g.output(gcl::allReduce(g.graph, t, popops::Operation::ADD, g.prog, "sum"));
  const auto same = g.output(
      gcl::allReduceCrossReplica(g.graph, t, popops::CollectiveOperator::ADD, g.prog, all, "sum"));
  gcl::allReduceToDestination(g.graph, t, into, gcl::CollectiveOperator::ADD, g.prog, all);
  gcl::allReduceInPlace(g.graph, place, popops::CollectiveOperator::MAX, g.prog);
  const auto written = g.output(into), inPlace = g.output(place);
  const auto scattered =
      g.output(gcl::reduceScatter(g.graph, t.flatten(), popops::Operation::MIN, g.prog, "least"));
  const auto gathered = g.output(gcl::allGather(g.graph, t[1], g.prog, all));
  const auto swapped = g.output(gcl::allToAll(g.graph, t, g.prog));
  g.run();
  EXPECT_EQ(g.read<float>(sum), (std::vector<float>{100, 102, 100, 102}));
  EXPECT_EQ(g.read<float>(same), g.read<float>(sum));
  EXPECT_EQ(g.read<float>(written), g.read<float>(sum));
  EXPECT_EQ(g.read<float>(inPlace), (std::vector<float>{101, 101}));
  EXPECT_EQ(g.read<float>(scattered), (std::vector<float>{0, 1}));
  EXPECT_EQ(g.read<float>(gathered), (std::vector<float>{1, 101, 1, 101}));
  EXPECT_EQ(g.read<float>(swapped), (std::vector<float>{0, 100, 1, 101}));
}

TEST(Collectives, FewerElementsThanIpusLeaveAChunkEmpty) {
  const auto device = makeDevice(2, 2);
  poplar::Graph graph(device.getTarget());
  popops::addCodelets(graph);
  const auto rows = graph.addVariable(poplar::FLOAT, {2, 1});
  graph.setTileMapping(rows[0], 0);
  graph.setTileMapping(rows[1], 2);
  graph.setInitialValue(rows, poplar::ArrayRef<float>({3, 4}));
  poplar::program::Sequence prog;
  const auto chunks = popops::reduceScatter(graph, rows, popops::CollectiveOperator::ADD, prog);
  EXPECT_EQ(chunks.chunks[1].tensor.numElements(), 0u);
  const auto gathered = popops::allGather(graph, chunks, prog);
  EXPECT_EQ(graph.getTileMapping(gathered[1])[2].size(), 1u);
  graph.createHostRead("gathered", gathered);
  poplar::Engine engine(graph, prog);
  engine.load(device);
  engine.run(0);
  std::vector<float> values(2);
  engine.readTensor("gathered", values.data(), values.data() + 2);
  EXPECT_EQ(values, (std::vector<float>{7, 7}));
}

TEST(CollectiveBalancedReorder, ScatteredAndGatheredIsTheSameTensor) {
  const unsigned R = 3;
  const std::size_t n = 20;
  TestGraph g(6, R);
  const auto t = g.graph.addVariable(poplar::FLOAT, {4, 5}, "t");
  for (std::size_t i = 0; i != n; ++i) // in pieces, and not the same number on each tile
    g.graph.setTileMapping(t.flatten().slice(i, i + 1), static_cast<unsigned>(i * i % 6));
  g.setValues(t, ramp(n));
  gcl::CollectiveBalancedReorder reorder(g.graph, t, R, {"reorder"});
  EXPECT_EQ(reorder.getReferenceShape(), (Shape{4, 5}));
  const auto ordered = reorder.rearrangeForCollective(t);
  ASSERT_EQ(ordered.numElements(), reorder.getNumRearrangedTensorElems());
  EXPECT_TRUE(ordered.isParallelWriteable());
  const auto share =
      gcl::reduceScatterCrossReplica(g.graph, ordered, gcl::CollectiveOperator::ADD, g.prog);
  const auto slice = reorder.createReplicaSlice(poplar::FLOAT);
  ASSERT_EQ(share.shape(), slice.shape());
  g.prog.add(poplar::program::Copy(share, slice));
  const auto whole = gcl::allGatherCrossReplica(g.graph, slice, g.prog);
  const auto handle = g.output(reorder.undoRearrangeForCollective(whole));
  const auto gathered = g.output(whole);
  g.run();
  const auto x = g.read<float>(handle);
  for (std::size_t i = 0; i != x.size(); ++i)
    EXPECT_EQ(x[i], 3 * float(i % n));

  // The host finds the same elements.
  const auto& host = reorder.getHostRearrangement();
  const auto all = g.read<float>(gathered);
  std::vector<float> back(n), again(host.getNumRearrangedTensorElems());
  host.undoRearrangeForCollective(reinterpret_cast<const char*>(all.data()),
                                  reinterpret_cast<char*>(back.data()), sizeof(float));
  EXPECT_EQ(back, std::vector<float>(x.begin(), x.begin() + n));
  host.rearrangeForCollective(reinterpret_cast<const char*>(back.data()),
                              reinterpret_cast<char*>(again.data()), sizeof(float));
  EXPECT_EQ(again, std::vector<float>(all.begin(), all.begin() + long(again.size())));
}

TEST(CollectiveBalancedReorder, SharesLieOnTheTilesOfTheTensor) {
  TestGraph g(6);
  const auto t = g.graph.addVariable(poplar::HALF, {11}, "t");
  g.graph.setTileMapping(t.slice(0, 4), 5);
  g.graph.setTileMapping(t.slice(4, 11), 2);
  gcl::CollectiveBalancedReorder reorder(g.graph, t, 2, {"reorder"});
  const auto mapping = g.graph.getTileMapping(reorder.createReplicaSlice(poplar::FLOAT));
  EXPECT_EQ(mapping[2], (std::vector<poplar::Interval>{{0, 4}}));
  EXPECT_EQ(mapping[5], (std::vector<poplar::Interval>{{4, 6}}));
  EXPECT_EQ(reorder.createCollectivesTensor(poplar::HALF, "all").numElements(), 12u);
  EXPECT_EQ(reorder.getReferenceTensorClone(poplar::FLOAT).shape(), t.shape());
  EXPECT_THROW(reorder.undoRearrangeForCollective(t), poputil::poplibs_error);
}

TEST(Collectives, OptionsAreCheckedByNameAndValue) {
  TestGraph g(4, 2);
  const auto t = perReplica(g, {4}, ramp(4));
  const auto with = [&](const poplar::OptionFlags& options) {
    gcl::allReduceCrossReplica(g.graph, t, gcl::CollectiveOperator::ADD, g.prog, {}, options);
    gcl::allGatherWithinReplica(g.graph,
                                gcl::reduceScatterWithinReplica(g.graph, t.expand({0}),
                                                                gcl::CollectiveOperator::ADD,
                                                                g.prog, {}, options),
                                g.prog, {}, options);
  };
  EXPECT_NO_THROW(with({{"method", "quad_directional_ring"},
                        {"useSynclessCollectives", "hybrid"},
                        {"maxBytesPerTile", "35000"},
                        {"syncful.useOptimisedLayout", "false"},
                        {"syncful.useForwardingToSupportStridedGroups", "auto"}}));
  for (const auto& wrong :
       {poplar::OptionFlags{{"methods", "auto"}}, poplar::OptionFlags{{"method", "zigzag"}},
        poplar::OptionFlags{{"maxBytesPerTile", "many"}},
        poplar::OptionFlags{{"syncful.maxBroadcastSize", "2k"}}}) {
    EXPECT_THROW(with(wrong), poplar::invalid_option);
    EXPECT_THROW(gcl::broadcastCrossReplica(g.graph, t, g.prog, {}, 0, {}, wrong),
                 poplar::invalid_option);
  }
}
