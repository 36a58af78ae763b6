// Copies between Streaming Memory and tiles that nothing runs on, beside the program.
#include "TestGraph.hpp"

#include <gtest/gtest.h>

namespace ipumodel {
namespace {

// Tile 0 computes, tile 7 has no vertex.
struct Fixture {
  TestGraph g;
  VarId a = g.variable("a", 64), staged = g.variable("staged", 4096, 7),
        onChip = g.variable("onChip", 4096, 1);
  VarId flag = g.variable("flag", 1);
  ComputeSetId set = g.computeSet("work");
  ProgramPtr write, work, touch;

  Fixture() {
    g.data.remoteBuffers.push_back({"r", poplar::FLOAT, 4096, 4});
    const VertexType& type = g.type("Type");
    g.vertex(set, type, 0, g.part(a, 0, 32), g.part(a, 32, 64), 100);
    const ComputeSetId other = g.computeSet("other");
    g.vertex(other, type, 1, g.part(onChip, 0, 32), g.part(onChip, 32, 64), 10);
    write = program(node::CopyToRemote{g.all(staged), RemoteBufferId{0}, std::nullopt}, "write");
    work = execute(set);
    touch = copy(g.part(a, 0, 32), g.part(staged, 0, 32));
  }

  struct Times {
    std::uint64_t total, hidden, stalls;
  };

  // Runs the steps in that order, as an engine would that runs `tree`.
  Times run(const ProgramPtr& tree, const std::vector<ProgramPtr>& steps) {
    const std::vector<ProgramPtr> programs{tree};
    Profiler profiler(g.data, programs);
    const auto account = profiler.makeAccount();
    account->startClock(profiler.costs());
    account->beginRun(0, "run");
    for (const ProgramPtr& step : steps)
      account->executed(profiler.steps().of(*step));
    account->endRun();
    const auto profile = profiler.profile(account.get());
    const ExecutionInfo& execution = profile->execution;
    EXPECT_EQ(account->cycles(), execution.cycles.total());
    if (!execution.steps.empty()) {
      EXPECT_EQ(account->cycles(), execution.steps.back().from + execution.steps.back().cycles);
    }
    return {account->cycles(), execution.hiddenCycles, execution.stalls};
  }

  std::uint64_t cyclesOf(const ProgramPtr& step) { return run(step, {step}).total; }
};

TEST(TransfersBeside, HideBehindComputeAndAreWaitedForAtTheEnd) {
  Fixture f;
  const std::uint64_t transfer = f.cyclesOf(f.write), work = f.cyclesOf(f.work);
  ASSERT_GT(transfer, 2 * work) << "else it would hide whole";
  const auto both = f.run(sequence({f.write, f.work}), {f.write, f.work});
  EXPECT_EQ(both.total, transfer);
  EXPECT_EQ(both.hidden, work);
  EXPECT_EQ(both.stalls, 1u);
  const std::vector<ProgramPtr> many(12, f.work);
  std::vector<ProgramPtr> steps{f.write};
  steps.insert(steps.end(), many.begin(), many.end());
  const auto enough = f.run(sequence({f.write, f.work}), steps);
  EXPECT_EQ(enough.total, 12 * work);
  EXPECT_EQ(enough.hidden, transfer);
  EXPECT_EQ(enough.stalls, 0u);
}

TEST(TransfersBeside, HoldUpStepsThatTouchTheirTiles) {
  Fixture f;
  const auto times = f.run(sequence({f.write, f.work, f.touch}), {f.write, f.work, f.touch});
  EXPECT_EQ(times.total, f.cyclesOf(f.write) + f.cyclesOf(f.touch));
  EXPECT_EQ(times.stalls, 1u);
}

TEST(TransfersBeside, HoldUpLoopsThatTheirTilesHaveAPartIn) {
  Fixture f;
  const auto loop = [&](const ProgramPtr& body) {
    return program(node::RepeatWhile{nullptr, f.g.all(f.flag), true, body});
  };
  const std::uint64_t transfer = f.cyclesOf(f.write);
  const ProgramPtr without = loop(f.work), with = loop(sequence({f.work, f.touch}));
  const std::uint64_t decision = f.cyclesOf(without);
  EXPECT_EQ(f.run(sequence({f.write, without}), {f.write, without}).total, transfer);
  EXPECT_EQ(f.run(sequence({f.write, with}), {f.write, with}).total, transfer + decision)
      << "the tile has to learn whether to go on";
}

TEST(TransfersBeside, ShareOneLink) {
  Fixture f;
  const ProgramPtr other =
      program(node::CopyToRemote{f.g.all(f.onChip), RemoteBufferId{0}, std::nullopt}, "other");
  const auto times = f.run(sequence({f.write, other}), {f.write, other});
  EXPECT_EQ(times.total, 2 * f.cyclesOf(f.write))
      << "the second is of tiles that compute, and waits";
  EXPECT_EQ(f.run(sequence({f.write, f.write}), {f.write, f.write}).total, 2 * f.cyclesOf(f.write));
}

TEST(TransfersBeside, AreWaitedForWhereTheTilesCompute) {
  Fixture f;
  const ProgramPtr other =
      program(node::CopyToRemote{f.g.all(f.onChip), RemoteBufferId{0}, std::nullopt}, "other");
  const auto times = f.run(sequence({other, f.work}), {other, f.work});
  EXPECT_EQ(times.total, f.cyclesOf(other) + f.cyclesOf(f.work));
  EXPECT_EQ(times.hidden, 0u);
}

} // namespace
} // namespace ipumodel
