// Spikes as sequences of variable length in HDF5 files.
#include "TempFolder.hpp"
#include "config/Settings.hpp"
#include "data/FileBytes.hpp"
#include "data/OpenDataSet.hpp"
#include "data/ShdSource.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hdf5.h>

#include <algorithm>
#include <cmath>

namespace spillway {
namespace {

using test::messageOf;
using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

enum class Storage { InOnePiece, Chunks, PackedChunks };

// A file in the layout of SHD: times as the library's smallest float, 16-bit units.
void writeShd(const std::filesystem::path& path, const std::vector<std::vector<float>>& times,
              const std::vector<std::vector<std::uint16_t>>& units,
              const std::vector<std::uint16_t>& labels, Storage storage = Storage::InOnePiece) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(file, "spikes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t count = times.size();
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  const auto writeSequences = [&](const char* name, hid_t element, const auto& rows) {
    std::vector<hvl_t> sequences;
    for (const auto& row : rows) {
      sequences.push_back({row.size(), const_cast<void*>(static_cast<const void*>(row.data()))});
    }
    const hid_t type = H5Tvlen_create(element);
    const hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(plan, false); // the same bytes, and so the same damage, in every run
    if (storage != Storage::InOnePiece) {
      const hsize_t chunk = 2;
      H5Pset_chunk(plan, 1, &chunk);
    }
    if (storage == Storage::PackedChunks) {
      H5Pset_shuffle(plan);
      H5Pset_deflate(plan, 6);
    }
    const hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, sequences.data());
    H5Dclose(set);
    H5Pclose(plan);
    H5Tclose(type);
  };
  writeSequences("times", H5T_NATIVE_FLOAT, times);
  writeSequences("units", H5T_NATIVE_UINT16, units);
  const hsize_t numLabels = labels.size();
  const hid_t labelSpace = H5Screate_simple(1, &numLabels, nullptr);
  const hid_t set =
      H5Dcreate2(file, "labels", H5T_STD_U16LE, labelSpace, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, labels.data());
  for (const auto close :
       {H5Dclose(set), H5Sclose(labelSpace), H5Sclose(space), H5Gclose(group), H5Fclose(file)}) {
    ASSERT_GE(close, 0);
  }
}

// Puts one row of real numbers in the place of whole ones: labels, or the only sequence of units.
void replaceByReals(const std::filesystem::path& path, const char* name,
                    const std::vector<double>& values) {
  const bool isSequence = std::string(name) != "labels";
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, name, H5P_DEFAULT);
  const hsize_t count = isSequence ? 1 : values.size();
  const hvl_t sequence{values.size(), const_cast<double*>(values.data())};
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  const hid_t type = isSequence ? H5Tvlen_create(H5T_NATIVE_DOUBLE) : H5Tcopy(H5T_NATIVE_DOUBLE);
  const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
           isSequence ? static_cast<const void*>(&sequence) : values.data());
  for (const auto close : {H5Dclose(set), H5Tclose(type), H5Sclose(space), H5Fclose(file)}) {
    ASSERT_GE(close, 0);
  }
}

TEST(Shd, BinsTimesAndJoinsChannels) {
  const TempFolder folder;
  writeShd(folder / "shd_train.h5", {{0.0f, 0.0125f, 0.5f}, {}}, {{3, 699, 10}, {}}, {4, 1});
  const ShdSource source(folder / "shd_train.h5",
                         {.numSteps = 10, .stepUs = 10000.0, .downsample = 5});
  EXPECT_EQ(source.size(), 2u);
  EXPECT_EQ(source.numClasses(), 20u); // SHD's, where the file names none
  EXPECT_THAT(source.sample(0).events, ElementsAre(Event{0, 0}, Event{1, 139})); // 0.5 s: cut
  EXPECT_EQ(source.sample(0).label, 4);
  EXPECT_TRUE(source.sample(1).events.empty());
}

constexpr Storage kStorages[] = {Storage::InOnePiece, Storage::Chunks, Storage::PackedChunks};

// Three samples in chunks of two, one of them empty.
void writeThree(const std::filesystem::path& path, Storage storage) {
  writeShd(path, {{0.0f, 0.0125f, 0.5f}, {}, {0.25f}}, {{3, 699, 10}, {}, {5}}, {4, 1, 0}, storage);
}

void readThree(const std::filesystem::path& path) {
  const ShdSource source(path, {.numSteps = 100, .stepUs = 10000.0});
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    source.sample(i);
  }
}

TEST(Shd, IsReadFromAnyStorage) {
  const TempFolder folder;
  const auto path = folder / "shd_train.h5";
  for (const Storage storage : kStorages) {
    writeThree(path, storage);
    const ShdSource source(path, {.numSteps = 100, .stepUs = 10000.0});
    for (int again = 0; again < 2; ++again) { // back from the last chunk to the first
      EXPECT_THAT(source.sample(0).events, ElementsAre(Event{0, 3}, Event{1, 699}, Event{50, 10}));
      EXPECT_TRUE(source.sample(1).events.empty());
      EXPECT_THAT(source.sample(2).events, ElementsAre(Event{25, 5}));
    }
  }
}

// References that point anywhere, lengths that nothing holds: read or refused by name, no crash.
TEST(Shd, DamageIsReadOrRefused) {
  const TempFolder folder;
  const auto path = folder / "shd_train.h5";
  for (const Storage storage : kStorages) {
    writeThree(path, storage);
    EXPECT_GT(test::readWithDamagedBytes<UserError>(path, 61, [&] { readThree(path); }), 0u);
    test::readMutations<UserError>(path, 1, 200, [&] { readThree(path); });
  }
}

TEST(Shd, ADamagedReferenceIsNamedWithItsPlace) {
  const TempFolder folder;
  const auto path = folder / "shd_train.h5";
  writeThree(path, Storage::InOnePiece);
  const test::Bytes whole = test::bytesOf(path);
  const std::string magic = "GCOL";
  const auto heap = std::search(whole.begin(), whole.end(), magic.begin(), magic.end());
  ASSERT_NE(heap, whole.end());
  const auto offset = static_cast<std::size_t>(heap - whole.begin());
  const auto messageWith = [&](std::size_t at, std::uint8_t value) {
    test::Bytes damaged = whole;
    damaged[at] = value;
    test::overwrite(path, damaged);
    return messageOf<FileError>([&] { readThree(path); });
  };
  EXPECT_THAT(messageWith(offset, 'X'),
              HasSubstr("shd_train.h5: byte " + std::to_string(offset) +
                        ": no collection of sequences, which row 0 of 'spikes/times' points to"));
  EXPECT_THAT(messageWith(offset + 8 + 6, 1), HasSubstr("would end after the file"));
  // The first object's header follows the collection's; its size is in the second half.
  EXPECT_THAT(messageWith(offset + 16 + 8 + 4, 1), HasSubstr("but its collection has"));
  EXPECT_THAT(messageWith(offset + 16 + 8, 1), HasSubstr("wants 3 times 4"));
  EXPECT_THAT(messageWith(offset + 16, 200), HasSubstr("without the sequence 1 of row 0"));
}

TEST(Shd, WhatDoesNotFitTogetherIsNamed) {
  const TempFolder folder;
  const auto path = folder / "shd_train.h5";
  const auto message = [&] { return messageOf<FileError>([&] { ShdSource(path, {}).sample(0); }); };
  writeShd(path, {{0.0f, 0.1f}}, {{3}}, {0});
  EXPECT_THAT(message(), HasSubstr("sample 0: 2 times, but 1 units"));
  writeShd(path, {{0.1f}}, {{700}}, {0});
  EXPECT_THAT(message(), HasSubstr("spike 0 of unit 700"));
  writeShd(path, {{-0.1f}}, {{7}}, {0});
  EXPECT_THAT(message(), HasSubstr("spike 0 of unit 7 at -0.1"));
  writeShd(path, {{0.1f}}, {{7}}, {0, 1});
  EXPECT_THAT(message(), HasSubstr("one row for each of the 2 labels"));
}

TEST(Shd, LabelsAndUnitsMustBeWholeNumbersInRange) {
  const TempFolder folder;
  const auto path = folder / "shd_train.h5";
  const auto message = [&](const char* name, double value) {
    writeShd(path, {{0.1f}}, {{7}}, {0});
    replaceByReals(path, name, {value});
    return messageOf<FileError>([&] { ShdSource(path, {}).sample(0); });
  };
  EXPECT_EQ(message("labels", 19.0), "");
  EXPECT_EQ(message("spikes/units", 699.0), "");
  for (const double bad : {-1.0, 0.5, 20.0, 1e300, static_cast<double>(NAN)}) {
    EXPECT_THAT(message("labels", bad), HasSubstr("'labels', row 0: label ")) << bad;
  }
  EXPECT_THAT(message("labels", 200.0), HasSubstr("label 200; it must be a whole number, 0 to 19"));
  for (const double bad : {-1.0, 6.5, 700.0, -1e300, static_cast<double>(NAN)}) {
    EXPECT_THAT(message("spikes/units", bad), HasSubstr("sample 0: spike 0 of unit ")) << bad;
  }
  EXPECT_THAT(message("spikes/units", 6.5), HasSubstr("of unit 6.5 at 0.1"));
}

TEST(Shd, TruncatedFilesAreRefused) {
  const TempFolder folder;
  writeShd(folder / "shd_train.h5", {{0.0f, 0.0125f, 0.5f}, {0.25f}}, {{3, 699, 10}, {5}}, {4, 1});
  const auto readAll = [&] {
    const ShdSource source(folder / "shd_train.h5", {.numSteps = 10, .stepUs = 10000.0});
    source.sample(0);
    source.sample(1);
  };
  readAll();
  const std::size_t size = test::bytesOf(folder / "shd_train.h5").size();
  const std::size_t stride = 37;
  EXPECT_EQ(test::readEveryPrefix<UserError>(folder / "shd_train.h5", stride, readAll),
            (size + stride - 1) / stride);
}

// SSC's third file; samples of the training file may be held out instead.
TEST(Shd, AFileForValidationIsUsedWhereNothingIsHeldOut) {
  const TempFolder folder;
  for (const char* name : {"ssc_train.h5", "ssc_test.h5"}) {
    writeThree(folder / name, Storage::InOnePiece);
  }
  DataSettings settings;
  settings.set = "ssc";
  settings.path = folder.path();
  EXPECT_EQ(openDataSet(settings)->numSamples(Split::Validation), 0u);
  writeShd(folder / "ssc_valid.h5", {{0.0f}, {0.1f}}, {{7}, {8}}, {4, 1});
  EXPECT_EQ(openDataSet(settings)->numSamples(Split::Validation), 2u);
  EXPECT_EQ(openDataSet(settings)->numSamples(Split::Train), 3u);
  settings.numValidation = 1;
  EXPECT_EQ(openDataSet(settings)->numSamples(Split::Validation), 1u);
  EXPECT_EQ(openDataSet(settings)->numSamples(Split::Train), 2u);
}

} // namespace
} // namespace spillway
