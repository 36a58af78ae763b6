#include "data/Augmentation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace spillway {
namespace {

// n events in the middle of a long, wide range.
std::vector<Event> middle(std::size_t n) {
  return std::vector<Event>(n, Event{5000, 500});
}

TEST(Augmentation, NoneLeavesEventsAlone) {
  std::vector<Event> events = {{0, 0}, {3, 2}, {9, 4}};
  const std::vector<Event> before = events;
  augment({}, {.width = 5}, 10, CounterRandom(1, {}), events);
  EXPECT_EQ(events, before);
}

TEST(Augmentation, JitterHasItsStandardDeviation) {
  std::vector<Event> events = middle(20000);
  augment({.jitterSteps = 20.0}, {.width = 1000}, 10000, CounterRandom(1, {}), events);
  ASSERT_EQ(events.size(), 20000u);
  double sum = 0, squares = 0;
  for (const Event& event : events) {
    const double shift = event.step - 5000.0;
    sum += shift;
    squares += shift * shift;
    EXPECT_EQ(event.id, 500);
  }
  EXPECT_NEAR(sum / 20000, 0.0, 0.5);
  EXPECT_NEAR(std::sqrt(squares / 20000), 20.0, 0.5);
}

// Two events 4000 steps apart: their distance tells the factor, the first one's place the shift.
TEST(Augmentation, StretchAndShiftMoveASampleAsAWhole) {
  double factors = 0, factorSquares = 0, shifts = 0, shiftSquares = 0;
  constexpr int kSamples = 2000;
  for (std::uint64_t i = 0; i < kSamples; ++i) {
    std::vector<Event> events = {{0, 500}, {4000, 500}};
    augment({.stretch = 0.1}, {.width = 1000}, 10000, CounterRandom(1, {i}), events);
    ASSERT_EQ(events.size(), 2u);
    const double factor = (events[1].step - events[0].step) / 4000.0 - 1.0;
    factors += factor;
    factorSquares += factor * factor;
    events = {{5000, 500}, {5200, 499}};
    augment({.shiftSteps = 50.0}, {.width = 1000}, 10000, CounterRandom(1, {i}), events);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[1].step - events[0].step, 200u);
    const double shift = events[0].step - 5000.0;
    shifts += shift;
    shiftSquares += shift * shift;
  }
  EXPECT_NEAR(factors / kSamples, 0.0, 0.01);
  EXPECT_NEAR(std::sqrt(factorSquares / kSamples), 0.1, 0.01);
  EXPECT_NEAR(shifts / kSamples, 0.0, 5.0);
  EXPECT_NEAR(std::sqrt(shiftSquares / kSamples), 50.0, 5.0);
}

// Every step has an event whose id is the step's label: they must still meet after the move.
TEST(Augmentation, LabelsOfStepsMoveWithTheirEvents) {
  constexpr std::uint32_t kSteps = 200;
  const Augmentation augmentation{.stretch = 0.2, .shiftSteps = 20.0};
  bool moved = false;
  for (std::uint64_t i = 0; i < 50; ++i) {
    std::vector<Event> events;
    std::vector<std::int32_t> labels;
    for (std::uint32_t step = 0; step < kSteps; ++step) {
      events.push_back({step, static_cast<std::uint16_t>(step / 10)});
      labels.push_back(static_cast<std::int32_t>(step / 10));
    }
    const CounterRandom random(1, {i});
    augment(augmentation, {.width = kSteps}, kSteps, random, events);
    moveLabels(augmentation, random, labels);
    ASSERT_EQ(labels.size(), kSteps);
    ASSERT_FALSE(events.empty());
    std::uint32_t differing = 0;
    for (const Event& event : events) {
      differing += labels[event.step] == std::int32_t{event.id} ? 0 : 1;
      moved = moved || event.step / 10 != event.id;
    }
    // Two steps may be pressed into one, of which one label stays.
    EXPECT_LE(differing, kSteps / 10);
    // Stretched steps lie at most two apart, so nothing was moved out before a first one at step 2.
    if (events.front().step >= 2) {
      EXPECT_EQ(labels[events.front().step - 1], EventBatch::kNoLabel);
    }
  }
  EXPECT_TRUE(moved);
}

TEST(Augmentation, WithoutAMoveLabelsStay) {
  std::vector<std::int32_t> labels = {3, -1, 4};
  moveLabels({.jitterSteps = 5.0}, CounterRandom(1, {}), labels);
  EXPECT_EQ(labels, (std::vector<std::int32_t>{3, -1, 4}));
}

TEST(Augmentation, DropLeavesOutItsFraction) {
  std::vector<Event> events = middle(20000);
  augment({.dropFraction = 0.3}, {.width = 1000}, 10000, CounterRandom(1, {}), events);
  EXPECT_NEAR(static_cast<double>(events.size()), 14000.0, 300.0);
}

TEST(Augmentation, ShiftMovesTheWholeSampleWithinItsChannel) {
  const InputGrid grid{.width = 10, .height = 10, .channels = 2};
  bool moved = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    // The same pixel (4, 5) in both channels, and its right neighbour.
    std::vector<Event> events = {{0, 54}, {0, 55}, {0, 154}};
    augment({.shiftInputs = 1.5}, grid, 1, CounterRandom(seed, {}), events);
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[1].id, events[0].id + 1);
    EXPECT_EQ(events[2].id, events[0].id + 100);
    moved = moved || events[0].id != 54;
  }
  EXPECT_TRUE(moved);
}

TEST(Augmentation, NothingWrapsAroundTheEdges) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<Event> events = {{0, 0}, {9, 99}};
    augment({.jitterSteps = 3.0, .shiftInputs = 3.0}, {.width = 10, .height = 10}, 10,
            CounterRandom(seed, {}), events);
    for (const Event& event : events) {
      EXPECT_LT(event.step, 10u);
      EXPECT_LT(event.id, 100u);
    }
  }
}

} // namespace
} // namespace spillway
