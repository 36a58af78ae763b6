#include "TempFolder.hpp"
#include "data/Aedat31.hpp"
#include "data/DvsGesture.hpp"
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

void append(Bytes& bytes, std::uint32_t value, int numBytes) {
  for (int i = 0; i < numBytes; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
}

struct Dvs {
  std::uint32_t x, y, polarity, timeUs, valid = 1;
};

Bytes packet(std::uint32_t type, std::uint32_t overflow, const std::vector<Dvs>& events) {
  Bytes bytes;
  const auto count = static_cast<std::uint32_t>(events.size());
  append(bytes, type, 2);
  append(bytes, 1, 2);
  for (std::uint32_t field : {8u, 4u, overflow, count, count, count}) {
    append(bytes, field, 4);
  }
  for (const Dvs& event : events) {
    append(bytes, event.x << 17 | event.y << 2 | event.polarity << 1 | event.valid, 4);
    append(bytes, event.timeUs, 4);
  }
  return bytes;
}

Bytes recording(const std::vector<Bytes>& packets) {
  const std::string header = "#!AER-DAT3.1\r\n#Format: RAW\r\n#!END-HEADER\r\n";
  Bytes bytes(header.begin(), header.end());
  for (const Bytes& one : packets) {
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  return bytes;
}

const std::vector<Bytes> kPackets = {
    packet(1, 0, {{3, 4, 1, 100}, {5, 6, 0, 200}, {7, 8, 0, 250, 0}}),
    packet(0, 0, {{0, 0, 0, 260}}), // a special event, to be skipped
    packet(1, 0, {{127, 127, 0, 300}, {0, 0, 1, 400}}),
    packet(1, 1, {{1, 1, 1, 5}}),
};

TEST(Aedat31, ReadsValidPolarityEventsOfATimeRange) {
  const TempFolder folder;
  const Aedat31File file(folder.write("user01_light.aedat", recording(kPackets)),
                         kDvsGestureSensor);
  EXPECT_EQ(file.events(0, 1000).size(), 4u);
  const std::vector<SensorEvent> some = file.events(200, 400);
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0].x, 5);
  EXPECT_EQ(some[0].y, 6);
  EXPECT_EQ(some[0].polarity, 0);
  EXPECT_EQ(some[1].timeUs, 300);
  const std::int64_t late = (std::int64_t{1} << 31) + 5;
  EXPECT_EQ(file.events(late, late + 1).size(), 1u);
}

TEST(Aedat31, EveryTruncationIsRefusedOrEndsAtAPacket) {
  const TempFolder folder;
  const auto path = folder.write("user01_light.aedat", recording(kPackets));
  const std::size_t size = test::bytesOf(path).size();
  const std::size_t numRefused = test::readEveryPrefix<FileError>(
      path, 1, [&] { Aedat31File(path, kDvsGestureSensor).events(0, 1000); });
  // The prefixes of 1 to 3 whole packets are files: only labels tell that they were longer.
  EXPECT_EQ(numRefused, size - 3);
  const auto read = [&] { Aedat31File(path, kDvsGestureSensor).events(0, 1000); };
  EXPECT_GT(test::readWithDamagedBytes<FileError>(path, 1, read), 0u);
  test::readMutations<FileError>(path, 1, 500, read);
}

TEST(Aedat31, ErrorsNameFileAndOffset) {
  const TempFolder folder;
  const auto message = [&](const Bytes& bytes) {
    const auto path = folder.write("a.aedat", bytes);
    return messageOf<FileError>([&] { Aedat31File(path, kDvsGestureSensor).events(0, 1000); });
  };
  const std::size_t start = recording({}).size();
  EXPECT_THAT(message({'#', '!', 'A', 'E', 'R', '-', 'D', 'A', 'T', '2', '.', '0', '\n'}),
              HasSubstr("a.aedat: byte 0: does not start with #!AER-DAT3.1"));
  EXPECT_THAT(message(recording({packet(1, 0, {{200, 4, 1, 100}})})),
              HasSubstr("byte " + std::to_string(start + 28) + ": event at x = 200"));
  Bytes cut = recording({kPackets[0]});
  cut.pop_back();
  EXPECT_THAT(message(cut), HasSubstr("byte " + std::to_string(start) + ": packet of type 1"));
  EXPECT_THAT(message(recording({kPackets[1]})),
              HasSubstr("byte " + std::to_string(start + 36) + ": the file ends without an event"));
}

TEST(Aedat31, CountsOfAPacketMustFitTogether) {
  const TempFolder folder;
  // The words of the header after type and source.
  enum Word { kEventSize, kTimePlace, kOverflow, kCapacity, kNumber, kValid };
  const auto message = [&](Word word, std::uint8_t value) {
    Bytes bytes = recording({kPackets[0]});
    bytes[recording({}).size() + 4 + 4 * word] = value;
    const auto path = folder.write("a.aedat", bytes);
    return messageOf<FileError>([&] { Aedat31File(path, kDvsGestureSensor); });
  };
  const std::string place = "a.aedat: byte " + std::to_string(recording({}).size()) + ": packet";
  EXPECT_EQ(message(kValid, 2), "");
  EXPECT_THAT(message(kValid, 4), HasSubstr(place + " of type 1 with 3 of 3 events, 4 of them"));
  EXPECT_THAT(message(kNumber, 4), HasSubstr(place));
  EXPECT_THAT(message(kCapacity, 2), HasSubstr(place));
  EXPECT_THAT(message(kTimePlace, 0), HasSubstr(place));
  EXPECT_THAT(message(kEventSize, 4), HasSubstr(place));
}

TEST(Aedat31, TimesThatFallAreRefused) {
  const TempFolder folder;
  const auto message = [&](const std::vector<Bytes>& packets) {
    const auto path = folder.write("a.aedat", recording(packets));
    return messageOf<FileError>([&] { Aedat31File(path, kDvsGestureSensor).events(0, 1000); });
  };
  const std::size_t start = recording({}).size();
  const auto at = [&](std::size_t offset) { return "byte " + std::to_string(start + offset); };
  EXPECT_EQ(message({kPackets[0], kPackets[2]}), "");
  EXPECT_THAT(
      message({kPackets[2], kPackets[0]}),
      HasSubstr(at(28 + 16) + ": packet from 100 us to 250 us, after one that ends at 400"));
  EXPECT_THAT(message({packet(1, 0, {{1, 1, 1, 9}, {1, 1, 1, 8}})}),
              HasSubstr(at(0) + ": packet from 9 us to 8 us"));
  EXPECT_THAT(message({packet(1, 0, {{1, 1, 1, 5}, {1, 1, 1, 9}, {1, 1, 1, 8}, {1, 1, 1, 9}})}),
              HasSubstr(at(28 + 16) + ": event at 8 us, after one at 9 us"));
  EXPECT_THAT(message({packet(1, 0, {{1, 1, 1, 5}, {1, 1, 1, 99}, {1, 1, 1, 9}})}),
              HasSubstr(at(28 + 8) + ": event at 99 us, after one at 5 us in a packet that ends"));
  EXPECT_THAT(message({packet(1, 0, {{1, 1, 1, 0x80000005u}})}),
              HasSubstr(at(28 + 4) + ": a negative time"));
}

TEST(DvsGesture, ASampleIsATrialBinnedFromItsStart) {
  const TempFolder folder;
  folder.write("user01_light.aedat", recording(kPackets));
  folder.write("user01_light_labels.csv",
               std::string("class,startTime_usec,endTime_usec\n3,200,350\r\n11,300,500\n"));
  folder.write("trials_to_train.txt", std::string("user01_light.aedat\n\n"));
  const DvsGesture source(folder / "trials_to_train.txt",
                          {.numSteps = 3, .stepUs = 50.0, .downsample = 64});
  ASSERT_EQ(source.size(), 2u);
  EXPECT_EQ(source.sample(0).label, 2);
  EXPECT_EQ(source.sample(1).label, 10);
  EXPECT_THAT(source.sample(0).events, ElementsAre(Event{0, 0}, Event{2, 3}));
  EXPECT_THAT(source.sample(1).events, ElementsAre(Event{0, 3}, Event{2, 4}));
}

// A recording that was cut off between two packets is found out by its labels alone.
TEST(DvsGesture, TrialsOutsideTheirRecordingAreRefused) {
  const TempFolder folder;
  folder.write("trials_to_train.txt", std::string("user01_light.aedat\n"));
  const auto message = [&](const std::vector<Bytes>& packets, const std::string& trial) {
    folder.write("user01_light.aedat", recording(packets));
    folder.write("user01_light_labels.csv",
                 "class,startTime_usec,endTime_usec\n1,110,120\n" + trial + "\n");
    return messageOf<FileError>([&] { DvsGesture(folder / "trials_to_train.txt", {}); });
  };
  const std::vector<Bytes> cut(kPackets.begin(), kPackets.begin() + 1);
  const std::vector<Bytes> longer(kPackets.begin(), kPackets.begin() + 3);
  EXPECT_EQ(message(longer, "2,100,401"), "");
  EXPECT_THAT(message(cut, "2,100,401"),
              HasSubstr("user01_light_labels.csv: byte 44: trial from 100 to 401 us, but "));
  EXPECT_THAT(message(cut, "2,100,401"),
              HasSubstr("user01_light.aedat has events from 100 to 251"));
  EXPECT_THAT(message(longer, "2,99,200"), HasSubstr("byte 44: trial from 99 to 200 us"));
  EXPECT_THAT(message(longer, "2,2000,3000"), HasSubstr("byte 44: trial from 2000 to 3000 us"));
}

TEST(DvsGesture, DamagedLabelsNameTheirOffset) {
  const TempFolder folder;
  const auto path = folder.write(
      "labels.csv", std::string("class,startTime_usec,endTime_usec\n3,200,350\r\n11,300,500\n"));
  const auto read = [&] { readGestureLabels(path); };
  EXPECT_GT(test::readWithDamagedBytes<FileError>(path, 1, read), 0u);
  test::readMutations<FileError>(path, 1, 500, read);
}

TEST(DvsGesture, LabelsWithoutNamesOfColumnsAreRefused) {
  const TempFolder folder;
  folder.write("labels.csv", std::string("1,5,9\n2,10,20\n")); // the first would be lost
  EXPECT_THAT(messageOf<FileError>([&] { readGestureLabels(folder / "labels.csv"); }),
              HasSubstr("labels.csv: byte 0: begins with a trial"));
}

TEST(DvsGesture, ListsAndLabelsThatNameNothingAreRefused) {
  const TempFolder folder;
  folder.write("user01_light.aedat", recording(kPackets));
  const auto message = [&](const std::string& list, const std::string& labels) {
    folder.write("trials_to_train.txt", list);
    folder.write("user01_light_labels.csv", labels);
    return messageOf<FileError>([&] { DvsGesture(folder / "trials_to_train.txt", {}); });
  };
  const std::string names = "class,startTime_usec,endTime_usec\n";
  EXPECT_EQ(message("user01_light.aedat\n", names + "1,110,120\n"), "");
  EXPECT_THAT(message("user01_light.aedat\n", names),
              HasSubstr("user01_light_labels.csv: byte 34: the file ends without a trial"));
  EXPECT_THAT(message("\n", names), HasSubstr("trials_to_train.txt: byte 1: the file ends"));
  EXPECT_THAT(message("user01_light.aedat\nuser02.aedat\n", names + "1,110,120\n"),
              HasSubstr("trials_to_train.txt: byte 19: there is no recording "));
}

TEST(DvsGesture, LabelsOutsideTheirRangeAreRefused) {
  const TempFolder folder;
  const auto message = [&](const std::string& line) {
    folder.write("labels.csv", "class,startTime_usec,endTime_usec\n1,5,9\n" + line + "\n");
    return messageOf<FileError>([&] { readGestureLabels(folder / "labels.csv"); });
  };
  EXPECT_EQ(message("2,10,20"), "");
  for (const char* bad : {"12,10,20", "0,10,20", "2,20,10", "2,10", "2,10,20,30", "two,10,20",
                          "2,,20", "2,-1,20", "2,9223372036854775000,9223372036854775001"}) {
    EXPECT_THAT(message(bad), HasSubstr("labels.csv: byte 40: '")) << bad;
  }
}

} // namespace
} // namespace spillway
