#include "train/GraphSession.hpp"

#include "data/BatchBuilder.hpp"
#include "graphs/ActionTable.hpp"
#include "graphs/SnnGraph.hpp"
#include "maths/Control.hpp"
#include "maths/Hyper.hpp"
#include "network/IoError.hpp"
#include "train/Codelets.hpp"
#include "train/ReadTrace.hpp"
#include "train/ReplicaStreams.hpp"
#include "train/SequenceStates.hpp"
#include "train/SessionLayout.hpp"

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <pva/pva.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
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

EngineSettings engineOf(const SessionRequest& request) {
  EngineSettings settings = request.engine;
  settings.partlyUsed = kPartlyUsed;
  return settings;
}

class GraphSession final : public TrainingSession {
public:
  explicit GraphSession(const SessionRequest& request)
      : request_(request),
        acquired_(acquireFor(request)),
        graph_(acquired_.target, poplar::replication_factor(request.device.numReplicas *
                                                            request.device.numProcesses)),
        snn_(withCodelets(graph_, codeletsPath(codeletsFor(request))), request.network,
             request.optimiser, sequenceOf(request),
             placementOf(request, graph_.getTarget().getNumTiles()), hostTraceOf(request),
             request.sharing),
        engine_(graph_, snn_.programs(), engineOptions(engineOf(request), request.device)),
        tensors_(engine_, request.device.numReplicas),
        trainTable_(encodeSchedule(request.schedule)),
        evaluateTable_(
            encodeForwardOnly(request.schedule.numSteps, snn_.geometry().sequence.historySteps)) {
    for (unsigned replica = 0; replica < numReplicas(); ++replica) {
      streams_.push_back(std::make_unique<ReplicaStreams>(snn_, replica, engine_));
    }
    hyper_.resize(kHyperWords);
    engine_.connectStream(host::kHyper, hyper_.data(), hyper_.data() + hyper_.size());
    engine_.load(acquired_.device);
    sendPages();
    clearSlots();
  }

  std::uint32_t numReplicas() const override { return request_.device.numReplicas; }

  BatchResult train(const EventBatch& batch, double learningRate) override {
    const auto step = static_cast<std::uint32_t>(optimiser_.step); // fresh masks every step
    const BatchResult result = run({&batch}, trainTable_, {ofBatch(batch), true, step}).front();
    update(learningRate);
    return result;
  }

  BatchResult differentiate(const EventBatch& batch) override {
    return run({&batch}, trainTable_, {ofBatch(batch), true, 0}).front();
  }
  std::vector<BatchResult> differentiateShares(const Batches& batches,
                                               std::uint64_t numLabels) override {
    return run(batches, trainTable_,
               {MeanOver{numLabels, snn_.geometry().sequence.updateSamples}, true, 0});
  }
  std::vector<BatchResult> evaluateEach(const Batches& batches) override {
    return run(batches, evaluateTable_, {std::nullopt, false, 0});
  }

  std::size_t numGradients() const override { return snn_.numGradients(); }
  void readGradients(const std::vector<float*>& to) const override {
    if (numReplicas() == 1) {
      engine_.readTensor(host::kGradients, to[0], to[0] + numGradients());
      return;
    }
    const auto all = tensors_.readEach<float>(host::kGradients, numGradients());
    for (std::size_t r = 0; r < to.size(); ++r) {
      if (to[r] != nullptr) {
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(r * numGradients()), numGradients(),
                    to[r]);
      }
    }
  }
  void writeGradients(const std::vector<float>& gradients) override {
    tensors_.write(host::kGradients, gradients.data(), gradients.size());
  }
  bool sumsOnDevice() const override { return request_.sharing.use == GradientUse::OnDevice; }
  void keepGradients(const std::vector<KeptShare>& kept) override {
    if (snn_.keepsSums()) {
      for (std::size_t r = 0; r < streams_.size(); ++r) {
        streams_[r]->put(kept[r]);
      }
      engine_.run(kKeepGradients);
    }
  }
  void sumGradients() override { engine_.run(kSumGradients); }

  void update(double learningRate) override {
    const OptimiserSpec& spec = request_.optimiser;
    const double step = static_cast<double>(++optimiser_.step);
    hyper_[kLearningRate] = static_cast<float>(learningRate);
    hyper_[kMeanCorrection] = static_cast<float>(1.0 / (1.0 - std::pow(spec.beta1, step)));
    hyper_[kVarianceCorrection] = static_cast<float>(1.0 / (1.0 - std::pow(spec.beta2, step)));
    engine_.run(kUpdateParameters);
  }

  ParameterSet parameters() const override { return read(""); }
  ParameterSet gradients() const override {
    if (snn_.geometry().sequence.keepsErrors) {
      throw std::logic_error("the session was made for gradients that nobody reads");
    }
    return read("gradient/");
  }
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

  std::vector<SequenceState> sequenceStates() const override {
    return readSequences(tensors_, snn_);
  }
  void setSequenceStates(const std::vector<SequenceState>& states) override {
    writeSequences(states, snn_, tensors_);
  }

  ScheduleCounts scheduleCounts() const override { return streams_.front()->counts(); }

  TransferCounts transfers() const override {
    const auto stalls = transferStalls(engine_);
    return stalls ? TransferCounts{stalls->numTransfers, stalls->numStalls, stalls->seconds,
                                   stalls->stalledCycles, stalls->hiddenCycles}
                  : TransferCounts{};
  }

  std::optional<DeviceTrace> trace() const override {
    if (hostTraceOf(request_) == HostTrace::None || numReplicas() > 1) {
      return std::nullopt;
    }
    return readTrace(engine_, snn_.geometry());
  }

  std::string deviceName() const override { return acquired_.description; }

  const plan::RemoteUse& remote() const { return snn_.remote(); }

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
      tensors_.read(prefix + tensor.name, tensor.values.data(), tensor.values.size());
    }
    return set;
  }

  void write(const std::string& prefix, const ParameterSet& set) {
    for (const ParameterTensor& tensor : set) {
      tensors_.write(prefix + tensor.name, tensor.values.data(), tensor.values.size());
    }
  }

  // Of each layer; empty where it has none.
  std::vector<std::vector<float>> thresholds() const {
    std::vector<std::vector<float>> all(request_.network.layers.size());
    for (std::size_t l = 0; l < all.size(); ++l) {
      if (request_.network.layers[l].kind == LayerKind::Egru) {
        all[l].resize(request_.network.layers[l].size);
        tensors_.read("layer" + std::to_string(l) + "/threshold", all[l].data(), all[l].size());
      }
    }
    return all;
  }

  // What batches bring with them to go on from; replicas whose batch brings nothing stay as they
  // are.
  void sendCarried(const Batches& batches) {
    if (std::none_of(batches.begin(), batches.end(), [](const EventBatch* batch) {
          return batch != nullptr && !batch->carried.empty();
        })) {
      return;
    }
    std::vector<SequenceState> states = sequenceStates();
    for (std::size_t r = 0; r < batches.size(); ++r) {
      if (batches[r] != nullptr && !batches[r]->carried.empty()) {
        states[r] = sequenceFrom(batches[r]->carried, snn_.geometry(), thresholds());
      }
    }
    setSequenceStates(states);
  }

  // What the loss of the batch alone is a mean over.
  MeanOver ofBatch(const EventBatch& batch) const {
    return {numLabels(batch, snn_.geometry().network.readout.numOutputs),
            batch.numSamples - batch.numFillers};
  }

  // Without a mean, that of each batch alone.
  struct Use {
    std::optional<MeanOver> mean;
    bool training;
    std::uint32_t maskKeyOffset;
  };

  std::vector<BatchResult> run(const Batches& batches, const std::vector<unsigned>& table,
                               const Use& use) {
    sendCarried(batches);
    for (std::size_t r = 0; r < batches.size(); ++r) {
      if (batches[r] != nullptr) {
        const MeanOver mean = use.mean ? *use.mean : ofBatch(*batches[r]);
        streams_[r]->put(*batches[r], {mean, use.training, use.maskKeyOffset});
      }
    }
    selectTable(table);
    engine_.run(kRunSchedule);
    std::vector<BatchResult> results(batches.size());
    for (std::size_t r = 0; r < batches.size(); ++r) {
      if (batches[r] != nullptr) {
        results[r] = streams_[r]->result();
      }
    }
    return results;
  }

  void selectTable(const std::vector<unsigned>& table) {
    if (current_ == &table) {
      return;
    }
    current_ = &table;
    const SequenceShape& sequence = snn_.geometry().sequence;
    if (sequence.numActionPages != 0) {
      const int row = &table == &trainTable_ ? 0 : static_cast<int>(numTrainPages_);
      tensors_.write(host::kFirstPage, &row, 1);
      return;
    }
    std::vector<unsigned> padded = table;
    padded.resize(std::size_t{sequence.tableActions} * kActionWords);
    tensors_.write(host::kActions, padded.data(), padded.size());
  }

  // Tables in pages leave the host for good.
  void sendPages() {
    if (snn_.geometry().sequence.numActionPages == 0) {
      return;
    }
    numTrainPages_ = plan::numPages(trainTable_.size() / kActionWords);
    std::uint32_t row = 0;
    for (std::vector<unsigned>* table : {&trainTable_, &evaluateTable_}) {
      std::vector<unsigned> pages = inPages(std::exchange(*table, {}), row);
      constexpr std::size_t kPageWords = std::size_t{plan::kActionsPerPage} * kActionWords;
      for (std::size_t at = 0; at < pages.size(); at += kPageWords) {
        for (unsigned replica = 0; replica < numReplicas(); ++replica) {
          engine_.copyToRemoteBuffer(&pages[at], host::kActions, row, replica);
        }
        ++row;
      }
    }
  }

  SessionRequest request_;
  AcquiredDevice acquired_;
  poplar::Graph graph_;
  SnnGraph snn_;
  mutable poplar::Engine engine_; // reading a tensor does not change what the session is
  mutable ReplicatedTensors tensors_;
  std::vector<unsigned> trainTable_, evaluateTable_;
  std::uint32_t numTrainPages_ = 0;
  const std::vector<unsigned>* current_ = nullptr; // the table on the device
  OptimiserState optimiser_; // slots stay on the device; only the step counts here

  std::vector<float> hyper_;
  std::vector<std::unique_ptr<ReplicaStreams>> streams_; // by replica
};

} // namespace

SessionLedger ledgerOf(const SessionRequest& request) {
  if (request.device.deviceClass != DeviceClass::IpuModel) {
    throw UserError("only the IPU Model (machine.device = model) keeps a ledger of bytes per tile");
  }
  requireRunnable(request);
  SessionRequest accounted = request;
  accounted.engine.account = true;
  GraphSession session(accounted);
  return {session.ledger(), session.remote()};
}

std::unique_ptr<TrainingSession> makeGraphSession(const SessionRequest& request) {
  requireRunnable(request);
  return std::make_unique<GraphSession>(request);
}

} // namespace spillway
