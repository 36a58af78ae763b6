#include "TempFolder.hpp"
#include "data/FileBytes.hpp"
#include "data/NpyFile.hpp"
#include "data/OpenDataSet.hpp"
#include "data/RasterSource.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <zip.h>

#include <cmath>
#include <cstring>

namespace spillway {
namespace {

using test::Bytes;
using test::messageOf;
using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

Bytes npy(const std::string& descr, const std::string& shape, const Bytes& data,
          const std::string& order = "False") {
  std::string header =
      "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  header.resize((header.size() + 10 + 64) / 64 * 64 - 11, ' ');
  header += '\n';
  Bytes bytes = {0x93,
                 'N',
                 'U',
                 'M',
                 'P',
                 'Y',
                 1,
                 0,
                 static_cast<std::uint8_t>(header.size()),
                 static_cast<std::uint8_t>(header.size() >> 8)};
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

template <typename T>
Bytes raw(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

void writeNpz(const std::filesystem::path& path, const std::map<std::string, Bytes>& entries) {
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  for (const auto& [name, bytes] : entries) {
    zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    zip_file_add(archive, name.c_str(), source, 0);
  }
  ASSERT_EQ(zip_close(archive), 0);
}

TEST(NpyArray, ConvertsEveryKindOfNumber) {
  const auto values = [](const Bytes& bytes) {
    const NpyArray array = NpyArray::parse("a.npy", bytes);
    return std::vector<double>{array[0], array[1]};
  };
  EXPECT_THAT(values(npy("'|b1'", "(2,)", {0, 1})), ElementsAre(0, 1));
  EXPECT_THAT(values(npy("'|u1'", "(2,)", {200, 1})), ElementsAre(200, 1));
  EXPECT_THAT(values(npy("'|i1'", "(2,)", {255, 1})), ElementsAre(-1, 1));
  EXPECT_THAT(values(npy("'<i2'", "(2,)", raw<std::int16_t>({-300, 7}))), ElementsAre(-300, 7));
  EXPECT_THAT(values(npy("'<u4'", "(2,)", raw<std::uint32_t>({4000000000u, 7}))),
              ElementsAre(4e9, 7));
  EXPECT_THAT(values(npy("'<i8'", "(2, 1)", raw<std::int64_t>({-5, 7}))), ElementsAre(-5, 7));
  EXPECT_THAT(values(npy("'<f4'", "(1, 2)", raw<float>({0.5f, -2.0f}))), ElementsAre(0.5, -2));
  EXPECT_THAT(values(npy("'<f8'", "(2,)", raw<double>({0.25, 3.0}))), ElementsAre(0.25, 3));
}

TEST(NpyArray, RefusesWhatItCannotReadWithOffset) {
  const auto message = [](const Bytes& bytes) {
    return messageOf<FileError>([&] { NpyArray::parse("a.npy", bytes); });
  };
  EXPECT_THAT(message({'P', 'K', 3, 4, 0, 0, 0}), HasSubstr("a.npy: byte 0: not a .npy file"));
  EXPECT_THAT(message(npy("'|O'", "(1,)", {0})), HasSubstr("byte 10: elements are '|O'"));
  EXPECT_THAT(message(npy("'>f4'", "(1,)", {0, 0, 0, 0})), HasSubstr("little-endian"));
  EXPECT_THAT(message(npy("'|u1'", "(1,)", {0}, "True")), HasSubstr("Fortran order"));
  EXPECT_THAT(message(npy("'|u1'", "(3,)", {0, 0})), HasSubstr("more elements than bytes"));
  EXPECT_THAT(message(npy("'<f4'", "(1,)", {0, 0})), HasSubstr("the array needs 4 bytes"));
  EXPECT_THAT(message(npy("'|u1'", "(1,)", {0, 0})), HasSubstr("1 bytes follow"));
  EXPECT_THAT(message(npy("'|u1'", "3", {0})), HasSubstr("no shape"));
  EXPECT_THAT(message(npy("'|u1'", "(99999999999, 99999999999, 99999999999)", {0})),
              HasSubstr("more elements than bytes"));
}

TEST(NpyArray, TruncationAndDamageNeverReadPastTheEnd) {
  const TempFolder folder;
  const auto path = folder.write("a.npy", npy("'<u2'", "(3, 2)", Bytes(12, 1)));
  const std::size_t size = test::bytesOf(path).size();
  const auto read = [&] {
    const NpyArray array = NpyArray::read(path);
    for (std::size_t i = 0; i < array.size(); ++i) {
      EXPECT_LE(array[i], 1e5);
    }
  };
  EXPECT_EQ(test::readEveryPrefix<FileError>(path, 1, read), size);
  const auto readAny = [&] { NpyArray::read(path); };
  EXPECT_GT(test::readWithDamagedBytes<FileError>(path, 1, readAny), 0u);
  test::readMutations<FileError>(path, 1, 500, readAny);
}

// Two samples, three steps, four inputs.
const Bytes kSpikes = npy("'|u1'", "(2, 3, 4)",
                          {0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 1, 0});

TEST(RasterSource, ReadsArchivesAndSingleFiles) {
  const TempFolder folder;
  writeNpz(folder / "train.npz",
           {{"x.npy", kSpikes}, {"y.npy", npy("'<i8'", "(2,)", raw<std::int64_t>({4, 0}))}});
  folder.write("test_spikes.npy", kSpikes);
  folder.write("test_labels.npy", npy("'|u1'", "(2,)", {4, 0}));
  for (const char* name : {"train", "test"}) {
    const RasterSource source = RasterSource::open(folder.path(), name, 2);
    EXPECT_EQ(source.size(), 2u);
    EXPECT_EQ(source.numClasses(), 5u);
    EXPECT_FALSE(source.labelPerStep());
    EXPECT_THAT(source.sample(0).events, ElementsAre(Event{0, 1})); // step 2 is cut off
    EXPECT_THAT(source.sample(1).events, ElementsAre(Event{1, 0}));
    EXPECT_EQ(source.sample(0).label, 4);
  }
}

TEST(RasterSource, TakesAGridAndLabelsPerStep) {
  const TempFolder folder;
  Bytes frames(2 * 3 * 2 * 1 * 2, 0);
  frames[3] = 1; // sample 0, step 0, channel 1, x 1
  folder.write("train_spikes.npy", npy("'|b1'", "(2, 3, 2, 1, 2)", frames));
  folder.write("train_labels.npy", npy("'|i1'", "(2, 3)", {1, 255, 0, 0, 0, 2}));
  const RasterSource source = RasterSource::open(folder.path(), "train", 4);
  EXPECT_EQ(source.grid().channels, 2u);
  EXPECT_TRUE(source.labelPerStep());
  EXPECT_THAT(source.sample(0).events, ElementsAre(Event{0, 3}));
  EXPECT_THAT(source.sample(0).stepLabels, ElementsAre(1, -1, 0, -1)); // a step the file lacks
}

TEST(RasterSource, RefusesLabelsAndShapesThatDoNotFit) {
  const TempFolder folder;
  const auto message = [&](const Bytes& spikes, const Bytes& labels) {
    folder.write("train_spikes.npy", spikes);
    folder.write("train_labels.npy", labels);
    return messageOf<FileError>([&] { RasterSource::open(folder.path(), "train", 4); });
  };
  EXPECT_THAT(message(kSpikes, npy("'|u1'", "(3,)", {0, 0, 0})), HasSubstr("one per sample"));
  EXPECT_THAT(message(kSpikes, npy("'<f4'", "(2,)", raw<float>({0.5f, 1.0f}))),
              HasSubstr("label 0: 0.5"));
  EXPECT_THAT(message(npy("'|u1'", "(2,)", {0, 0}), npy("'|u1'", "(2,)", {0, 0})),
              HasSubstr("1 dimensions"));
  EXPECT_THAT(message(kSpikes, npy("'<f8'", "(2,)", raw<double>({0.0, NAN}))),
              HasSubstr("train_labels.npy: label 1: nan"));
}

TEST(RasterSource, SpikesThatAreNotFiniteAreRefused) {
  const TempFolder folder;
  const auto message = [&](const char* descr, const Bytes& spikes) {
    folder.write("train_spikes.npy", npy(descr, "(1, 2, 3)", spikes));
    folder.write("train_labels.npy", npy("'|u1'", "(1,)", {0}));
    // The second step is refused although it is not asked for.
    return messageOf<FileError>([&] { RasterSource::open(folder.path(), "train", 1); });
  };
  EXPECT_EQ(message("'<f4'", raw<float>({0, 1, 0, 0, 0, -1})), "");
  EXPECT_THAT(
      message("'<f4'", raw<float>({0, 1, 0, 0, NAN, 1})),
      HasSubstr("train_spikes.npy: spikes, sample 0, step 1, input 1: nan is not a finite"));
  EXPECT_THAT(message("'<f8'", raw<double>({0, 1, -INFINITY, 0, 0, 1})),
              HasSubstr("spikes, sample 0, step 0, input 2: -inf is not a finite"));
}

TEST(RasterSource, TestLabelsBeyondTheTrainingClassesAreRefused) {
  const TempFolder folder;
  DataSettings settings;
  settings.set = "raster";
  settings.path = folder.path();
  settings.numSteps = 3;
  for (const char* name : {"train", "test"}) {
    folder.write(std::string(name) + "_spikes.npy", kSpikes);
    folder.write(std::string(name) + "_labels.npy", npy("'|u1'", "(2,)", {4, 0}));
  }
  EXPECT_EQ(openDataSet(settings)->info().numOutputs, 5u);
  folder.write("test_labels.npy", npy("'|u1'", "(2,)", {3, 200}));
  EXPECT_THAT(messageOf<FileError>([&] { openDataSet(settings); }),
              HasSubstr("test_labels.npy: label 1: 200; the training data has classes 0 to 4"));
}

TEST(RasterSource, LeavesOtherArraysOfAnArchiveAlone) {
  const TempFolder folder;
  writeNpz(folder / "train.npz", {{"spikes.npy", kSpikes},
                                  {"labels.npy", npy("'|u1'", "(2,)", {4, 0})},
                                  {"names.npy", npy("'<U3'", "(2,)", Bytes(24))},
                                  {"README", {'h', 'i'}}});
  EXPECT_EQ(RasterSource::open(folder.path(), "train", 3).size(), 2u);
}

TEST(Npz, TruncatedAndDamagedArchivesAreRefused) {
  const TempFolder folder;
  const auto path = folder / "train.npz";
  writeNpz(path, {{"spikes.npy", kSpikes}, {"labels.npy", npy("'|u1'", "(2,)", {4, 0})}});
  const std::size_t size = test::bytesOf(path).size();
  EXPECT_EQ(test::readEveryPrefix<FileError>(path, 1, [&] { readNpz(path, {}); }), size);
  const auto read = [&] {
    const RasterSource source = RasterSource::open(folder.path(), "train", 3);
    for (std::uint32_t i = 0; i < source.size(); ++i) {
      source.sample(i);
    }
  };
  EXPECT_GT(test::readWithDamagedBytes<FileError>(path, 1, read), 0u);
  test::readMutations<FileError>(path, 1, 500, read);
  writeNpz(path, {{"other.npy", kSpikes}});
  EXPECT_THAT(messageOf<FileError>([&] { RasterSource::open(folder.path(), "train", 3); }),
              HasSubstr("neither an array 'spikes' nor 'x'"));
}

} // namespace
} // namespace spillway
