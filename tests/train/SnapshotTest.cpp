
#include "train/Snapshot.hpp"

#include "data/Hdf5File.hpp"
#include "support/TemporaryFolder.hpp"
#include "train/DurableFile.hpp"
#include "train/IoError.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spillway {
namespace {

using testing::HasSubstr;

NetworkSpec exampleNetwork() {
  NetworkSpec network;
  network.numInputs = 2;
  network.layers.resize(1);
  network.layers[0].size = 2;
  network.readout.numOutputs = 1;
  return network;
}

Snapshot exampleSnapshot() {
  Snapshot snapshot;
  snapshot.update = 42;
  snapshot.epoch = 3;
  snapshot.batchInEpoch = 2;
  snapshot.secondsTrained = 1.5;
  snapshot.epochSoFar.lossSum = 0.1;
  snapshot.epochSoFar.layers = {{1, 2, 3}, {4, 5, 6}};
  snapshot.parameters = {{"layer0/weight", {2, 2}, {1.0f, 2.0f, 3.0f, 4.0f}},
                         {"readout/weight", {2, 1}, {5.0f, 6.0f}},
                         {"readout/bias", {1}, {-1.0f}}};
  snapshot.optimiser = {42, {snapshot.parameters, snapshot.parameters}};
  snapshot.optimiser.slots[1][0].values[3] = 9.0f;
  return snapshot;
}

class SnapshotFile : public testing::Test {
protected:
  SnapshotFile() { writeSnapshot(file_, exampleSnapshot()); }
  std::string errorOf() {
    try {
      readSnapshot(file_, exampleNetwork());
    } catch (const IoError& error) {
      return error.what();
    }
    return "no error";
  }
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "s.h5";
};

TEST_F(SnapshotFile, ReadsBackAsWritten) {
  const Snapshot read = readSnapshot(file_, exampleNetwork()), written = exampleSnapshot();
  EXPECT_EQ(read.update, written.update);
  EXPECT_EQ(read.epoch, written.epoch);
  EXPECT_EQ(read.batchInEpoch, written.batchInEpoch);
  EXPECT_EQ(read.epochSoFar.lossSum, written.epochSoFar.lossSum);
  EXPECT_EQ(read.epochSoFar.layers.at(1).numDropped, 6u);
  EXPECT_EQ(read.parameters.at(0).values, written.parameters[0].values);
  EXPECT_EQ(read.parameters.at(0).shape, written.parameters[0].shape);
  EXPECT_EQ(read.optimiser.slots.at(1).at(0).values[3], 9.0f);
}

TEST_F(SnapshotFile, NoticesEveryFlippedByte) {
  const std::string intact = readWhole(file_);
  for (std::size_t at = 512; at < intact.size(); at += 97) {
    std::string content = intact;
    content[at] ^= 1;
    writeDurably(file_, content);
    EXPECT_THAT(errorOf(), HasSubstr("s.h5 is damaged")) << at;
  }
}

TEST_F(SnapshotFile, NoticesThatItIsCutOff) {
  const std::string intact = readWhole(file_);
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, intact.size() - 1}) {
    writeDurably(file_, intact.substr(0, size));
    EXPECT_THAT(errorOf(), HasSubstr("is damaged")) << size;
  }
}

TEST_F(SnapshotFile, IsAnOrdinaryHdf5File) {
  const Hdf5Reader reader(file_);
  EXPECT_THAT(reader.read<double>("layer0/weight").values, testing::ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(reader.shape("optimiser/slot1/layer0/weight"), testing::ElementsAre(2, 2));
}

TEST_F(SnapshotFile, RefusesAnotherNetwork) {
  NetworkSpec other = exampleNetwork();
  other.numInputs = 3;
  EXPECT_THROW(readSnapshot(file_, other), UserError);
}

} // namespace
} // namespace spillway
