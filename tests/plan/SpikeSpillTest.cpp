#include "plan/SpikeSpill.hpp"

#include "plan/Binomial.hpp"
#include "plan/PaperStrategies.hpp"
#include "plan/ScheduleText.hpp"
#include "plan/Simulator.hpp"
#include "plan/Streamed.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace spillway::plan {
namespace {

TEST(SpikeSpill, KeepsTheWorkAndItsOrder) {
  for (Step T : {1u, 7u, 40u, 97u})
    for (const Schedule& schedule :
         {base(T), standard(T, 6), doubleCheckpointing(T, 12, 4),
          doubleCheckpointing(T, 12, 4, Form::Literal), revolve(T, 3), surrogateCached(T),
          hierarchical(T, 3, 4), streamed(T, 3, Costs{}).schedule})
      for (Step block : {1u, 4u, 5u, 16u, 200u})
        for (std::uint32_t buffers : {1u, 2u, 3u, 50u}) {
          ScheduleCounts counts = simulate(withSpilledSpikes(schedule, block, buffers));
          if ((T - 1) / block + 1 <= buffers) {
            EXPECT_EQ(counts.spikeWrites + counts.spikeReads, 0u);
          }
          counts.spikeWrites = counts.spikeReads = 0;
          ASSERT_EQ(counts, simulate(schedule)) << "T=" << T << " block=" << block;
        }
}

// One pass forward and one back: all blocks but those held at the turn go out and come in once.
TEST(SpikeSpill, MovesABlockOnceEachWayIfItsStepsAreReversedTogether) {
  for (std::uint32_t buffers : {1u, 2u, 5u}) {
    const ScheduleCounts counts = simulate(withSpilledSpikes(base(100), 10, buffers));
    EXPECT_EQ(counts.spikeWrites, 10u - buffers);
    EXPECT_EQ(counts.spikeReads, 10u - buffers);
  }
  const ScheduleCounts counts =
      simulate(withSpilledSpikes(doubleCheckpointing(4096, 64, 8), 64, 2));
  EXPECT_EQ(counts.spikeWrites, 62u);
  EXPECT_EQ(counts.spikeReads, 62u);
}

TEST(SpikeSpill, NeverReadsMoreWithMoreBuffers) {
  const Schedule schedule = revolve(300, 5);
  std::uint64_t before = ~0ull;
  for (std::uint32_t buffers = 1; buffers < 12; ++buffers) {
    const std::uint64_t reads = simulate(withSpilledSpikes(schedule, 16, buffers)).spikeReads;
    EXPECT_LE(reads, before);
    before = reads;
  }
}

TEST(SpikeSpill, IsKeptByTheTextForm) {
  for (const Schedule& schedule :
       {withSpilledSpikes(doubleCheckpointing(50, 9, 4), 7, 2),
        withSpilledSpikes(surrogateCached(50), 7, 2), surrogateCached(9)}) {
    std::stringstream text;
    writeText(text, schedule);
    EXPECT_EQ(parseSchedule(text), schedule);
  }
}

TEST(SpikeSpill, IsCheckedByTheSimulator) {
  const Schedule good = withSpilledSpikes(doubleCheckpointing(50, 9, 4), 7, 2);
  std::size_t numMutants = 0;
  for (std::size_t i = 0; i < good.actions.size(); ++i)
    if (good.actions[i].kind == ActionKind::ReadSpikes) {
      Schedule bad = good;
      bad.actions.erase(bad.actions.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_THROW(simulate(bad), ScheduleError);
      bad = good;
      bad.actions[i].row += 1;
      EXPECT_THROW(simulate(bad), ScheduleError);
      ++numMutants;
    }
  EXPECT_GT(numMutants, 3u);
}

} // namespace
} // namespace spillway::plan
