#include "TestGraph.hpp"

#include <gtest/gtest.h>

namespace ipumodel {
namespace {

// A vertex whose cost is what it holds.
void costIsContent(const void* first, std::size_t stride, std::size_t count,
                   std::uint64_t* cycles) {
  for (std::size_t i = 0; i < count; ++i)
    cycles[i] =
        *reinterpret_cast<const std::uint64_t*>(static_cast<const char*>(first) + i * stride);
}

struct Fixture {
  TestGraph g;
  VarId a = g.variable("a", 8, 0, 1), b = g.variable("b", 8, 0, 1);
  VertexType& asked = g.type("Asked");
  VertexType& plain = g.type("Plain", VertexKind::Supervisor);
  ComputeSetId set = g.computeSet("set");
  std::vector<VertexId> ids;
  std::vector<std::uint64_t> state = {10, 20, 30, 0};

  Fixture() {
    asked.cost = costIsContent;
    for (std::uint32_t tile = 0; tile < 4; ++tile)
      ids.push_back(
          g.vertex(set, asked, tile, g.part(a, tile, tile + 1), g.part(b, tile, tile + 1)));
    g.vertex(set, plain, 3, g.part(a, 3, 4), g.part(b, 4, 5), 1000);
  }

  void bind(Account& account) {
    const std::vector<VertexId> plainIds{VertexId{4}};
    const std::vector<VertexBatch> batches{{&asked, state.data(), sizeof(std::uint64_t), ids},
                                           {&plain, nullptr, 0, plainIds}};
    account.bind(set, batches);
  }
};

TEST(Account, AsksVerticesAfterEachExecution) {
  Fixture f;
  const std::vector<ProgramPtr> programs{execute(f.set)};
  Profiler profiler(f.g.data, programs);
  const auto account = profiler.makeAccount();
  f.bind(*account);
  account->beginRun(0, "run");
  account->executed(StepId{0});
  f.state = {10, 20, 300, 0};
  account->executed(StepId{0});
  account->endRun();
  const MeasuredComputeSet* measured = account->measured(f.set);
  ASSERT_NE(measured, nullptr);
  EXPECT_EQ(measured->executions, 2u);
  EXPECT_EQ(measured->cycles, 1000u + 1800u) << "the supervisor vertex first, then tile 2";
  EXPECT_EQ(measured->maxCycles, 1800u);
  EXPECT_EQ(measured->cyclesByTile, (std::vector<std::uint64_t>{120, 240, 1980, 2000}));
  EXPECT_EQ(account->runs().at(0).numSteps, 2u);
}

TEST(Account, TakesAnswersThatWereWrittenWhereItSays) {
  Fixture f;
  const std::vector<ProgramPtr> programs{sequence({execute(f.set), program(node::Sync{false})})};
  Profiler profiler(f.g.data, programs);
  const auto account = profiler.makeAccount();
  f.bind(*account);
  const auto& steps = std::get<node::Sequence>(programs[0]->op).steps;
  const StepId executed = profiler.steps().of(*steps[0]);
  EXPECT_TRUE(account->answersOf(profiler.steps().of(*steps[1])).empty());
  const auto answers = account->answersOf(executed);
  ASSERT_EQ(answers.size(), 2u) << "a place for each batch";
  EXPECT_EQ(answers[1], nullptr) << "its vertices are not asked";
  const std::vector<std::uint64_t> said{1, 2, 3, 400};
  std::copy(said.begin(), said.end(), answers[0]);
  account->beginRun(0, "run");
  account->executed(executed, Account::Answers::Written);
  account->endRun();
  EXPECT_EQ(account->measured(f.set)->cyclesByTile,
            (std::vector<std::uint64_t>{6, 12, 18, 1000 + 2400}));
}

TEST(Account, TheProfileTakesWhatVerticesSaidOverEstimates) {
  Fixture f;
  const std::vector<ProgramPtr> programs{program(node::Repeat{2, execute(f.set)})};
  Profiler profiler(f.g.data, programs);
  const auto account = profiler.makeAccount();
  f.bind(*account);
  account->beginRun(0, "run");
  const StepId step = profiler.steps().of(*std::get<node::Repeat>(programs[0]->op).body);
  account->executed(step);
  account->executed(step);
  account->endRun();
  const auto profile = profiler.profile(account.get());
  const std::uint64_t control = 18;
  EXPECT_EQ(profile->execution.cycles.compute, 2 * (1000 + control));
  EXPECT_EQ(profile->computeSets[0].askedVertices, 4u);
  EXPECT_EQ(profile->computeSets[0].unknownVertices, 0u);
}

TEST(Account, TheTraceIsBoundedAndTheSumsAreNot) {
  Fixture f;
  const std::vector<ProgramPtr> programs{execute(f.set)};
  Profiler profiler(f.g.data, programs);
  Account account(f.g.data, profiler.steps(), {.traceEntries = 3});
  account.beginRun(0, "long");
  for (int i = 0; i < 10; ++i)
    account.executed(StepId{0});
  account.endRun();
  EXPECT_EQ(account.executions()[0], 10u);
  EXPECT_EQ(account.traceSteps().size(), 3u);
  const auto profile = profiler.profile(&account);
  EXPECT_EQ(profile->execution.stepsDropped, 7u);
}

TEST(Account, TheClockAgreesWithTheProfile) {
  Fixture f;
  const StreamId in = f.g.stream("in", StreamDirection::HostToDevice, 8);
  const auto stream = program(node::CopyFromStream{in, f.g.all(f.a)}, "in");
  const auto again = program(node::CopyFromStream{in, f.g.all(f.b)}, "again");
  const auto run = execute(f.set);
  const std::vector<ProgramPtr> programs{sequence({stream, again, run})};
  Profiler profiler(f.g.data, programs);
  const auto account = profiler.makeAccount();
  f.bind(*account);
  account->startClock(profiler.costs());
  account->beginRun(0, "run");
  for (const ProgramPtr& step : {stream, again, run, stream})
    account->executed(profiler.steps().of(*step));
  account->endRun();
  const auto profile = profiler.profile(account.get());
  EXPECT_EQ(account->cycles(), profile->execution.cycles.total());
  const auto& steps = profile->execution.steps;
  EXPECT_EQ(account->cycles(), steps.back().from + steps.back().cycles);
  EXPECT_LT(steps[1].cycles, steps[0].cycles) << "the second copy joins the first";
}

TEST(Account, ResetForgetsTheRuns) {
  Fixture f;
  const std::vector<ProgramPtr> programs{execute(f.set)};
  Profiler profiler(f.g.data, programs);
  const auto account = profiler.makeAccount();
  f.bind(*account);
  account->beginRun(0, "run");
  account->executed(StepId{0});
  account->endRun();
  account->reset();
  EXPECT_EQ(profiler.profile(account.get())->execution.cycles.total(), 0u);
  EXPECT_TRUE(account->runs().empty());
}

} // namespace
} // namespace ipumodel
