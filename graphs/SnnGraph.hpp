// A network on a device: tensors, programs, and the names by which the host reaches them.
#pragma once

#include "graphs/CarriedState.hpp"
#include "graphs/CheckpointedUnroll.hpp"
#include "graphs/Geometry.hpp"
#include "graphs/Lists.hpp"
#include "graphs/LossPass.hpp"
#include "graphs/OptimiserPass.hpp"
#include "graphs/ReplicaSum.hpp"
#include "graphs/Sequencer.hpp"
#include "graphs/UnitTensors.hpp"
#include "network/GradientUse.hpp"
#include "plan/TileBytes.hpp"

#include <poplar/Program.hpp>

#include <optional>
#include <string>

namespace spillway {

// Streams and handles.
namespace host {
inline constexpr const char* kInput = "input"; // stream in, idType, as Lists::stored; where spikes
                                               // are spilled, SnnGraph::inputBlocks
inline constexpr const char* kWords = "words"; // stream in, INT [numSteps][numSamples], in the
                                               // place of kInput where the network reads words
inline constexpr const char* kLabels = "labels";       // stream in, as LossTensors::labelsOfHost
inline constexpr const char* kLossScale = "lossScale"; // stream in, FLOAT []; 1 / number of labels
inline constexpr const char* kPhase = "phase";   // stream in, UNSIGNED_INT [kPhaseWords]; gated
inline constexpr const char* kHyper = "hyper";   // stream in, FLOAT [kHyperWords]
inline constexpr const char* kLosses = "losses"; // stream out, FLOAT [numSamples]
inline constexpr const char* kCorrect =
    "correct"; // stream out, UNSIGNED_INT [numSamples]; labels met
inline constexpr const char* kPenalties =
    "penalties"; // stream out, FLOAT; where rates are regularised, or words are read
inline constexpr const char* kCounters = "counters"; // stream out, UNSIGNED_INT [layer][sample][3]
inline constexpr const char* kCounts = "counts";     // stream out, UNSIGNED_INT [kCountWords]
// The table of actions, written by the host before a run; where it has pages, a remote buffer of
// them, and the row of the schedule's first INT [1] is written.
inline constexpr const char* kActions = "actions";
inline constexpr const char* kFirstPage = "firstPage";
// Where the host sums gradients: those of all parameters that are updated, one after the other as
// they lie on the tiles, FLOAT [numGradients]; read and written.
inline constexpr const char* kGradients = "gradients";
inline constexpr const char* kKeep = "keep"; // stream in, UNSIGNED_INT [kKeepWords]
// Parameters "layer0/weight", ... with "gradient/" or "slot0/", "slot1/" before the name; natural
// shapes.
// Where traced: a layer's lists of all steps, idType [numSteps, numSamples, width] ...
std::string listsOf(std::size_t layer);
// ... and a unit's states, FLOAT [numSlots * numSamples * state floats, size].
std::string statesOf(const Geometry& geometry, std::size_t unit);
} // namespace host

// Parts of the names of variables that have room for the longest lists: most of it stays empty.
inline constexpr const char* kPartlyUsed = "history,valueHistory,lateGradients";

// Whether the host can read what the forward pass stored.
enum class HostTrace { None, Everything };

enum ProgramIndex : unsigned {
  kRunSchedule,
  kUpdateParameters,
  kKeepGradients, // where the device sums gradients: after a micro-batch, and after the last
  kSumGradients,
  kNumPrograms
};

class SnnGraph {
public:
  // REQUIRES: our codelets are in the graph; spikes are not spilled where they are traced.
  SnnGraph(poplar::Graph& graph, const NetworkSpec& network, const OptimiserSpec& optimiser,
           const SequenceShape& sequence, const Placement& placement,
           HostTrace trace = HostTrace::None, const GradientSharing& sharing = {});
  SnnGraph(const SnnGraph&) = delete;
  SnnGraph& operator=(const SnnGraph&) = delete;

  const Geometry& geometry() const { return geometry_; }
  const CarriedState& carried() const { return carried_; }
  // By ProgramIndex.
  std::vector<poplar::program::Program> programs() const { return {run_, update_, keep_, sumUp_}; }
  bool isReplicated() const { return numReplicas_ > 1; }
  // Whether a replica keeps sums of its micro-batches, so that kKeepGradients is to be run.
  bool keepsSums() const { return sum_ && sum_->keepsSums(); }
  // Where spikes are spilled: by IPU, the remote buffer that takes its part of the input's blocks.
  const std::vector<RemoteRows::Part>& inputBlocks() const { return inputs_.parts(); }
  // The sizes of its remote buffers.
  const plan::RemoteUse& remote() const { return remote_; }
  // The size of the streams that depend on the layout, in elements.
  std::size_t numPenalties() const;
  std::size_t numGradients() const; // of parameters that are updated
  // By tile, the bytes of the tensors that a plan counts one by one: states, spikes and the values
  // cached with them, weights, gradients, optimiser, adjoint; nothing else is filled in.
  std::vector<plan::MemoryParts> tensorBytes(const poplar::Graph& graph) const;

private:
  poplar::program::Program buildRun(poplar::Graph& graph);
  poplar::program::Program buildClear(poplar::Graph& graph);
  poplar::program::Program buildUpdate(poplar::Graph& graph, const OptimiserSpec& optimiser);
  std::vector<TrainedTensor> trainedTensors(poplar::Graph& graph,
                                            const OptimiserSpec& optimiser) const;
  void nameParameters(poplar::Graph& graph, const OptimiserSpec& optimiser);
  void nameTraces(poplar::Graph& graph);
  void nameGradients(poplar::Graph& graph);

  Geometry geometry_;
  Sequencer sequencer_;
  Lists lists_;
  std::vector<UnitTensors> units_;
  UnrollTensors tensors_;
  LossTensors loss_;
  CarriedState carried_;
  WordSoftmax words_;
  std::vector<TrainedTensor> parameters_;
  RemoteRows inputs_;
  plan::RemoteUse remote_;
  std::vector<TiledTensor> cachedValues_; // by layer
  std::optional<ReplicaSum> sum_;         // where the device sums gradients
  unsigned numReplicas_;
  poplar::program::Program run_, update_, keep_, sumUp_;
};

} // namespace spillway
