#include "graphs/ActionTable.hpp"

#include "codelets/maths/Control.hpp"
#include "plan/PaperStrategies.hpp"
#include "plan/TileBytes.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace spillway {
namespace {

TEST(ActionTable, RefusesWhatTheDeviceWouldNotHonour) {
  EXPECT_NO_THROW(encodeSchedule(plan::standard(12, 4)));
  plan::Schedule early = plan::standard(12, 4);
  std::swap(early.actions.front(), early.actions.back());
  EXPECT_THROW(encodeSchedule(early), std::logic_error);
}

// What the device would run, following the pages.
std::vector<unsigned> followed(const std::vector<unsigned>& pages, std::uint32_t firstRow) {
  std::vector<unsigned> table;
  for (std::size_t row = 0, at = 0;;) {
    const unsigned* action = &pages[(row * plan::kActionsPerPage + at) * kActionWords];
    if (action[kActionKind] == kNextPage) {
      row = action[kActionRow] - firstRow;
      at = 0;
      continue;
    }
    table.insert(table.end(), action, action + kActionWords);
    if (action[kActionKind] == kEnd) {
      return table;
    }
    ++at;
  }
}

TEST(ActionTable, IsTheSameInPagesOfAnyNumber) {
  for (plan::Step numSteps = 60; numSteps <= 600; ++numSteps) {
    const std::vector<unsigned> table = encodeSchedule(plan::remote(numSteps, 1));
    const std::vector<unsigned> pages = inPages(table, 3);
    EXPECT_EQ(pages.size(), std::size_t{plan::numPages(table.size() / kActionWords)} *
                                plan::kActionsPerPage * kActionWords);
    EXPECT_EQ(followed(pages, 3), table) << numSteps << " steps";
  }
}

} // namespace
} // namespace spillway
