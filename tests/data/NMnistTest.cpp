#include "data/NMnist.hpp"

#include "TempFolder.hpp"
#include "data/FileBytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spillway {
namespace {

using test::Bytes;
using test::messageOf;
using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

Bytes event(std::uint8_t x, std::uint8_t y, bool on, std::uint32_t timeUs) {
  return {x, y, static_cast<std::uint8_t>((on ? 0x80 : 0) | timeUs >> 16),
          static_cast<std::uint8_t>(timeUs >> 8), static_cast<std::uint8_t>(timeUs)};
}

Bytes events(const std::vector<Bytes>& list) {
  Bytes bytes;
  for (const Bytes& one : list) {
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  return bytes;
}

TEST(NMnist, DecodesFiveBytes) {
  const TempFolder folder;
  const auto path =
      folder.write("1.bs2", events({event(3, 33, true, 0x712345), event(33, 0, false, 299999)}));
  const std::vector<SensorEvent> read = readNMnistFile(path);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].x, 3);
  EXPECT_EQ(read[0].y, 33);
  EXPECT_EQ(read[0].polarity, 1);
  EXPECT_EQ(read[0].timeUs, 0x712345);
  EXPECT_EQ(read[1].polarity, 0);
  EXPECT_EQ(read[1].timeUs, 299999);
}

TEST(NMnist, OverflowMarkersAddTime) {
  const TempFolder folder;
  const auto path = folder.write("1.bs2", events({event(0, 240, false, 0), event(1, 1, true, 5)}));
  ASSERT_EQ(readNMnistFile(path).size(), 1u);
  EXPECT_EQ(readNMnistFile(path)[0].timeUs, 8197);
}

TEST(NMnist, PartialEventsAndForeignBytesNameTheirOffset) {
  const TempFolder folder;
  const Bytes two = events({event(1, 1, true, 5), event(2, 2, true, 6)});
  const auto path = folder.write("00001.bin", two);
  EXPECT_EQ(test::readEveryPrefix<FileError>(path, 1, [&] { readNMnistFile(path); }), 9u);
  Bytes partial(two.begin(), two.end() - 2);
  folder.write("00001.bin", partial);
  EXPECT_THAT(messageOf<FileError>([&] { readNMnistFile(path); }),
              HasSubstr("00001.bin: byte 5: an event needs 5 bytes"));
  folder.write("00001.bin", events({event(1, 1, true, 5), event(77, 2, true, 6)}));
  EXPECT_THAT(messageOf<FileError>([&] { readNMnistFile(path); }),
              HasSubstr("byte 5: event at x = 77"));
}

TEST(NMnist, DamageNeverReadsPastTheEnd) {
  const TempFolder folder;
  const auto path = folder.write(
      "00001.bin", events({event(1, 1, true, 5), event(0, 240, false, 0), event(2, 2, true, 6)}));
  const auto read = [&] { readNMnistFile(path); };
  EXPECT_GT(test::readWithDamagedBytes<FileError>(path, 1, read), 0u);
  test::readMutations<FileError>(path, 1, 500, read);
}

TEST(NMnist, DamagedListsNameTheirOffset) {
  const TempFolder folder;
  const auto path = folder.write("train.txt", std::string("#sample class\n1 5\n2 0\n31 9\n"));
  const auto read = [&] { NMnist::fromList(path, {}); };
  EXPECT_GT(test::readWithDamagedBytes<UserError>(path, 1, read), 0u);
  test::readMutations<UserError>(path, 1, 500, read);
}

TEST(NMnist, ReadsFoldersInTheOrderOfIds) {
  const TempFolder folder;
  for (int digit = 0; digit < 10; ++digit) {
    std::filesystem::create_directories(folder / std::to_string(digit));
  }
  folder.write("7/00001.bin", event(2, 4, true, 1500));
  folder.write("2/00002.bin", event(0, 0, false, 0));
  const NMnist source = NMnist::fromFolders(folder.path(), {.numSteps = 3, .downsample = 2});
  ASSERT_EQ(source.size(), 2u);
  EXPECT_EQ(source.sample(0).label, 7);
  EXPECT_EQ(source.sample(1).label, 2);
  // x = 2/2, y = 4/2, channel 1 of a 17 x 17 grid, 1.5 ms in steps of 1 ms.
  EXPECT_THAT(source.sample(0).events, ElementsAre(Event{1, (17 + 2) * 17 + 1}));
}

TEST(NMnist, ReadsListsAndRefusesBadLines) {
  const TempFolder folder;
  folder.write("12.bs2", event(1, 0, false, 0));
  folder.write("train1K.txt", std::string("#sample #class\n12\t5\n"));
  const NMnist source = NMnist::fromList(folder / "train1K.txt", {.numSteps = 3});
  EXPECT_EQ(source.size(), 1u);
  EXPECT_EQ(source.sample(0).label, 5);
  folder.write("train1K.txt", std::string("#sample #class\n12\t55\n"));
  EXPECT_THAT(messageOf<FileError>([&] { NMnist::fromList(folder / "train1K.txt", {}); }),
              HasSubstr("train1K.txt: byte 15: '12\t55' is not an id and a digit"));
}

TEST(Binning, CutsAtTheStepsAndJoinsPixels) {
  const SensorSize sensor{.width = 5, .height = 3, .polarities = 2};
  const Binning binning{.numSteps = 2, .stepUs = 10.0, .downsample = 2};
  EXPECT_EQ(binnedGrid(sensor, binning).numInputs(), 3u * 2u * 2u);
  const std::vector<SensorEvent> list = {
      {99, 0, 0, 0}, {100, 0, 0, 0}, {109, 4, 2, 1}, {110, 1, 1, 0}, {120, 0, 0, 0}};
  EXPECT_THAT(binEvents(list, sensor, binning, 100),
              ElementsAre(Event{0, 0}, Event{0, 11}, Event{1, 0}));
}

} // namespace
} // namespace spillway
