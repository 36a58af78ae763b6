#include <gtest/gtest.h>

#include <popfloat/experimental/CastToHalf.hpp>

using popfloat::experimental::halfToSingle;
using popfloat::experimental::singleToHalf;

TEST(Popfloat, RoundsToNearestAndClipsWhatIsTooLarge) {
  EXPECT_EQ(singleToHalf(1.0f), 0x3c00);
  EXPECT_EQ(singleToHalf(-2.5f), 0xc100);
  EXPECT_EQ(singleToHalf(1.0f + 0x1p-11f), 0x3c00); // a tie, to even
  EXPECT_EQ(singleToHalf(1e6f), 0x7bff);
  EXPECT_EQ(singleToHalf(-1e6f, true), 0xfe00);
  for (const float value : {0.0f, 0.333251953125f, -65504.0f})
    EXPECT_EQ(halfToSingle(singleToHalf(value)), value);
}
