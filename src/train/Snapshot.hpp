// Where a run stands, on disk: all that a bit-exact continuation needs.
//
// snapshots/update-000000000123.h5 is HDF5 behind a user block of 512 bytes that holds a checksum
// of the rest: parameters under their own names ("layer0/weight"), the optimiser's under
// "optimiser/slot0/layer0/weight", numbers in the group "run"; where batches go on from one
// another, what the next one starts from in "sequence".
#pragma once

#include "train/RunningMean.hpp"
#include "train/TrainingSession.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace spillway {

struct Snapshot {
  std::uint64_t update = 0;       // updates done
  std::uint64_t epoch = 0;        // being run
  std::uint64_t batchInEpoch = 0; // next batch of that epoch
  RunningMean epochSoFar;         // of the epoch being run
  RunningMean sinceRecord;        // since the last record of the metrics
  double secondsSinceRecord = 0.0;
  std::uint64_t numRecords = 0; // of the metrics, so far
  RunningMean endedEpoch;       // the epoch that ends where the run stands; else empty
  std::optional<RunningMean> validation, test; // after it, where they were evaluated
  double bestTestAccuracy = 0.0;
  // Over all sittings:
  double secondsTrained = 0.0;
  double reduceSeconds = 0.0; // as SharedBatches counts them
  TransferCounts transfers;
  std::uint64_t peakMemoryBytes = 0;
  ParameterSet parameters;
  OptimiserState optimiser;
  SequenceState sequence; // empty where no batch goes on from the one before
};

void writeSnapshot(const std::filesystem::path& file, const Snapshot& snapshot); // throws IoError
// Throws IoError when the file cannot be read or its checksum differs, UserError when its content
// is no snapshot of this network.
Snapshot readSnapshot(const std::filesystem::path& file, const NetworkSpec& network);

// The snapshots of one folder, the latest N of which are kept.
class SnapshotStore {
public:
  SnapshotStore(std::filesystem::path folder, std::uint32_t keep);

  std::filesystem::path save(const Snapshot& snapshot); // then removes the oldest beyond `keep`

  // The newest that is intact; `damaged` receives one line for each newer one that is not.
  std::optional<Snapshot> loadNewest(const NetworkSpec& network,
                                     std::vector<std::string>& damaged) const;

  std::vector<std::filesystem::path> files() const; // oldest first
  std::uint64_t newestUpdate() const;               // by its name, intact or not; 0: there is none

private:
  std::filesystem::path folder_;
  std::uint32_t keep_;
};

} // namespace spillway
