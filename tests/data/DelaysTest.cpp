#include "data/Delays.hpp"

#include "data/OpenDataSet.hpp"
#include "network/UserError.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace spillway {
namespace {

TEST(Delays, EveryEventArrivesAgainAtInputsOfItsOwn) {
  std::vector<Event> events = {{0, 2}, {7, 1}};
  addDelays({.count = 3, .spacing = 4}, 5, 10, events);
  const std::vector<Event> expected = {{0, 2}, {4, 7}, {7, 1}, {8, 12}};
  EXPECT_EQ(events, expected); // what would arrive at step 11 or 15 is lost
}

TEST(Delays, MultiplyTheInputsOfADataSetAndReachTheTestData) {
  DataSettings settings;
  settings.numInputs = 8;
  settings.numSteps = 20;
  settings.numDelays = 3;
  settings.delaySteps = 5;
  const auto set = openDataSet(settings);
  EXPECT_EQ(set->info().numInputs, 24u);
  const EventBatch batch = set->batch(Split::Test, std::vector<std::uint32_t>{0}, 0, 0);
  std::uint32_t numEarly = 0, numAgain = 0;
  const auto has = [&](std::uint32_t step, std::uint32_t id) {
    const auto row = batch.ids.begin() + step * batch.maxEvents;
    return std::count(row, row + batch.counts[step], id) != 0;
  };
  for (std::uint32_t t = 0; t + 10 < 20; ++t) {
    for (std::uint32_t i = 0; i < 8; ++i) {
      numEarly += has(t, i) ? 1 : 0;
      numAgain += has(t, i) && has(t + 5, 8 + i) && has(t + 10, 16 + i) ? 1 : 0;
    }
  }
  EXPECT_GT(numEarly, 0u);
  EXPECT_EQ(numAgain, numEarly);
}

TEST(Delays, RefuseMoreInputsThanIdsReach) {
  DataSettings settings;
  settings.numInputs = 128;
  settings.numDelays = 600;
  EXPECT_THROW(openDataSet(settings), UserError);
}

} // namespace
} // namespace spillway
