#include "train/LearningRate.hpp"

#include "train/Progress.hpp"
#include "train/TensorBoard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <thread>

namespace spillway {
namespace {

TEST(LearningRate, RisesLinearlyDuringTheWarmUp) {
  const LearningRateSettings settings{.peak = 0.4, .warmupSteps = 4};
  EXPECT_DOUBLE_EQ(learningRate(settings, 0, 10, 100), 0.1);
  EXPECT_DOUBLE_EQ(learningRate(settings, 3, 10, 100), 0.4);
  EXPECT_DOUBLE_EQ(learningRate(settings, 99, 10, 100), 0.4);
}

TEST(LearningRate, FollowsACosineToItsFinalFraction) {
  const LearningRateSettings settings{
      .peak = 1.0, .warmupSteps = 9, .decay = DecayKind::Cosine, .finalFraction = 0.1};
  EXPECT_DOUBLE_EQ(learningRate(settings, 9, 10, 110), 1.0);
  EXPECT_NEAR(learningRate(settings, 59, 10, 110), 0.55, 1e-12);
  EXPECT_NEAR(learningRate(settings, 109, 10, 110), 0.1, 1e-12);
}

TEST(LearningRate, StepsDownEverySoManyEpochs) {
  const LearningRateSettings settings{
      .peak = 1.0, .decay = DecayKind::Step, .decayEpochs = 2, .decayFactor = 0.5};
  EXPECT_DOUBLE_EQ(learningRate(settings, 19, 10, 100), 1.0);
  EXPECT_DOUBLE_EQ(learningRate(settings, 20, 10, 100), 0.5);
  EXPECT_DOUBLE_EQ(learningRate(settings, 99, 10, 100), 0.0625);
}

TEST(LearningRate, StaysFiniteWhenTheWarmUpIsLongerThanTheRun) {
  const LearningRateSettings settings{.peak = 1.0, .warmupSteps = 50, .decay = DecayKind::Cosine};
  EXPECT_DOUBLE_EQ(learningRate(settings, 9, 10, 10), 0.2);
}

TEST(Duration, IsWrittenAsAClock) {
  EXPECT_EQ(formatDuration(7.2), "0:07");
  EXPECT_EQ(formatDuration(754), "12:34");
  EXPECT_EQ(formatDuration(11100), "3:05:00");
}

TEST(TensorBoard, ChecksumsAsCastagnoli) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u); // the polynomial's published check value
}

TEST(TensorBoard, FramesAnEventWithItsLength) {
  const std::string event = tensorBoardEvent(1.0, 300, {{"a", 2.0f}});
  const std::string record = tfRecord(event);
  EXPECT_EQ(record.size(), event.size() + 16);
  EXPECT_EQ(static_cast<unsigned char>(record[0]), event.size());
  // wall time (field 1, 8 bytes), step 300 (field 2), summary (field 5) of 10 bytes
  EXPECT_EQ(event.substr(9), std::string("\x10\xAC\x02\x2A\x0A\x0A\x08\x0A\x01"
                                         "a\x15\x00\x00\x00\x40",
                                         15));
}

TEST(Progress, SaysNothingOfAccuracyWhereThereAreNoClasses) {
  std::ostringstream out;
  Progress progress(out, ProgressStyle::Live);
  std::this_thread::sleep_for(std::chrono::milliseconds(110)); // until a line is due
  progress.update({.epoch = 1, .numEpochs = 2, .update = 3, .numUpdates = 4, .loss = 0.5, .accuracy = {}});
  EXPECT_THAT(out.str(), testing::AllOf(testing::HasSubstr("loss 0.5000  0 samples/s"),
                                        testing::Not(testing::HasSubstr("accuracy"))));
}

TEST(Progress, KeepsTheLiveLineWithinTheTerminal) {
  const ProgressState state{.epoch = 2,
                            .numEpochs = 40,
                            .update = 21,
                            .numUpdates = 800,
                            .loss = 1.25,
                            .accuracy = 0.5,
                            .samplesPerSecond = 100.0};
  const auto lineOn = [&](std::size_t columns) {
    std::ostringstream out;
    Progress progress(out, ProgressStyle::Live, [=] { return columns; });
    std::this_thread::sleep_for(std::chrono::milliseconds(110)); // until a line is due
    progress.update(state);
    const std::string text = out.str();
    return text.substr(1, text.find('\x1b') - 1);
  };
  EXPECT_THAT(lineOn(0), testing::HasSubstr("samples/s  ETA"));
  EXPECT_THAT(lineOn(70), testing::AllOf(testing::HasSubstr("update 21/800"),
                                         testing::HasSubstr("accuracy 50.0 %  ETA")));
  EXPECT_THAT(lineOn(60), testing::HasSubstr("epoch 2/40  loss 1.2500  accuracy 50.0 %  ETA"));
  for (const std::size_t columns : {1, 2, 20, 40, 60, 70, 80}) {
    EXPECT_LT(lineOn(columns).size(), columns);
  }
}

} // namespace
} // namespace spillway
