#include "train/GraphSession.hpp"

#include "data/BatchBuilder.hpp"
#include "graphs/ActionTable.hpp"
#include "graphs/SnnGraph.hpp"
#include "maths/Control.hpp"
#include "maths/Hyper.hpp"
#include "maths/Phase.hpp"
#include "network/IoError.hpp"
#include "train/Codelets.hpp"
#include "train/InputLists.hpp"
#include "train/ReadResult.hpp"
#include "train/ReadTrace.hpp"
#include "train/SequenceStates.hpp"
#include "train/SessionLayout.hpp"

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <pva/pva.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace spillway {
namespace {

// Throws IoError: what can go wrong here is a file that cannot be read, or a copy of it that cannot
// be written.
poplar::Graph& withCodelets(poplar::Graph& graph, const std::string& path) {
  try {
    graph.addCodelets(path);
  } catch (const poplar::poplar_error& error) {
    throw IoError("cannot load the codelets " + path + ": " + error.what());
  }
  return graph;
}

std::size_t sizeOf(const ParameterTensor& tensor) {
  std::size_t size = 1;
  for (const std::size_t extent : tensor.shape) {
    size *= extent;
  }
  return size;
}

class GraphSession final : public TrainingSession {
public:
  explicit GraphSession(const SessionRequest& request)
      : request_(request),
        acquired_(acquireFor(request)),
        graph_(acquired_.device.getTarget()),
        snn_(withCodelets(graph_, codeletsPath(codeletsFor(request))), request.network,
             request.optimiser, sequenceOf(request),
             placementOf(request, graph_.getTarget().getNumTiles()), hostTraceOf(request),
             request.gradients),
        engine_(graph_, snn_.programs(), engineOptions(request.engine)),
        trainTable_(encodeSchedule(request.schedule)),
        evaluateTable_(
            encodeForwardOnly(request.schedule.numSteps, snn_.geometry().sequence.historySteps)) {
    connectStreams();
    engine_.load(acquired_.device);
    sendPages();
    clearSlots();
  }

  BatchResult train(const EventBatch& batch, double learningRate) override {
    setPhase(batch, true);
    if (!phase_.empty()) {
      phase_[kMaskKey] += static_cast<std::uint32_t>(optimiser_.step); // fresh masks every step
    }
    const BatchResult result = run(batch, trainTable_, ofBatch(batch));
    update(learningRate);
    return result;
  }

  BatchResult differentiate(const EventBatch& batch) override {
    setPhase(batch, true);
    return run(batch, trainTable_, ofBatch(batch));
  }
  BatchResult differentiateShare(const EventBatch& batch, std::uint64_t numLabels) override {
    setPhase(batch, true);
    return run(batch, trainTable_, {numLabels, snn_.geometry().sequence.updateSamples});
  }
  BatchResult evaluate(const EventBatch& batch) override {
    setPhase(batch, false);
    return run(batch, evaluateTable_, ofBatch(batch));
  }

  std::vector<float> sharedGradients() const override {
    std::vector<float> gradients(snn_.numGradients());
    engine_.readTensor(host::kGradients, gradients.data(), gradients.data() + gradients.size());
    return gradients;
  }
  void update(const std::vector<float>& gradients, double learningRate) override {
    engine_.writeTensor(host::kGradients, gradients.data(), gradients.data() + gradients.size());
    update(learningRate);
  }

  ParameterSet parameters() const override { return read(""); }
  ParameterSet gradients() const override { return read("gradient/"); }
  void setParameters(const ParameterSet& parameters) override { write("", parameters); }

  OptimiserState optimiserState() const override {
    OptimiserState state{optimiser_.step, {}};
    for (std::uint32_t s = 0; s < request_.optimiser.numSlots(); ++s) {
      state.slots.push_back(read("slot" + std::to_string(s) + "/"));
    }
    return state;
  }

  void setOptimiserState(const OptimiserState& state) override {
    optimiser_.step = state.step;
    for (std::size_t s = 0; s < state.slots.size(); ++s) {
      write("slot" + std::to_string(s) + "/", state.slots[s]);
    }
  }

  SequenceState sequenceState() const override { return readSequence(engine_, snn_); }
  void setSequenceState(const SequenceState& state) override {
    writeSequence(state, snn_, engine_);
  }

  ScheduleCounts scheduleCounts() const override { return readCounts(results_); }

  TransferCounts transfers() const override {
    const auto stalls = transferStalls(engine_);
    return stalls ? TransferCounts{stalls->numTransfers, stalls->numStalls, stalls->seconds,
                                   stalls->stalledCycles, stalls->hiddenCycles}
                  : TransferCounts{};
  }

  std::optional<DeviceTrace> trace() const override {
    if (hostTraceOf(request_) == HostTrace::None) {
      return std::nullopt;
    }
    return readTrace(engine_, snn_.geometry());
  }

  std::string deviceName() const override { return acquired_.description; }

  std::vector<plan::MemoryParts> ledger() {
    std::vector<plan::MemoryParts> tiles = snn_.tensorBytes(graph_);
    const std::uint64_t tableBytes = snn_.geometry().sequence.tableActions * kActionWords * 4ull;
    const pva::Report report = engine_.getReport(false);
    for (const pva::Tile& tile : report.compilation().tiles()) {
      const pva::MemoryByCategory category = tile.memory().category();
      const std::uint64_t table = tile.id() == snn_.geometry().controlTile ? tableBytes : 0;
      const std::uint64_t data = category.variable().total() + category.constant().total() +
                                 category.message().total() + category.rearrangement().total();
      plan::MemoryParts& parts = tiles[tile.id()];
      parts.temporaries = data - table - parts.total();
      parts.rest = tile.memory().total().excludingGaps() - data + table;
    }
    return tiles;
  }

private:
  void update(double learningRate) {
    const OptimiserSpec& spec = request_.optimiser;
    const double step = static_cast<double>(++optimiser_.step);
    hyper_[kLearningRate] = static_cast<float>(learningRate);
    hyper_[kMeanCorrection] = static_cast<float>(1.0 / (1.0 - std::pow(spec.beta1, step)));
    hyper_[kVarianceCorrection] = static_cast<float>(1.0 / (1.0 - std::pow(spec.beta2, step)));
    engine_.run(kUpdateParameters);
  }

  // Tensor by tensor: a copy of all slots on the host would be as large as those on the device.
  void clearSlots() {
    for (std::uint32_t s = 0; s < request_.optimiser.numSlots(); ++s) {
      for (ParameterTensor tensor : parameterShapes(request_.network)) {
        tensor.values.resize(sizeOf(tensor));
        write("slot" + std::to_string(s) + "/", {std::move(tensor)});
      }
    }
  }

  ParameterSet read(const std::string& prefix) const {
    ParameterSet set = parameterShapes(request_.network);
    for (ParameterTensor& tensor : set) {
      tensor.values.resize(sizeOf(tensor));
      engine_.readTensor(prefix + tensor.name, tensor.values.data(),
                         tensor.values.data() + tensor.values.size());
    }
    return set;
  }

  void write(const std::string& prefix, const ParameterSet& set) {
    for (const ParameterTensor& tensor : set) {
      engine_.writeTensor(prefix + tensor.name, tensor.values.data(),
                          tensor.values.data() + tensor.values.size());
    }
  }

  template <class T>
  void connect(const char* name, std::vector<T>& buffer, std::size_t size) {
    buffer.resize(size);
    engine_.connectStream(name, buffer.data(), buffer.data() + size);
  }

  void connectStreams() {
    const Geometry& geometry = snn_.geometry();
    const std::size_t samples = geometry.sequence.numSamples;
    if (geometry.network.readsWords()) {
      connect(host::kWords, words_, samples * geometry.sequence.numSteps);
    } else if (!geometry.spillsSpikes()) {
      connect(host::kInput, input_,
              samples * geometry.sequence.numSteps * geometry.lists[0].width());
    }
    const std::size_t numLabels =
        samples * (geometry.labelsEveryStep() ? geometry.sequence.numSteps : 1);
    if (geometry.network.loss.kind == LossKind::CrossEntropy) {
      connect(host::kLabels, labels_, numLabels);
    } else {
      connect(host::kLabels, targets_, numLabels * geometry.network.readout.numOutputs);
    }
    connect(host::kLossScale, lossScale_, 1);
    connect(host::kHyper, hyper_, kHyperWords);
    if (geometry.network.isGated()) {
      connect(host::kPhase, phase_, kPhaseWords);
    }
    connect(host::kLosses, results_.losses, samples);
    connect(host::kCorrect, results_.correct, samples);
    connect(host::kCounts, results_.counts, kCountWords);
    std::size_t numCounters = 0;
    for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
      numCounters += snn_.numCounters(l);
    }
    connect(host::kCounters, results_.counters, numCounters);
    if (snn_.numPenalties() != 0) {
      connect(host::kPenalties, results_.penalties, snn_.numPenalties());
    }
  }

  void setPhase(const EventBatch& batch, bool training) {
    if (!phase_.empty()) {
      phase_[kTraining] = training ? 1 : 0;
      phase_[kMaskKey] = batch.maskKey;
      phase_[kContinues] = batch.continues ? 1 : 0;
    }
  }

  void sendInput(const EventBatch& batch) {
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
      engine_.copyToRemoteBuffer(input_.data(), host::kInput, block);
    }
  }

  // What the loss of the batch alone is a mean over.
  MeanOver ofBatch(const EventBatch& batch) const {
    return {numLabels(batch, snn_.geometry().network.readout.numOutputs), batch.numSamples};
  }

  BatchResult run(const EventBatch& batch, const std::vector<unsigned>& table,
                  const MeanOver& mean) {
    requireShape(batch, snn_.geometry());
    sendInput(batch);
    if (batch.labels.size() != labels_.size() || batch.targets.size() != targets_.size()) {
      throw std::logic_error("a batch without the labels or targets of the session's loss");
    }
    std::copy(batch.labels.begin(), batch.labels.end(), labels_.begin());
    std::copy(batch.targets.begin(), batch.targets.end(), targets_.begin());
    lossScale_[0] = mean.numLabels == 0 ? 0.0f : 1.0f / static_cast<float>(mean.numLabels);
    selectTable(table);
    engine_.run(kRunSchedule);
    BatchResult result = readResult(results_, snn_, mean);
    result.numLabels = labels_.empty() ? 0 : ofBatch(batch).numLabels;
    for (std::size_t l = 0; !phase_.empty() && phase_[kTraining] != 0 && l < result.layers.size();
         ++l) {
      result.loss += snn_.geometry().eventCost(l) * static_cast<double>(result.layers[l].numSpikes);
    }
    return result;
  }

  void selectTable(const std::vector<unsigned>& table) {
    if (current_ == &table) {
      return;
    }
    current_ = &table;
    const SequenceShape& sequence = snn_.geometry().sequence;
    if (sequence.numActionPages != 0) {
      const int row = &table == &trainTable_ ? 0 : static_cast<int>(numTrainPages_);
      engine_.writeTensor(host::kFirstPage, &row, &row + 1);
      return;
    }
    std::vector<unsigned> padded = table;
    padded.resize(std::size_t{sequence.tableActions} * kActionWords);
    engine_.writeTensor(host::kActions, padded.data(), padded.data() + padded.size());
  }

  // Tables in pages leave the host for good.
  void sendPages() {
    if (snn_.geometry().sequence.numActionPages == 0) {
      return;
    }
    numTrainPages_ = numPages(trainTable_.size() / kActionWords);
    std::uint32_t row = 0;
    for (std::vector<unsigned>* table : {&trainTable_, &evaluateTable_}) {
      std::vector<unsigned> pages = inPages(std::exchange(*table, {}), row);
      constexpr std::size_t kPageWords = std::size_t{plan::kActionsPerPage} * kActionWords;
      for (std::size_t at = 0; at < pages.size(); at += kPageWords) {
        engine_.copyToRemoteBuffer(&pages[at], host::kActions, row++);
      }
    }
  }

  SessionRequest request_;
  AcquiredDevice acquired_;
  poplar::Graph graph_;
  SnnGraph snn_;
  mutable poplar::Engine engine_; // reading a tensor does not change what the session is
  std::vector<unsigned> trainTable_, evaluateTable_;
  std::uint32_t numTrainPages_ = 0;
  const std::vector<unsigned>* current_ = nullptr; // the table on the device
  OptimiserState optimiser_; // slots stay on the device; only the step counts here

  std::vector<std::uint16_t> input_;
  std::vector<std::int32_t> labels_, words_;
  std::vector<float> targets_, lossScale_, hyper_;
  std::vector<std::uint32_t> phase_;
  HostResults results_;
};

} // namespace

std::vector<plan::MemoryParts> ledgerOf(const SessionRequest& request) {
  if (request.device.deviceClass != DeviceClass::IpuModel) {
    throw UserError("only the IPU Model (machine.device = model) keeps a ledger of bytes per tile");
  }
  requireRunnable(request);
  SessionRequest accounted = request;
  accounted.engine.account = true;
  return GraphSession(accounted).ledger();
}

std::unique_ptr<TrainingSession> makeGraphSession(const SessionRequest& request) {
  requireRunnable(request);
  return std::make_unique<GraphSession>(request);
}

} // namespace spillway
