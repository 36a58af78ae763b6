// What a run measures, as one record a line in metrics.jsonl and one row in metrics.csv.
#pragma once

#include "network/NetworkSpec.hpp"
#include "train/DurableFile.hpp"
#include "train/RunningMean.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace spillway {

class RunFolder;

enum class MetricsKind {
  Train,
  Epoch,
  Validation,
  Test
}; // since the last record; a whole epoch; samples held out; the test data

struct MetricsRecord {
  MetricsKind kind = MetricsKind::Train;
  std::uint64_t update = 0; // done when the record was made
  std::uint64_t epoch = 0;  // from 1
  RunningMean mean;
  std::optional<double> learningRate;     // Train
  double seconds = 0.0;                   // trained so far, over all sittings
  std::optional<double> samplesPerSecond; // Train
  std::optional<double> reduceShare;      // Train, several ranks: of this rank's time
  std::uint64_t peakMemoryBytes = 0;      // of the process
};

// Record fields: kind, update, epoch, loss, perplexity (of language
// models), accuracy, learningRate, seconds, samplesPerSecond,
// reduceShare (of the time, spent on summing over ranks and waiting for them), peakMemoryBytes,
// droppedInputs, sparsity (share of neuron steps without a spike) and, per layer, rate (spikes per
// neuron and step), gradientShare (neuron steps that received a gradient; not for evaluations) and
// dropped (spikes over the cap).
class MetricsWriter {
public:
  // Continues the files of the folder after their first `numRecords` records, less what was
  // recorded after `lastUpdate` updates. Throws UserError where a line is no record.
  MetricsWriter(const RunFolder& folder, const NetworkSpec& network, std::uint32_t numSteps,
                std::uint64_t numRecords, std::uint64_t lastUpdate);

  void write(const MetricsRecord& record);
  std::uint64_t numRecords() const { return numRecords_; } // in the files by now

private:
  std::vector<std::uint32_t> layerSizes_;
  std::uint32_t numSteps_;
  bool readsWords_;
  std::uint64_t numRecords_ = 0;
  std::optional<AppendFile> json_, csv_;
};

} // namespace spillway
