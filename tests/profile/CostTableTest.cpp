#include "profile/CostTable.hpp"

#include "TestGraph.hpp"

#include <gtest/gtest.h>

namespace ipumodel {
namespace {

const MachineParameters kMachine = MachineParameters::of(MachineVersion::Gc200);

std::vector<PartKind> kindsOf(const StepCost& cost) {
  std::vector<PartKind> kinds;
  for (const StepPart& part : cost.parts)
    kinds.push_back(part.kind);
  return kinds;
}

StepCost costOf(const TestGraph& graph, const ProgramPtr& leaf) {
  const std::vector<ProgramPtr> programs{leaf};
  const StepTable steps(programs, graph.data.functions);
  return CostTable(graph.data, steps, kMachine).step(StepId{0});
}

using enum PartKind;
using Kinds = std::vector<PartKind>;

TEST(CostTable, LocalDataNeedsNoExchange) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 3), b = g.variable("b", 64, 3);
  const ComputeSetId set = g.computeSet("set");
  g.vertex(set, g.type("V"), 3, g.all(a), g.all(b), 100);
  const StepCost cost = costOf(g, execute(set));
  EXPECT_EQ(kindsOf(cost), (Kinds{Compute}));
  EXPECT_EQ(cost.parts[0].cycles, 600 + kMachine.executeControlCycles);
}

TEST(CostTable, InputsAndOutputsElsewhereAreExchangedBeforeAndAfter) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 0), b = g.variable("b", 64, 5);
  const ComputeSetId set = g.computeSet("set");
  g.vertex(set, g.type("V"), 3, g.all(a), g.all(b), 100);
  const StepCost cost = costOf(g, execute(set));
  EXPECT_EQ(kindsOf(cost), (Kinds{Sync, Exchange, Compute, Sync, Exchange}));
  EXPECT_EQ(cost.parts[1].bytes, 256u);
  EXPECT_EQ(cost.parts[1].cycles, kMachine.exchangeFixedCycles + 64);
}

TEST(CostTable, DataThatSeveralVerticesOfATileReadIsFetchedOnce) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 0), b = g.variable("b", 64, 3);
  const VertexType& type = g.type("V");
  const ComputeSetId set = g.computeSet("set");
  for (std::size_t i = 0; i < 6; ++i)
    g.vertex(set, type, 3, g.all(a), g.part(b, i, i + 1), 10);
  EXPECT_EQ(costOf(g, execute(set)).parts[1].bytes, 256u);
}

TEST(CostTable, ScatteredLocalElementsAreGatheredFirst) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 3), b = g.variable("b", 64, 3);
  const ComputeSetId set = g.computeSet("set");
  g.vertex(set, g.type("V"), 3, g.all(a).subSample(2, 0), g.part(b, 0, 32), 10);
  const StepCost cost = costOf(g, execute(set));
  EXPECT_EQ(kindsOf(cost), (Kinds{OnTileCopy, Compute}));
  EXPECT_EQ(cost.parts[0].bytes, 128u);
}

TEST(CostTable, ACopyMovesBetweenTilesAndWithinThem) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 0, 16); // tiles 0..3
  const VarId b = g.variable("b", 64, 0, 32); // tiles 0..1
  const StepCost cost = costOf(g, copy(g.all(a), g.all(b)));
  EXPECT_EQ(kindsOf(cost), (Kinds{Sync, Exchange, OnTileCopy}));
  EXPECT_EQ(cost.parts[1].bytes + cost.parts[2].bytes, 256u);
  EXPECT_EQ(cost.parts[2].bytes, 64u) << "only tile 0 keeps its own quarter";
}

TEST(CostTable, UnknownVerticesAreCounted) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 3), b = g.variable("b", 64, 3);
  const VertexType& type = g.type("V");
  const ComputeSetId set = g.computeSet("set");
  g.vertex(set, type, 3, g.all(a), g.part(b, 0, 1), 10);
  g.vertex(set, type, 3, g.all(a), g.part(b, 1, 2));
  const std::vector<ProgramPtr> programs{execute(set)};
  const StepTable steps(programs, {});
  const CostTable table(g.data, steps, kMachine);
  EXPECT_EQ(table.computeSet(set).unknownVertices, 1u);
  EXPECT_EQ(table.computeSet(set).cycles, 60u);
}

TEST(CostTable, RegisteredEstimatorsServeVerticesWithoutOne) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 3), b = g.variable("b", 64, 3);
  const ComputeSetId set = g.computeSet("set");
  g.vertex(set, g.type("V"), 3, g.all(a), g.all(b));
  g.data.perfEstimators["V"] = [](const poplar::VertexIntrospector&, const poplar::Target&) {
    return poplar::VertexPerfEstimate(70, 128);
  };
  const std::vector<ProgramPtr> programs{execute(set)};
  const StepTable steps(programs, {});
  const CostTable table(g.data, steps, kMachine);
  EXPECT_EQ(table.computeSet(set).cycles, 420u);
  EXPECT_EQ(table.computeSet(set).flops, 128u);
  EXPECT_EQ(table.computeSet(set).unknownVertices, 0u);
}

TEST(CostTable, StreamsAndRemoteCopiesAreOffTheChip) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 0, 16);
  const StreamId in = g.stream("in", StreamDirection::HostToDevice, 64);
  g.data.remoteBuffers.push_back({"r", poplar::FLOAT, 64, 4});
  EXPECT_EQ(kindsOf(costOf(g, program(node::CopyFromStream{in, g.all(a)}))), (Kinds{StreamCopy}));
  const StepCost remote =
      costOf(g, program(node::CopyToRemote{g.all(a), RemoteBufferId{0}, std::nullopt}));
  EXPECT_EQ(kindsOf(remote), (Kinds{RemoteCopy}));
  EXPECT_EQ(remote.parts[0].bytes, 256u);
  EXPECT_TRUE(remote.parts[0].toHost);
}

TEST(CostTable, AllIpusLearnWhereControlGoes) {
  const auto decision = [](unsigned ipus) {
    TestGraph g(1472, ipus);
    const VarId flag = g.variable("flag", 1, 0);
    return costOf(
        g, program(node::RepeatWhile{nullptr, g.all(flag), true, program(node::Sequence{})}));
  };
  const StepCost one = decision(1), four = decision(4);
  EXPECT_EQ(kindsOf(one), (Kinds{Sync, Exchange}));
  EXPECT_EQ(kindsOf(four), (Kinds{Sync, Exchange}));
  EXPECT_EQ(one.parts[0].cycles, kMachine.internalSyncCycles);
  EXPECT_EQ(four.parts[0].cycles, kMachine.globalSyncCycles);
  // Four bytes for each tile of the three others at 160 GB/s: 146.8 cycles of 1.33 GHz.
  EXPECT_EQ(four.parts[1].cycles - one.parts[1].cycles, 147u);
}

} // namespace
} // namespace ipumodel
