#include "plan/Simulator.hpp"

#include "plan/PaperStrategies.hpp"
#include "plan/ScheduleText.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace spillway::plan {
namespace {

std::string complaintOf(const Schedule& schedule) {
  try {
    simulate(schedule);
  } catch (const ScheduleError& error) {
    return error.what();
  }
  return "";
}

std::string complaintOf(const std::string& text) {
  std::istringstream in(text);
  return complaintOf(parseSchedule(in));
}

using testing::HasSubstr;

TEST(Simulator, NamesTheActionAndWhy) {
  EXPECT_THAT(complaintOf("schedule steps 2 slots 2 rows 0 staging 0\n"
                          "forward 0 2 all from initial to 0\nbackward 0 1 at 0\n"),
              HasSubstr("action 1 (backward 0 1 at 0): the next step to reverse is 1"));
}

TEST(Simulator, RefusesLightStepsWithoutSpikes) {
  EXPECT_THAT(complaintOf("schedule steps 2 slots 1 rows 0 staging 0\n"
                          "light 0 1 last from initial to 0\n"),
              HasSubstr("no spikes are stored from step 0"));
}

TEST(Simulator, RefusesRowsNeverWritten) {
  EXPECT_THAT(complaintOf("schedule steps 1 slots 1 rows 1 staging 0\nread 0 row 0 count 1\n"),
              HasSubstr("row 0 was never written"));
}

TEST(Simulator, RefusesAReadBufferUsedTwice) {
  EXPECT_THAT(complaintOf("schedule steps 1 slots 1 rows 1 staging 1\n"
                          "forward 0 1 last from initial to 0\nstart-write 0 row 0\n"
                          "start-read row 0\nstart-read row 0\n"),
              HasSubstr("incoming buffer"));
  EXPECT_THAT(complaintOf("schedule steps 1 slots 1 rows 1 staging 0\n"
                          "forward 0 1 last from initial to 0\nstart-write 0 row 0\n"),
              HasSubstr("need staging buffers"));
}

TEST(Simulator, RefusesASourceThatTheRunOverwrites) {
  EXPECT_THAT(complaintOf("schedule steps 4 slots 3 rows 0 staging 0\n"
                          "forward 0 1 last from initial to 1\nforward 1 4 all from 1 to 0\n"),
              HasSubstr("source lies among"));
}

TEST(Simulator, RefusesUnfinishedWork) {
  EXPECT_THAT(complaintOf("schedule steps 2 slots 1 rows 0 staging 0\n"
                          "forward 0 2 last from initial to 0\nbackward 1 2 at 0\n"),
              HasSubstr("backward stopped at step 1"));
}

// Every single change of one number in a good schedule is refused, or is a legal schedule that does
// other work and is counted so.
TEST(Simulator, NoticesEveryOffByOne) {
  const Schedule good = doubleCheckpointing(23, 7, 3);
  ASSERT_EQ(complaintOf(good), "");
  std::size_t numMutants = 0;
  for (std::size_t i = 0; i < good.actions.size(); ++i)
    for (int delta : {-1, 1})
      for (int field = 0; field < 5; ++field) {
        Schedule bad = good;
        Action& action = bad.actions[i];
        const bool transfers = action.count != 0,
                   runs = action.kind == ActionKind::Forward || action.kind == ActionKind::Light;
        if (field == 0 && !transfers)
          action.begin += static_cast<Step>(delta);
        else if (field == 1 && !transfers)
          action.end += static_cast<Step>(delta);
        else if (field == 2 && runs)
          action.source += delta;
        else if (field == 3)
          action.slot += delta;
        else if (field == 4 && transfers)
          action.row += static_cast<std::uint32_t>(delta);
        else
          continue;
        ++numMutants;
        EXPECT_TRUE(complaintOf(bad) != "" || simulate(bad) != simulate(good))
            << "action " << i << " field " << field << " by " << delta;
      }
  EXPECT_GT(numMutants, 100u);
}

} // namespace
} // namespace spillway::plan
