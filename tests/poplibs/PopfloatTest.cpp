#include "Harness.hpp"

#include <poplar/exceptions.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <popfloat/experimental/CastToGfloat.hpp>
#include <popfloat/experimental/CastToHalf.hpp>
#include <popfloat/experimental/codelets.hpp>

#include <algorithm>
#include <numeric>

using namespace harness;
using popfloat::experimental::GfloatCast;
using popfloat::experimental::halfToSingle;
using popfloat::experimental::RoundType;
using popfloat::experimental::singleToHalf;
using popfloat::experimental::SpecType;
using popfloat::experimental::SRDensityType;

namespace {

using Format = GfloatCast::FormatConfig;
using Round = GfloatCast::RoundConfig;

// The values rounded to a format, as FLOAT.
std::vector<float> quantised(const std::vector<float>& values, const Format& format,
                             const Round& round, bool nanoo = false) {
  TestGraph g(4);
  popfloat::experimental::addCodelets(g.graph);
  GfloatCast cast(format, round, nanoo, SpecType::FP32);
  cast.createCastOpParamsTensor(g.graph, g.prog);
  const auto in = g.input(poplar::FLOAT, {values.size()}, values);
  const auto out = g.output(cast.castNativeToGfloat(g.graph, in, g.prog));
  g.run();
  return g.read<float>(out);
}

// The numbers that all codes of a format of eight bits stand for, and these packed again.
struct Codes {
  std::vector<float> numbers;
  std::vector<signed char> again;

  explicit Codes(const Format& format) {
    TestGraph g(4);
    popfloat::experimental::addCodelets(g.graph);
    std::vector<signed char> codes(256);
    std::iota(codes.begin(), codes.end(), static_cast<signed char>(-128));
    const auto in = g.input(poplar::SIGNED_CHAR, {256}, codes);
    GfloatCast cast(format, Round(RoundType::RN, 23, format.getCalculationType()), false,
                    SpecType::INT8, SpecType::FP32);
    cast.createCastOpParamsTensor(g.graph, g.prog);
    const auto native = cast.castGfloatToNative(g.graph, in, g.prog);
    const auto out = g.output(native);
    const auto packed = g.output(cast.castNativeToGfloat(g.graph, native, g.prog));
    g.run();
    numbers = g.read<float>(out);
    again = g.read<signed char>(packed);
  }
};

Round rounding(RoundType type) {
  return Round(type, 24, poplar::FLOAT);
}

} // namespace

TEST(Popfloat, RoundsToNearestAndClipsWhatIsTooLarge) {
  EXPECT_EQ(singleToHalf(1.0f), 0x3c00);
  EXPECT_EQ(singleToHalf(-2.5f), 0xc100);
  EXPECT_EQ(singleToHalf(1.0f + 0x1p-11f), 0x3c00); // a tie, to even
  EXPECT_EQ(singleToHalf(1e6f), 0x7bff);
  EXPECT_EQ(singleToHalf(-1e6f, true), 0xfe00);
  for (const float value : {0.0f, 0.333251953125f, -65504.0f})
    EXPECT_EQ(halfToSingle(singleToHalf(value)), value);
}

TEST(Popfloat, OneFiveTwoIsTheUpperHalfOfAHalf) {
  const Codes codes(Format(2, 5, 15, true, true));
  for (int i = 0; i != 256; ++i) {
    const float half = halfToSingle(static_cast<std::uint16_t>((i - 128) << 8));
    EXPECT_EQ(std::isnan(codes.numbers[i]), std::isnan(half)) << i;
    if (!std::isnan(half)) {
      EXPECT_EQ(codes.numbers[i], half) << i;
    }
  }
}

TEST(Popfloat, PackedNumbersComeBack) {
  for (const Format& format : {Format(3, 4, 8, true, false), Format(3, 4, 7, true, true),
                               Format(7, 0, 3, true, false), Format(6, 1, 1, true, false)}) {
    const Codes codes(format);
    for (int i = 0; i != 256; ++i)
      if (!std::isnan(codes.numbers[i])) {
        EXPECT_EQ(codes.again[i], i - 128) << format.getNumMantissaBits();
      }
  }
}

TEST(Popfloat, RoundsToTheNearestOfAllNumbers) {
  for (const Format& format : {Format(3, 4, 8, true, false), Format(2, 5, 15, true, false)}) {
    auto numbers = Codes(format).numbers;
    std::sort(numbers.begin(), numbers.end());
    const auto values = randomFloats(500, 7, -2.5f * numbers.back() / 2, numbers.back());
    const auto rounded = quantised(values, format, rounding(RoundType::RN));
    for (std::size_t i = 0; i != values.size(); ++i) {
      float best = numbers[0];
      for (const float n : numbers)
        if (std::fabs(n - values[i]) < std::fabs(best - values[i]))
          best = n;
      EXPECT_EQ(std::fabs(rounded[i] - values[i]), std::fabs(best - values[i])) << values[i];
    }
  }
}

TEST(Popfloat, RoundsByItsMode) {
  const Format quarters(2, 4, 7, true, true); // steps of a quarter from 1 to 2
  const std::vector<float> values = {1.125f, 1.375f, 1.2f, -1.125f, -1.2f};
  const auto by = [&](RoundType type) { return quantised(values, quarters, rounding(type)); };
  EXPECT_EQ(by(RoundType::RZ), (std::vector<float>{1, 1.25, 1, -1, -1}));
  EXPECT_EQ(by(RoundType::RN), (std::vector<float>{1, 1.5, 1.25, -1, -1.25}));
  EXPECT_EQ(by(RoundType::RA), (std::vector<float>{1.25, 1.5, 1.25, -1.25, -1.25}));
  EXPECT_EQ(by(RoundType::RU), (std::vector<float>{1.25, 1.5, 1.25, -1, -1}));
  EXPECT_EQ(by(RoundType::RD), (std::vector<float>{1, 1.25, 1, -1.25, -1.25}));
  EXPECT_THROW(by(RoundType::INV), poputil::poplibs_error);
}

TEST(Popfloat, WhatIsTooLargeIsClippedOrNaN) {
  const Format format(3, 4, 7, true, true); // up to 240
  const std::vector<float> values = {239, 1e9f, -1e9f, INFINITY};
  const auto clipped = quantised(values, format, rounding(RoundType::RN));
  EXPECT_EQ(clipped, (std::vector<float>{240, 240, -240, INFINITY}));
  const auto nanoo = quantised(values, format, rounding(RoundType::RN), true);
  EXPECT_EQ(nanoo[0], 240);
  EXPECT_TRUE(std::isnan(nanoo[1]) && std::isnan(nanoo[2]));
  EXPECT_EQ(nanoo[3], INFINITY);
}

TEST(Popfloat, WithoutDenormalsSmallNumbersAreZeroOrNormal) {
  const Format format(3, 4, 7, false, true); // normal from 2^-6
  EXPECT_EQ(quantised({0x1p-6f, 0x1p-8f, 0x1.8p-7f}, format, rounding(RoundType::RN)),
            (std::vector<float>{0x1p-6f, 0, 0x1p-6f}));
}

TEST(Popfloat, StochasticRoundingIsRightOnAverage) {
  const Format wholes(2, 4, 7, true, true);
  const std::vector<float> values(4000, 4.25f); // between 4 and 5
  const auto meanOf = [&](const Round& round) {
    const auto rounded = quantised(values, wholes, round);
    for (const float x : rounded)
      EXPECT_TRUE(x == 4 || x == 5);
    return std::accumulate(rounded.begin(), rounded.end(), 0.0) / 4000;
  };
  const auto sx = [](SRDensityType density, float offset, float scale, float most, float least,
                     float probability = 0) {
    return Round(RoundType::SX, 24, poplar::FLOAT, density, offset, scale, most, least,
                 probability);
  };
  EXPECT_NEAR(meanOf(rounding(RoundType::SR)), 4.25, 0.03);
  EXPECT_NEAR(meanOf(rounding(RoundType::SX)), 4.25, 0.03);
  EXPECT_NEAR(meanOf(sx(SRDensityType::UNIFORM, 0, 0, 1, 0)), 4.25, 0.03);
  EXPECT_NEAR(meanOf(sx(SRDensityType::BERNOULLI, 0, 0, 0, 0, 0.9f)), 4.1, 0.03);
  EXPECT_EQ(meanOf(sx(SRDensityType::NORMAL, 0, 0.1f, 0.2f, -0.2f)), 4);
  EXPECT_NEAR(meanOf(sx(SRDensityType::LAPLACE, 0.25f, 0.1f, 0.5f, -0.5f)), 4.5, 0.03);
  EXPECT_NEAR(meanOf(sx(SRDensityType::LOGISTIC, 0.25f, 0.05f, 0.5f, -0.5f)), 4.5, 0.03);
  EXPECT_NEAR(meanOf(sx(SRDensityType::TRUNCATED_NORMAL, 0.25f, 0.5f, 0.3f, 0.2f)), 4.5, 0.03);
  EXPECT_NEAR(meanOf(sx(SRDensityType::LOGIT_NORMAL, std::log(3.0f), 1, 1, 0)), 4.5, 0.03);
}

TEST(Popfloat, BrainFloatsAreTheUpperHalfOfSingles) {
  TestGraph g(4);
  popfloat::experimental::addCodelets(g.graph);
  const Format format(7, 8, 127, true, true);
  EXPECT_EQ(format.getStorageType(), poplar::SHORT);
  GfloatCast cast(format, rounding(RoundType::RZ), true);
  cast.createCastOpParamsTensor(g.graph, g.prog);
  const auto values = randomFloats(100, 3, -100, 100);
  const auto in = g.input(poplar::FLOAT, {100}, values);
  const auto packed = g.output(cast.castNativeToGfloat(g.graph, in, g.prog));
  cast.castNativeToGfloatInPlace(g.graph, in, g.prog);
  const auto inPlace = g.output(in);
  g.run();
  const auto codes = g.read<short>(packed);
  const auto rounded = g.read<float>(inPlace);
  for (std::size_t i = 0; i != 100; ++i) {
    std::uint32_t bits, roundedBits;
    std::memcpy(&bits, &values[i], 4);
    std::memcpy(&roundedBits, &rounded[i], 4);
    EXPECT_EQ(static_cast<std::uint16_t>(codes[i]), bits >> 16);
    EXPECT_EQ(roundedBits, bits >> 16 << 16);
  }
}

TEST(Popfloat, FormatsChooseTheirTypes) {
  EXPECT_EQ(Format(3, 4, 7, true, true).getCalculationType(), poplar::HALF);
  EXPECT_EQ(Format(3, 4, 7, true, true).getStorageType(), poplar::SIGNED_CHAR);
  EXPECT_EQ(Format(10, 5, 15, true, true).getFormatType(),
            popfloat::experimental::FormatType::IEEE_FP16);
  EXPECT_EQ(Format(20, 8, 127, true, true).getStorageType(), poplar::FLOAT);
  EXPECT_THROW(Format(24, 8, 127, true, true), poputil::poplibs_error);
  EXPECT_THROW(Format(7, 8, 127, true, true, SpecType::FP16), poputil::poplibs_error);
  const GfloatCast::GfloatFormatOptions options(
      poplar::OptionFlags{{"numMantissaBits", "3"}, {"numExponentBits", "4"}});
  EXPECT_EQ(Format(options, poplar::FLOAT).getPackedFloatBits(), 8u);
  EXPECT_THROW(GfloatCast::GfloatCastOptions(poplar::OptionFlags{{"roundMode", "UP"}}),
               poplar::invalid_option);
}
