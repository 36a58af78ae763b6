#include "config/Values.hpp"

#include "config/Nearest.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace spillway {
namespace {

TEST(Values, ReadBytesWithBothKindsOfUnits) {
  EXPECT_EQ(parseBytes("638976"), 638976u);
  EXPECT_EQ(parseBytes("624KiB"), 638976u);
  EXPECT_EQ(parseBytes("1.5 GB"), 1500000000u);
  EXPECT_THROW(parseBytes("-1"), std::invalid_argument);
  EXPECT_THROW(parseBytes("1kb"), std::invalid_argument);
  EXPECT_THROW(parseBytes(""), std::invalid_argument);
}

TEST(Values, RefuseWhatFollowsANumber) {
  EXPECT_THROW(parseWhole("3x", 0, 10), std::invalid_argument);
  EXPECT_THROW(parseWhole("-3", 0, 10), std::invalid_argument);
  EXPECT_THROW(parseWhole("11", 0, 10), std::invalid_argument);
  EXPECT_THROW(parseWhole("99999999999999999999999", 0, UINT64_MAX), std::invalid_argument);
  EXPECT_THROW(parseReal("1.0.0"), std::invalid_argument);
  EXPECT_THROW(parseReal("nan"), std::invalid_argument);
}

TEST(Values, WriteRealsThatReadBackTheSame) {
  for (const double value : {0.1, 1.0 / 3.0, 1e-300, -2.5}) {
    EXPECT_EQ(parseReal(formatReal(value)), value);
  }
}

TEST(Nearest, FindsTheWordMeant) {
  EXPECT_EQ(nearest("train.epoch", {"train.seed", "train.epochs"}), "train.epochs");
  EXPECT_EQ(nearest("layer.alhpa", {"layer.alpha", "layer.theta"}), "layer.alpha");
  EXPECT_EQ(nearest("train.batchsize", {"train.batchSize"}), "train.batchSize");
  EXPECT_EQ(nearest("whatever.else", {"layer.alpha"}), std::nullopt);
}

} // namespace
} // namespace spillway
