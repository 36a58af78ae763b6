#include "data/BatchBuilder.hpp"

#include "data/Shuffle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace spillway {
namespace {

using testing::ElementsAre;

TEST(BatchBuilder, RowsAreSortedCountedAndPadded) {
  BatchBuilder builder({.numSteps = 3, .numInputs = 9, .maxEvents = 3}, 2);
  Sample sample;
  sample.events = {{2, 8}, {0, 5}, {2, 1}, {0, 5}};
  sample.label = 4;
  sortEvents(sample.events);
  builder.set(1, sample, CounterRandom(1, {}));
  const EventBatch batch = builder.take();
  EXPECT_THAT(batch.counts, ElementsAre(0, 1, 0, 0, 0, 2));
  EXPECT_THAT(batch.ids, ElementsAre(0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 8, 0));
  EXPECT_THAT(batch.labels, ElementsAre(EventBatch::kNoLabel, 4));
  EXPECT_EQ(batch.numDroppedEvents, 0u);
}

TEST(BatchBuilder, OverflowKeepsASeededSubsetAndCountsTheRest) {
  Sample sample;
  for (std::uint16_t id = 0; id < 50; ++id) {
    sample.events.push_back({0, id});
  }
  const auto keptWith = [&](std::uint64_t seed) {
    BatchBuilder builder({.numSteps = 1, .numInputs = 50, .maxEvents = 10}, 1);
    builder.set(0, sample, CounterRandom(seed, {}));
    return builder.take();
  };
  const EventBatch batch = keptWith(1);
  EXPECT_EQ(batch.numDroppedEvents, 40u);
  EXPECT_EQ(batch.counts[0], 10u);
  EXPECT_TRUE(std::is_sorted(batch.ids.begin(), batch.ids.end()));
  EXPECT_EQ(std::adjacent_find(batch.ids.begin(), batch.ids.end()), batch.ids.end());
  EXPECT_GT(batch.ids.back(), 9); // not simply the first ten
  EXPECT_EQ(batch.ids, keptWith(1).ids);
  EXPECT_NE(batch.ids, keptWith(2).ids);
}

TEST(BatchBuilder, LabelsPerStepAreStepMajor) {
  BatchBuilder builder({.numSteps = 2, .numInputs = 1, .labels = LabelKind::PerStep}, 2);
  Sample sample;
  sample.stepLabels = {3, EventBatch::kNoLabel};
  builder.set(0, sample, CounterRandom(1, {}));
  sample.stepLabels = {5, 6};
  builder.set(1, sample, CounterRandom(1, {}));
  EXPECT_THAT(builder.take().labels, ElementsAre(3, 5, -1, 6));
}

TEST(BatchBuilder, EventsOutsideTheShapeAreOurBug) {
  BatchBuilder builder({.numSteps = 2, .numInputs = 3}, 1);
  Sample sample;
  sample.events = {{2, 0}};
  EXPECT_THROW(builder.set(0, sample, CounterRandom(1, {})), std::logic_error);
  sample.events = {{1, 3}};
  EXPECT_THROW(builder.set(0, sample, CounterRandom(1, {})), std::logic_error);
}

TEST(BatchBuilder, LabelsBecomeOneHotTargets) {
  EventBatch batch;
  batch.labels = {1, EventBatch::kNoLabel};
  labelsToTargets(batch, 3);
  EXPECT_THAT(batch.targets, ElementsAre(0, 1, 0, 0, 0, 0));
  EXPECT_TRUE(batch.labels.empty());
}

TEST(Shuffle, IsAPermutationKeyedBySeedAndEpoch) {
  const std::vector<std::uint32_t> order = shuffledOrder(1000, 1, 2);
  EXPECT_EQ(order, shuffledOrder(1000, 1, 2));
  EXPECT_NE(order, shuffledOrder(1000, 1, 3));
  EXPECT_NE(order, shuffledOrder(1000, 2, 2));
  std::vector<std::uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(sorted[i], i);
  }
}

TEST(Shuffle, EveryElementReachesEveryPlace) {
  std::array<std::array<int, 4>, 4> histogram{};
  for (std::uint64_t epoch = 0; epoch < 4000; ++epoch) {
    const std::vector<std::uint32_t> order = shuffledOrder(4, 9, epoch);
    for (std::size_t place = 0; place < 4; ++place) {
      ++histogram[place][order[place]];
    }
  }
  for (const auto& row : histogram) {
    for (int count : row) {
      EXPECT_NEAR(count, 1000, 130);
    }
  }
}

} // namespace
} // namespace spillway
