#include "train/ReplicaStreams.hpp"

#include "data/BatchBuilder.hpp"
#include "maths/Control.hpp"
#include "maths/Keep.hpp"
#include "maths/Phase.hpp"
#include "train/InputLists.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace spillway {
namespace {

// The columns of a row that lie on one IPU; `scratch` holds them where that is not all of it.
const std::uint16_t* partOf(const std::vector<std::uint16_t>& row,
                            const std::vector<poplar::Interval>& columns,
                            std::vector<std::uint16_t>& scratch) {
  if (columns.size() == 1 && columns.front().size() == row.size()) {
    return row.data();
  }
  scratch.clear();
  for (const poplar::Interval& interval : columns) {
    scratch.insert(scratch.end(), row.begin() + static_cast<std::ptrdiff_t>(interval.begin()),
                   row.begin() + static_cast<std::ptrdiff_t>(interval.end()));
  }
  return scratch.data();
}

} // namespace

ReplicaStreams::ReplicaStreams(const SnnGraph& snn, unsigned index, poplar::Engine& engine)
    : snn_(snn), index_(index), engine_(engine) {
  connectAll();
}

// A graph without replicas reads and writes the buffer itself.
template <class T>
void ReplicaStreams::connect(const char* name, std::vector<T>& buffer, std::size_t size,
                             Direction direction) {
  buffer.resize(size);
  if (!snn_.isReplicated()) {
    engine_.connectStream(name, buffer.data(), buffer.data() + size);
  } else if (direction == Direction::In) {
    engine_.connectStreamToCallback(name, index_, [&buffer](void* to) {
      std::memcpy(to, buffer.data(), buffer.size() * sizeof(T));
    });
  } else {
    engine_.connectStreamToCallback(name, index_, [&buffer](void* from) {
      std::memcpy(buffer.data(), from, buffer.size() * sizeof(T));
    });
  }
}

void ReplicaStreams::connectAll() {
  const Geometry& geometry = snn_.geometry();
  const std::size_t samples = geometry.sequence.numSamples;
  if (geometry.network.readsWords()) {
    connect(host::kWords, words_, samples * geometry.sequence.numSteps, Direction::In);
  } else if (!geometry.spillsSpikes()) {
    connect(host::kInput, input_, samples * geometry.sequence.numSteps * geometry.lists[0].width(),
            Direction::In);
  }
  const std::size_t numLabels =
      samples * (geometry.labelsEveryStep() ? geometry.sequence.numSteps : 1);
  if (geometry.network.loss.kind == LossKind::CrossEntropy) {
    connect(host::kLabels, labels_, numLabels, Direction::In);
  } else {
    connect(host::kLabels, targets_, numLabels * geometry.network.readout.numOutputs,
            Direction::In);
  }
  connect(host::kLossScale, lossScale_, 1, Direction::In);
  if (geometry.network.isGated()) {
    connect(host::kPhase, phase_, kPhaseWords, Direction::In);
  }
  if (snn_.keepsSums()) {
    connect(host::kKeep, keep_, kKeepWords, Direction::In);
  }
  connect(host::kLosses, results_.losses, samples, Direction::Out);
  connect(host::kCorrect, results_.correct, samples, Direction::Out);
  connect(host::kCounts, results_.counts, kCountWords, Direction::Out);
  connect(host::kCounters, results_.counters, geometry.numLayers() * samples * kCountersPerSample,
          Direction::Out);
  if (snn_.numPenalties() != 0) {
    connect(host::kPenalties, results_.penalties, snn_.numPenalties(), Direction::Out);
  }
}

void ReplicaStreams::putInput(const EventBatch& batch) {
  const Geometry& geometry = snn_.geometry();
  if (geometry.network.readsWords()) {
    fillWords(batch, words_);
    return;
  }
  if (!geometry.spillsSpikes()) {
    fillInputLists(batch, 0, batch.numSteps, geometry, input_);
    return;
  }
  const std::size_t steps = geometry.sequence.historySteps;
  for (std::uint32_t block = 0; block < geometry.numHistoryBlocks(); ++block) {
    const std::size_t end = std::min<std::size_t>(batch.numSteps, (block + 1) * steps);
    fillInputLists(batch, block * steps, end, geometry, input_);
    for (const RemoteRows::Part& part : snn_.inputBlocks()) {
      engine_.copyToRemoteBuffer(partOf(input_, part.columns, inputPart_), part.buffer.handle(),
                                 block, index_);
    }
  }
}

void ReplicaStreams::put(const EventBatch& batch, const RunUse& use) {
  requireShape(batch, snn_.geometry());
  if (batch.labels.size() != labels_.size() || batch.targets.size() != targets_.size()) {
    throw std::logic_error("a batch without the labels or targets of the session's loss");
  }
  use_ = use;
  numFillers_ = batch.numFillers;
  numLabels_ = numLabels(batch, snn_.geometry().network.readout.numOutputs);
  putInput(batch);
  std::copy(batch.labels.begin(), batch.labels.end(), labels_.begin());
  std::copy(batch.targets.begin(), batch.targets.end(), targets_.begin());
  lossScale_[0] = use.mean.numLabels == 0 ? 0.0f : 1.0f / static_cast<float>(use.mean.numLabels);
  if (!phase_.empty()) {
    phase_[kTraining] = use.training ? 1 : 0;
    phase_[kMaskKey] = batch.maskKey + use.maskKeyOffset;
    phase_[kContinues] = batch.continues || !batch.carried.empty() ? 1 : 0;
  }
}

void ReplicaStreams::put(const KeptShare& kept) {
  keep_[kKeepActive] = kept.active ? 1 : 0;
  keep_[kKeepSlot] = kept.slot;
  keep_[kKeepMerges] = kept.numMerges;
}

BatchResult ReplicaStreams::result() const {
  BatchResult result = readResult(results_, snn_, use_.mean, numFillers_);
  result.numLabels = labels_.empty() ? 0 : numLabels_;
  for (std::size_t l = 0; !phase_.empty() && use_.training && l < result.layers.size(); ++l) {
    result.loss += snn_.geometry().eventCost(l) * static_cast<double>(result.layers[l].numSpikes);
  }
  return result;
}

} // namespace spillway
