#include "TempFolder.hpp"
#include "data/BatchFile.hpp"
#include "data/FileBytes.hpp"
#include "data/ParameterFile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hdf5.h>

#include <limits>

namespace spillway {
namespace {

using test::messageOf;
using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

NetworkSpec network() {
  NetworkSpec network;
  network.numInputs = 4;
  network.layers.resize(1);
  network.layers[0].size = 3;
  network.layers[0].bias = true;
  network.readout.numOutputs = 2;
  return network;
}

TEST(ParameterFile, ReturnsWhatWasWritten) {
  const TempFolder folder;
  const ParameterSet parameters = initialParameters(network(), 5, 1.0);
  {
    Hdf5Writer writer(folder / "weights.h5");
    writeParameters(writer, parameters);
    writeParameters(writer, parameters, "gradients/");
    writer.close();
  }
  const Hdf5Reader reader(folder / "weights.h5");
  EXPECT_TRUE(reader.has("layer0/weight"));
  EXPECT_FALSE(reader.has("layer1/weight"));
  for (const char* prefix : {"", "gradients/"}) {
    const ParameterSet read = readParameters(reader, network(), prefix);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      EXPECT_EQ(read[i].values, parameters[i].values);
    }
  }
}

TEST(ParameterFile, OtherShapesAndMissingTensorsAreNamed) {
  const TempFolder folder;
  {
    Hdf5Writer writer(folder / "weights.h5");
    writeParameters(writer, initialParameters(network(), 5, 1.0));
  }
  const Hdf5Reader reader(folder / "weights.h5");
  NetworkSpec other = network();
  other.layers[0].size = 7;
  EXPECT_THAT(messageOf<FileError>([&] { readParameters(reader, other); }),
              HasSubstr("'layer0/weight': has shape [4, 3]; it must be [4, 7]"));
  other = network();
  other.layers[0].recurrent = true;
  EXPECT_THAT(messageOf<FileError>([&] { readParameters(reader, other); }),
              HasSubstr("weights.h5: data set 'layer0/recurrent': cannot be opened"));
}

EventBatch smallBatch() {
  EventBatch batch;
  batch.numSteps = 2;
  batch.numSamples = 2;
  batch.numInputs = 4;
  batch.maxEvents = 3;
  batch.ids = {0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 1, 3};
  batch.counts = {2, 1, 0, 3};
  batch.labels = {1, 0};
  return batch;
}

TEST(BatchFile, ReturnsWhatWasWritten) {
  const TempFolder folder;
  EventBatch batch = smallBatch();
  batch.targets = {0.5f, 1.0f, -1.0f, 2.0f};
  {
    Hdf5Writer writer(folder / "batch.h5");
    writeBatch(writer, batch, 2);
  }
  const Hdf5Reader reader(folder / "batch.h5");
  EXPECT_THAT(reader.shape("batch/targets"), ElementsAre(2, 2));
  const EventBatch read = readBatch(reader, 3);
  EXPECT_EQ(read.ids, batch.ids);
  EXPECT_EQ(read.counts, batch.counts);
  EXPECT_EQ(read.labels, batch.labels);
  EXPECT_EQ(read.targets, batch.targets);
  EXPECT_EQ(read.numInputs, 4u);
  EXPECT_THAT(messageOf<FileError>([&] { readBatch(reader, 2); }),
              HasSubstr("step 1, sample 1 has 3 events; the network takes at most 2"));
}

TEST(BatchFile, TakesARaster) {
  const TempFolder folder;
  {
    Hdf5Writer writer(folder / "batch.h5");
    const std::vector<std::uint8_t> raster = {1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 9};
    writer.write<std::uint8_t>("batch/raster", {2, 2, 4}, raster);
  }
  const EventBatch read = readBatch(Hdf5Reader(folder / "batch.h5"), 3);
  EXPECT_EQ(read.ids, smallBatch().ids);
  EXPECT_EQ(read.counts, smallBatch().counts);
}

TEST(BatchFile, TakesARasterOfManyBlocks) {
  const TempFolder folder;
  constexpr std::size_t kSteps = 45, kSamples = 3, kInputs = 30000;
  const auto idAt = [](std::size_t row) { return (7919 * row) % kInputs; };
  {
    std::vector<std::uint8_t> raster(kSteps * kSamples * kInputs);
    for (std::size_t row = 0; row < kSteps * kSamples; ++row) {
      raster[row * kInputs + idAt(row)] = 1;
    }
    Hdf5Writer writer(folder / "batch.h5");
    writer.write<std::uint8_t>("batch/raster", {kSteps, kSamples, kInputs}, raster);
  }
  const EventBatch read = readBatch(Hdf5Reader(folder / "batch.h5"), 1);
  ASSERT_EQ(read.ids.size(), kSteps * kSamples);
  for (std::size_t row = 0; row < read.ids.size(); ++row) {
    EXPECT_EQ(read.counts[row], 1u) << row;
    EXPECT_EQ(read.ids[row], idAt(row)) << row;
  }
}

TEST(BatchFile, KeepsValuesWhereAsked) {
  const TempFolder folder;
  EventBatch batch = smallBatch();
  batch.values = {0.5f, -2.0f, 0.0f, 3.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 2.0f, 4.0f};
  {
    Hdf5Writer writer(folder / "batch.h5");
    writeBatch(writer, batch, 2);
    Hdf5Writer raster(folder / "raster.h5");
    const std::vector<float> values = {0.5f, 0, -2.0f, 0, 0, 3.0f, 0, 0,
                                       0,    0, 0,     0, 1, 2.0f, 0, 4.0f};
    raster.write<float>("batch/raster", {2, 2, 4}, values);
  }
  EXPECT_EQ(readBatch(Hdf5Reader(folder / "batch.h5"), 3, Values::Keep).values, batch.values);
  EXPECT_EQ(readBatch(Hdf5Reader(folder / "raster.h5"), 3, Values::Keep).values, batch.values);
  EXPECT_TRUE(readBatch(Hdf5Reader(folder / "batch.h5"), 3).values.empty());
}

TEST(BatchFile, RefusesValuesThatAreNotFinite) {
  const TempFolder folder;
  EventBatch batch = smallBatch();
  batch.values.assign(12, 1.0f);
  batch.values[3] = std::numeric_limits<float>::infinity();
  {
    Hdf5Writer writer(folder / "batch.h5");
    writeBatch(writer, batch, 2);
  }
  EXPECT_THAT(
      messageOf<FileError>([&] { readBatch(Hdf5Reader(folder / "batch.h5"), 3, Values::Keep); }),
      HasSubstr("'batch/values': step 0, sample 1 holds a value that is not finite"));
}

TEST(BatchFile, KeepsTheMaskKeyAndCarriedStates) {
  const TempFolder folder;
  EventBatch batch = smallBatch();
  batch.maskKey = 0xFEDCBA98;
  batch.carried.layers = {{1, 2, 3, 4, 5, 6}, {-1, 0.5f}};
  batch.carried.readout = {7, 8, 9, 10};
  {
    Hdf5Writer writer(folder / "batch.h5");
    writeBatch(writer, batch, 2);
    Hdf5Writer other(folder / "other.h5");
    batch.carried.layers[0].resize(3); // one sample's
    batch.carried.layers[0].resize(6, std::numeric_limits<float>::infinity());
    writeBatch(other, batch, 2);
  }
  const EventBatch read = readBatch(Hdf5Reader(folder / "batch.h5"), 3);
  EXPECT_EQ(read.maskKey, 0xFEDCBA98u);
  EXPECT_THAT(read.carried.layers,
              ElementsAre(ElementsAre(1, 2, 3, 4, 5, 6), ElementsAre(-1, 0.5f)));
  EXPECT_THAT(read.carried.readout, ElementsAre(7, 8, 9, 10));
  EXPECT_THAT(messageOf<FileError>([&] { readBatch(Hdf5Reader(folder / "other.h5"), 3); }),
              HasSubstr("'batch/carried/layer0': holds a value that is not a finite number"));
}

TEST(BatchFile, RefusesWhatIsNoNumberAndWhatIsNotWhole) {
  const TempFolder folder;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto messageWith = [&](const char* name, const std::vector<std::size_t>& shape,
                               const std::vector<float>& values) {
    {
      Hdf5Writer writer(folder / "batch.h5");
      if (std::string(name) != "batch/raster") {
        writer.write<float>("batch/raster", {1, 1, 2}, std::vector<float>{0, 1});
      }
      writer.write<float>(name, shape, values);
    }
    return messageOf<FileError>([&] { readBatch(Hdf5Reader(folder / "batch.h5"), 0); });
  };
  EXPECT_THAT(messageWith("batch/raster", {2, 1, 2}, {0, 1, 0, nan}),
              HasSubstr("'batch/raster': step 1, sample 0, input 1 is not a number"));
  EXPECT_THAT(messageWith("batch/labels", {1}, {nan}), HasSubstr("'batch/labels': holds nan"));
  EXPECT_THAT(messageWith("batch/labels", {1}, {0.5f}), HasSubstr("whole numbers"));
  EXPECT_THAT(messageWith("batch/targets", {1, 2}, {0, nan}), HasSubstr("'batch/targets'"));
}

TEST(ParameterFile, RefusesWeightsThatAreNoNumbers) {
  const TempFolder folder;
  NetworkSpec network;
  network.numInputs = 2;
  network.layers.resize(1);
  network.layers[0].size = 1;
  network.readout.kind = ReadoutKind::SpikeCount;
  {
    Hdf5Writer writer(folder / "weights.h5");
    writer.write<float>("layer0/weight", {2, 1},
                        std::vector<float>{0, std::numeric_limits<float>::infinity()});
  }
  EXPECT_THAT(
      messageOf<FileError>([&] { readParameters(Hdf5Reader(folder / "weights.h5"), network); }),
      HasSubstr("'layer0/weight': [1, 0] is inf"));
}

TEST(BatchFile, RefusesIdsOutsideTheInputs) {
  const TempFolder folder;
  EventBatch batch = smallBatch();
  batch.ids[1] = 9;
  {
    Hdf5Writer writer(folder / "batch.h5");
    writeBatch(writer, batch, 2);
  }
  EXPECT_THAT(messageOf<FileError>([&] { readBatch(Hdf5Reader(folder / "batch.h5"), 3); }),
              HasSubstr("step 0, sample 0 has id 9 at place 1"));
}

TEST(Hdf5File, ReplacesAFileThatIsOpenElsewhere) {
  const TempFolder folder;
  const auto path = folder / "a.h5";
  Hdf5Writer(path).write<float>("x", 1.0f);
  const Hdf5Reader before(path);
  Hdf5Writer(path).write<float>("x", 2.0f);
  EXPECT_EQ(before.read<float>("x").values[0], 1.0f);
  EXPECT_EQ(Hdf5Reader(path).read<float>("x").values[0], 2.0f);
}

TEST(Hdf5File, ForeignAndMissingFilesAreRefused) {
  const TempFolder folder;
  folder.write("text.h5", std::string("this is no HDF5 file"));
  EXPECT_THAT(messageOf<FileError>([&] { Hdf5Reader(folder / "text.h5"); }),
              HasSubstr("text.h5: byte 0: not a whole HDF5 file"));
  folder.write("packed.h5", test::Bytes{0x1f, 0x8b, 8, 0});
  EXPECT_THAT(messageOf<FileError>([&] { Hdf5Reader(folder / "packed.h5"); }), HasSubstr("gunzip"));
  EXPECT_THROW(Hdf5Reader(folder / "none.h5"), UserError);
}

TEST(BatchFile, DamageIsReadOrRefused) {
  const TempFolder folder;
  const auto path = folder / "batch.h5";
  {
    Hdf5Writer writer(path);
    writeBatch(writer, smallBatch(), 2);
    writeParameters(writer, initialParameters(network(), 5, 1.0));
  }
  const auto read = [&] {
    const Hdf5Reader reader(path);
    readBatch(reader, 3);
    readParameters(reader, network());
  };
  EXPECT_GT(test::readWithDamagedBytes<UserError>(path, 13, read), 0u);
  test::readMutations<UserError>(path, 1, 200, read);
}

} // namespace
} // namespace spillway
