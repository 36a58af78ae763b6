#include "TestGraph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ipumodel {
namespace {

std::shared_ptr<const ProfileData> profileOf(const TestGraph& graph,
                                             std::vector<ProgramPtr> programs) {
  return Profiler(graph.data, std::move(programs)).profile(nullptr);
}

TEST(Ledger, TemporariesOfDifferentTimesShareMemory) {
  TestGraph g;
  const VarId a = g.variable("a", 100), b = g.variable("b", 100), c = g.variable("c", 100),
              d = g.variable("d", 100);
  g.data.hostAccess["d"] = {g.all(d), true, false};
  const auto profile =
      profileOf(g, {sequence({copy(g.all(a), g.all(b)), copy(g.all(b), g.all(d)),
                              copy(g.all(a), g.all(c)), copy(g.all(c), g.all(d))})});
  EXPECT_EQ(profile->tiles[0].alwaysLive[Category::Variable], 800u) << "a and d";
  EXPECT_EQ(profile->tiles[0].atPeak[Category::Variable], 400u) << "b or c, never both";
}

TEST(Ledger, LivenessStepsFollowThePrograms) {
  TestGraph g;
  const VarId a = g.variable("a", 100), b = g.variable("b", 100, 1), c = g.variable("c", 50, 2);
  g.data.hostAccess["a"] = {g.all(a), true, true};
  const auto profile =
      profileOf(g, {sequence({copy(g.all(a), g.all(b)), copy(g.part(b, 0, 50), g.all(c)),
                              copy(g.all(c), g.part(a, 0, 50))})});
  ASSERT_EQ(profile->livenessSteps.size(), 3u);
  EXPECT_EQ(profile->livenessSteps[0].bytes, 400u);
  EXPECT_EQ(profile->livenessSteps[1].bytes, 200u + 200u) << "the second half of b is dead";
  EXPECT_EQ(profile->livenessSteps[2].bytes, 200u);
  EXPECT_EQ(profile->livenessSteps[0].busiestTileBytes, 400u);
}

TEST(Ledger, VerticesTakeStateCodeAndControl) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 3), b = g.variable("b", 64, 3);
  const VertexType& type = g.type("V");
  const ComputeSetId set = g.computeSet("set");
  for (std::size_t i = 0; i < 4; ++i)
    g.vertex(set, type, 3, g.part(a, i, i + 1), g.part(b, i, i + 1), 10);
  const auto profile = profileOf(g, {execute(set)});
  const CategoryBytes& tile = profile->tiles[3].alwaysLive;
  EXPECT_EQ(tile[Category::VertexInstanceState], 4u * 16) << "two spans of eight bytes each";
  EXPECT_EQ(tile[Category::VertexCode], 400u) << "once per type";
  EXPECT_EQ(tile[Category::ControlCode], 8u);
  EXPECT_EQ(tile[Category::Stack], 1760u);
  EXPECT_EQ(tile[Category::InternalExchangeCode], 0u);
  EXPECT_EQ(profile->tiles[2].alwaysLive[Category::VertexCode], 0u);
}

TEST(Ledger, ExchangesTakeCodeAndMessageBuffers) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 0), b = g.variable("b", 64, 3);
  const ComputeSetId set = g.computeSet("set");
  g.vertex(set, g.type("V"), 3, g.all(a), g.all(b), 10);
  const auto profile = profileOf(g, {execute(set)});
  EXPECT_EQ(profile->tiles[0].alwaysLive[Category::InternalExchangeCode], 16u);
  EXPECT_EQ(profile->tiles[3].alwaysLive[Category::InternalExchangeCode], 16u);
  EXPECT_EQ(profile->tiles[3].atPeak[Category::Message], 256u);
}

TEST(Ledger, AComputeSetExecutedTwiceSharesItsExchangeCode) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 0), b = g.variable("b", 64, 3);
  const ComputeSetId set = g.computeSet("set");
  g.vertex(set, g.type("V"), 3, g.all(a), g.all(b), 10);
  const auto once = profileOf(g, {execute(set)});
  const auto twice = profileOf(g, {sequence({execute(set), execute(set)})});
  EXPECT_EQ(once->tiles[3].alwaysLive[Category::InternalExchangeCode],
            twice->tiles[3].alwaysLive[Category::InternalExchangeCode]);
  EXPECT_LT(once->tiles[3].alwaysLive[Category::ControlCode],
            twice->tiles[3].alwaysLive[Category::ControlCode]);
}

TEST(Ledger, CheckpointsKeepPacketHeaders) {
  TestGraph g;
  const VarId a = g.variable("a", 240 * 8, 0, 240); // 960 bytes a tile
  g.data.remoteBuffers.push_back({"r", poplar::FLOAT, 240 * 8, 4});
  const auto profile = profileOf(
      g, {sequence({program(node::CopyToRemote{g.all(a), RemoteBufferId{0}, std::nullopt}),
                    program(node::CopyFromRemote{RemoteBufferId{0}, g.all(a), std::nullopt})})});
  EXPECT_EQ(profile->tiles[5].alwaysLive[Category::HostExchangePacketHeader], 32u + 8u);
}

TEST(Ledger, ComputeSetsNobodyExecutesTakeNothing) {
  TestGraph g;
  const VarId a = g.variable("a", 64, 3);
  const ComputeSetId set = g.computeSet("unused");
  g.vertex(set, g.type("V"), 3, g.all(a), g.all(a), 10);
  const auto profile = profileOf(g, {sequence({})});
  EXPECT_EQ(profile->tiles[3].alwaysLive[Category::VertexInstanceState], 0u);
  EXPECT_EQ(profile->tiles[3].alwaysLive[Category::Variable], 0u);
}

TEST(MemoryCheck, NamesTileLimitAndLargestItems) {
  TestGraph g;
  const VarId big = g.variable("weights", 200'000, 2), small = g.variable("bias", 10, 2);
  const auto fits = sequence({copy(g.part(big, 0, 10), g.all(small))});
  EXPECT_FALSE(Profiler(g.data, {fits}).shortage()) << "only what is used counts";
  g.data.hostAccess["weights"] = {g.all(big), true, true};
  const auto shortage = Profiler(g.data, {fits}).shortage();
  ASSERT_TRUE(shortage);
  EXPECT_EQ(shortage->tile, 2u);
  EXPECT_EQ(shortage->tilesOver, 1u);
  EXPECT_GT(shortage->bytesNeeded, 800'000u);
  EXPECT_THAT(shortage->message(), testing::HasSubstr("tile 2"));
  EXPECT_THAT(shortage->message(), testing::HasSubstr("638976 available"));
  EXPECT_THAT(shortage->message(), testing::HasSubstr("variable weights"));
}

} // namespace
} // namespace ipumodel
