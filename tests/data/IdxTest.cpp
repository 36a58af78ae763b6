#include "TempFolder.hpp"
#include "data/FileBytes.hpp"
#include "data/IdxFile.hpp"
#include "data/ImageSource.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <zlib.h>

namespace spillway {
namespace {

using test::Bytes;
using test::messageOf;
using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

Bytes idx(const std::vector<std::uint8_t>& extents, const Bytes& values) {
  Bytes bytes = {0, 0, 8, static_cast<std::uint8_t>(extents.size())};
  for (std::uint8_t extent : extents) {
    bytes.insert(bytes.end(), {0, 0, 0, extent});
  }
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

void writeGzip(const std::filesystem::path& path, const Bytes& bytes) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
}

TEST(IdxFile, ReadsPlainAndGzip) {
  const TempFolder folder;
  const Bytes bytes = idx({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  folder.write("plain", bytes);
  writeGzip(folder / "packed.gz", bytes);
  for (const char* name : {"plain", "packed.gz"}) {
    const IdxArray array = readIdx(folder / name, 3);
    EXPECT_THAT(array.shape, ElementsAre(2, 1, 3));
    EXPECT_THAT(array.values, ElementsAre(1, 2, 3, 4, 5, 6));
  }
}

TEST(IdxFile, EveryTruncationIsRefused) {
  const TempFolder folder;
  const auto path = folder.write("images", idx({2, 3, 3}, Bytes(18, 7)));
  const std::size_t size = test::bytesOf(path).size();
  EXPECT_EQ(test::readEveryPrefix<FileError>(path, 1, [&] { readIdx(path, 3); }), size);
}

TEST(IdxFile, EveryTruncationOfAGzipIsRefused) {
  const TempFolder folder;
  Bytes values(900);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::uint8_t>(i * i * 31 >> 3);
  }
  writeGzip(folder / "images.gz", idx({9, 10, 10}, values));
  const std::size_t size = test::bytesOf(folder / "images.gz").size();
  EXPECT_EQ(test::readEveryPrefix<FileError>(folder / "images.gz", 1,
                                             [&] { readIdx(folder / "images.gz", 3); }),
            size);
}

TEST(IdxFile, DamageNeverReadsPastTheEnd) {
  const TempFolder folder;
  const auto path = folder.write("images", idx({2, 3, 3}, Bytes(18, 7)));
  const auto read = [&] { readIdx(path, 3); };
  EXPECT_GT(test::readWithDamagedBytes<FileError>(path, 1, read), 0u);
  test::readMutations<FileError>(path, 1, 500, read);
}

TEST(IdxFile, DamagedGzipsAreRefused) {
  const TempFolder folder;
  writeGzip(folder / "images.gz", idx({2, 3, 3}, Bytes(18, 7)));
  const auto read = [&] { readIdx(folder / "images.gz", 3); };
  EXPECT_GT(test::readWithDamagedBytes<FileError>(folder / "images.gz", 1, read), 0u);
  test::readMutations<FileError>(folder / "images.gz", 1, 500, read);
}

TEST(IdxFile, ErrorsNameFileAndOffset) {
  const TempFolder folder;
  const auto message = [&](const Bytes& bytes) {
    folder.write("images", bytes);
    return messageOf<FileError>([&] { readIdx(folder / "images", 3); });
  };
  EXPECT_THAT(message({'P', 'K', 3, 4}), HasSubstr("images: byte 0: not an IDX file"));
  Bytes floats = idx({1, 1, 1}, {0});
  floats[2] = 0x0d;
  EXPECT_THAT(message(floats), HasSubstr("byte 2: IDX type 13"));
  EXPECT_THAT(message(idx({5}, Bytes(5))), HasSubstr("byte 3: 1 dimensions"));
  EXPECT_THAT(message(idx({2, 200, 200}, Bytes(50))), HasSubstr("byte 8: extent 200"));
  Bytes longer = idx({1, 1, 1}, {1, 2});
  EXPECT_THAT(message(longer), HasSubstr("byte 17: 1 bytes follow"));
}

class Images : public testing::Test {
protected:
  // One image of 2 x 2: black, dim, bright, white; label 3.
  ImageSource open(const ImageOptions& options) {
    folder_.write("images", idx({1, 2, 2}, {0, 90, 200, 255}));
    folder_.write("labels", idx({1}, {3}));
    return {folder_ / "images", folder_ / "labels", options};
  }
  TempFolder folder_;
};

TEST_F(Images, LatencyShowsBrightPixelsFirst) {
  const ImageSource source = open({.encoding = ImageEncoding::Latency, .numSteps = 10});
  const Sample sample = source.sample(0);
  EXPECT_EQ(sample.label, 3);
  EXPECT_EQ(source.grid().numInputs(), 4u);
  EXPECT_THAT(sample.events, UnorderedElementsAre(Event{6, 1}, Event{2, 2}, Event{0, 3}));
}

TEST_F(Images, RowsFollowOneAnother) {
  const ImageSource source = open({.encoding = ImageEncoding::Row, .numSteps = 4, .levels = 2});
  EXPECT_EQ(source.grid().numInputs(), 4u); // 2 columns, 2 levels
  // Thresholds 85 and 170: row 0 reaches level 0 in column 1; row 1 reaches both in both.
  EXPECT_THAT(source.sample(0).events,
              UnorderedElementsAre(Event{0, 1}, Event{1, 1}, Event{2, 0}, Event{2, 1}, Event{2, 2},
                                   Event{2, 3}, Event{3, 0}, Event{3, 1}, Event{3, 2},
                                   Event{3, 3}));
}

TEST_F(Images, PixelsFireWhereTheGreyValueCrossesALevel) {
  const ImageSource source = open({.encoding = ImageEncoding::Pixel, .numSteps = 4, .levels = 2});
  EXPECT_THAT(source.sample(0).events, UnorderedElementsAre(Event{1, 0}, Event{2, 1}));
}

TEST_F(Images, GreyRowsCarryTheirValues) {
  const ImageSource source = open({.encoding = ImageEncoding::GreyRow, .numSteps = 2});
  EXPECT_TRUE(source.valued());
  EXPECT_EQ(source.grid().numInputs(), 2u);
  EXPECT_THAT(source.sample(0).events,
              UnorderedElementsAre(Event{0, 1, 90.0f / 255.0f}, Event{1, 0, 200.0f / 255.0f},
                                   Event{1, 1, 1.0f}));
  EXPECT_THAT(
      messageOf<UserError>([&] { open({.encoding = ImageEncoding::GreyRow, .numSteps = 3}); }),
      HasSubstr("steps = 3 must be 2"));
}

TEST_F(Images, GreyPixelsComeInTheOrderAskedFor) {
  const auto stepsOf = [&](PixelOrder order) {
    const ImageSource source =
        open({.encoding = ImageEncoding::GreyPixel, .numSteps = 4, .order = order});
    EXPECT_EQ(source.grid().numInputs(), 1u);
    return source.sample(0).events;
  };
  EXPECT_THAT(stepsOf(PixelOrder::Reading),
              UnorderedElementsAre(Event{1, 0, 90.0f / 255.0f}, Event{2, 0, 200.0f / 255.0f},
                                   Event{3, 0, 1.0f}));
  // 0, 2, 1, 3: the bits of two-bit places reversed.
  EXPECT_THAT(stepsOf(PixelOrder::BitReversed),
              UnorderedElementsAre(Event{2, 0, 90.0f / 255.0f}, Event{1, 0, 200.0f / 255.0f},
                                   Event{3, 0, 1.0f}));
  EXPECT_EQ(stepsOf(PixelOrder::Random).size(), 3u);
}

TEST_F(Images, RatesFollowTheGreyValue) {
  const ImageSource source = open({.encoding = ImageEncoding::Rate, .numSteps = 20000});
  std::vector<double> counts(4);
  for (const Event& event : source.sample(0).events) {
    counts[event.id] += 1;
  }
  EXPECT_EQ(counts[0], 0.0);
  EXPECT_NEAR(counts[1] / 20000, kWhiteRate * 90 / 255, 0.01);
  EXPECT_NEAR(counts[3] / 20000, kWhiteRate, 0.01);
}

TEST_F(Images, DownsamplingTakesTheMean) {
  const ImageSource source =
      open({.encoding = ImageEncoding::Latency, .numSteps = 255, .downsample = 2});
  EXPECT_THAT(source.sample(0).events, ElementsAre(Event{255 - 136, 0})); // (0+90+200+255)/4
}

TEST_F(Images, TooFewStepsAndUnknownEncodingsAreRefused) {
  EXPECT_THAT(
      messageOf<UserError>([&] { open({.encoding = ImageEncoding::Pixel, .numSteps = 3}); }),
      HasSubstr("steps = 3 is too few"));
  EXPECT_THROW(parseImageEncoding("morse"), UserError);
}

TEST_F(Images, LabelsBeyondTheClassesAreRefused) {
  open({});
  const auto message = [&](std::uint8_t label, std::uint32_t numClasses) {
    folder_.write("labels", idx({1}, {label}));
    return messageOf<FileError>(
        [&] { ImageSource(folder_ / "images", folder_ / "labels", {.numClasses = numClasses}); });
  };
  EXPECT_EQ(message(9, 10), "");
  EXPECT_EQ(message(46, 47), ""); // letters and digits in the same format
  EXPECT_THAT(message(10, 10), HasSubstr("labels: byte 8: label 10; it must be 0 to 9"));
  EXPECT_THAT(message(200, 10), HasSubstr("labels: byte 8: label 200; it must be 0 to 9"));
}

TEST_F(Images, LabelsMustFitTheImages) {
  open({});
  folder_.write("labels", idx({2}, {3, 4}));
  EXPECT_THAT(
      messageOf<FileError>([&] { ImageSource(folder_ / "images", folder_ / "labels", {}); }),
      HasSubstr("labels: byte 4: 2 labels"));
}

} // namespace
} // namespace spillway
