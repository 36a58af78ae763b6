#include "graphs/SnnGraph.hpp"

#include "codelets/maths/Hyper.hpp"
#include "graphs/BackwardPass.hpp"
#include "graphs/Dropconnect.hpp"

namespace spillway {
namespace {

using poplar::program::Copy;
using poplar::program::Sequence;

std::string nameOf(const Geometry& geometry, std::size_t unit) {
  return geometry.units[unit].isReadout ? "readout" : "layer" + std::to_string(unit);
}

std::vector<UnitTensors> makeUnits(poplar::Graph& graph, const Geometry& geometry) {
  std::vector<UnitTensors> units;
  for (std::size_t u = 0; u < geometry.units.size(); ++u) {
    units.emplace_back(graph, geometry, u, poplar::DebugContext{nameOf(geometry, u)});
  }
  return units;
}

Copy fromHost(poplar::Graph& graph, const char* name, const poplar::Tensor& tensor) {
  return Copy(graph.addHostToDeviceFIFO(name, tensor.elementType(), tensor.numElements()), tensor);
}

Copy toHost(poplar::Graph& graph, const char* name, const poplar::Tensor& tensor) {
  return Copy(tensor, graph.addDeviceToHostFIFO(name, tensor.elementType(), tensor.numElements()));
}

} // namespace

std::string host::listsOf(std::size_t layer) {
  return "trace/layer" + std::to_string(layer) + "/lists";
}

std::string host::statesOf(const Geometry& geometry, std::size_t unit) {
  return "trace/" + nameOf(geometry, unit) + "/states";
}

SnnGraph::SnnGraph(poplar::Graph& graph, const NetworkSpec& network, const OptimiserSpec& optimiser,
                   const SequenceShape& sequence, const Placement& placement, HostTrace trace,
                   const GradientSharing& sharing)
    : geometry_(network, sequence, placement),
      sequencer_(graph, geometry_, {"sequencer"}),
      lists_(graph, geometry_, {"lists"}),
      units_(makeUnits(graph, geometry_)),
      tensors_(graph, geometry_, {"unroll"}),
      loss_(graph, geometry_, {"loss"}),
      carried_(graph, geometry_, units_, lists_, {"carried"}),
      words_(graph, geometry_, lists_, loss_, carried_.phase(), {"words"}),
      parameters_(trainedTensors(graph, optimiser)),
      numReplicas_(graph.getReplicationFactor()) {
  if (sharing.use == GradientUse::OnDevice) {
    sum_.emplace(graph, geometry_, parameters_, sharing.numMicroBatches,
                 poplar::DebugContext{"replicas"});
    keep_ = sum_->keep(graph);
    sumUp_ = sum_->finish(graph);
  } else {
    keep_ = sumUp_ = Sequence();
  }
  run_ = buildRun(graph);
  update_ = buildUpdate(graph, optimiser);
  nameParameters(graph, optimiser);
  carried_.nameForHost(graph);
  if (trace == HostTrace::Everything) {
    nameTraces(graph);
  }
  if (sharing.use == GradientUse::OnHost) {
    nameGradients(graph);
  }
  if (geometry_.sequence.numActionPages == 0) {
    graph.createHostWrite(host::kActions, sequencer_.actions);
  } else {
    graph.createHostWrite(host::kFirstPage, sequencer_.firstPage);
  }
}

std::size_t SnnGraph::numPenalties() const {
  std::size_t count = 0;
  for (const TiledTensor& penalties : loss_.penalties) {
    count += penalties.flat().numElements();
  }
  return count + (words_.exists() ? words_.penalties().flat().numElements() : 0);
}

std::vector<TrainedTensor> SnnGraph::trainedTensors(poplar::Graph& graph,
                                                    const OptimiserSpec& optimiser) const {
  std::vector<TrainedTensor> trained =
      makeTrainedTensors(graph, geometry_, units_, optimiser, {"optimiser"});
  if (words_.exists()) {
    words_.addTrained(graph, optimiser, trained);
  }
  return trained;
}

std::size_t SnnGraph::numGradients() const {
  std::size_t count = 0;
  for (const TrainedTensor& parameter : parameters_) {
    count += parameter.frozen ? 0 : parameter.gradient.flat().numElements();
  }
  return count;
}

std::vector<plan::MemoryParts> SnnGraph::tensorBytes(const poplar::Graph& graph) const {
  std::vector<plan::MemoryParts> tiles(graph.getTarget().getNumTiles());
  const auto add = [&](const TiledTensor& tensor, std::uint64_t plan::MemoryParts::*part) {
    if (tensor.numPieces() == 0) {
      return;
    }
    const std::size_t elementBytes = graph.getTarget().getTypeSize(tensor.flat().elementType());
    const auto mapping = graph.getTileMapping(tensor.flat());
    for (std::size_t tile = 0; tile < mapping.size(); ++tile) {
      for (const poplar::Interval& interval : mapping[tile]) {
        tiles[tile].*part += interval.size() * elementBytes;
      }
    }
  };
  for (const UnitTensors& unit : units_) {
    add(unit.slots, &plan::MemoryParts::states);
    add(unit.weights, &plan::MemoryParts::weights);
    add(unit.bias, &plan::MemoryParts::weights);
    add(unit.gradient, &plan::MemoryParts::gradients);
    add(unit.biasGradient, &plan::MemoryParts::gradients);
    if (geometry_.sequence.gradientCopies > 1) {
      add(unit.gradientCopies, &plan::MemoryParts::gradients);
    }
    add(unit.adjoint, &plan::MemoryParts::adjoint);
    for (const TiledTensor* extra :
         {&unit.gated.recurrentBias, &unit.gated.threshold, &unit.gated.connected}) {
      add(*extra, &plan::MemoryParts::weights);
    }
    add(unit.gated.recurrentBiasGradient, &plan::MemoryParts::gradients);
    add(unit.gated.thresholdGradient, &plan::MemoryParts::gradients);
    add(unit.gated.gates, &plan::MemoryParts::spikes); // which stay with the lists
  }
  for (std::size_t list = 0; list < geometry_.lists.size(); ++list) {
    add(lists_.history(list), &plan::MemoryParts::spikes);
    add(lists_.begins(list), &plan::MemoryParts::spikes);
  }
  for (const TiledTensor& values : cachedValues_) {
    add(values, &plan::MemoryParts::spikes);
  }
  for (const TrainedTensor& parameter : parameters_) {
    for (const TiledTensor& slot : parameter.slots) {
      add(slot, &plan::MemoryParts::optimiser);
    }
  }
  for (std::size_t p = 0; sum_ && p < sum_->stacks().size(); ++p) {
    add(sum_->stacks()[p], &plan::MemoryParts::gradients);
  }
  return tiles;
}

poplar::program::Program SnnGraph::buildRun(poplar::Graph& graph) {
  Sequence prog({}, {"run"});
  if (words_.exists()) {
    prog.add(fromHost(graph, host::kWords, words_.wordsOfHost()));
  } else if (!geometry_.spillsSpikes()) {
    prog.add(fromHost(graph, host::kInput, lists_.stored(0, 0)));
  }
  prog.add(fromHost(graph, host::kLabels, loss_.labelsOfHost(geometry_)));
  prog.add(fromHost(graph, host::kLossScale, loss_.scale));
  prog.add(buildClear(graph));
  Sequence sequenceLoss({}, {"loss"});
  if (words_.exists()) {
    sequenceLoss.add(words_.loss(graph));
  } else {
    addLoss(graph, geometry_, units_, loss_, sequenceLoss, {"loss"});
  }
  if (geometry_.network.isGated()) {
    prog.add(fromHost(graph, host::kPhase, carried_.phase()));
    prog.add(carried_.restore(graph));
    sequenceLoss.add(carried_.keep());
  }
  if (words_.exists()) {
    prog.add(words_.embed(graph));
  }
  addDropconnect(graph, geometry_, units_, carried_.phase(), DropconnectUse::Weights, prog);
  UnrolledSchedule unrolled =
      checkpointedUnroll(graph, geometry_, units_, lists_, tensors_, sequencer_, loss_,
                         carried_.phase(), words_, sequenceLoss, {"unroll"});
  inputs_ = std::move(unrolled.inputs);
  remote_ = unrolled.remote;
  cachedValues_ = std::move(unrolled.cachedValues);
  prog.add(unrolled.program);
  if (geometry_.sequence.gradientCopies > 1) {
    poplar::ComputeSet copies = graph.addComputeSet({"gradientCopies"});
    addGradientCopies(graph, geometry_, units_, copies);
    prog.add(poplar::program::Execute(copies, {"gradientCopies"}));
  }
  if (words_.exists()) {
    prog.add(words_.addEmbeddingGradient(graph));
  }
  if (!geometry_.sequence.keepsErrors) {
    addDropconnect(graph, geometry_, units_, carried_.phase(), DropconnectUse::Gradients, prog);
  }

  prog.add(toHost(graph, host::kLosses, loss_.losses.flat()));
  prog.add(toHost(graph, host::kCorrect, loss_.correct.flat()));
  std::vector<poplar::Tensor> counters, penalties;
  for (const TiledTensor& layer : tensors_.counters) {
    counters.push_back(layer.flat());
  }
  prog.add(toHost(graph, host::kCounters, poplar::concat(counters)));
  for (const TiledTensor& layer : loss_.penalties) {
    penalties.push_back(layer.flat());
  }
  if (words_.exists()) {
    penalties.push_back(words_.penalties().flat());
  }
  if (!penalties.empty()) {
    prog.add(toHost(graph, host::kPenalties, poplar::concat(penalties)));
  }
  prog.add(toHost(graph, host::kCounts, sequencer_.counts));
  return prog;
}

// What accumulates over a sequence starts from zero.
poplar::program::Program SnnGraph::buildClear(poplar::Graph& graph) {
  poplar::ComputeSet clear = graph.addComputeSet({"clear"});
  lists_.addClear(graph, clear);
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const UnitTensors& unit = units_[u];
    if (!geometry_.formsGradientsLate(u)) {
      unit.gradient.addClear(graph, clear);
    }
    for (const TiledTensor* tensor :
         {&unit.biasGradient, &unit.adjoint, &unit.spikeCounts, &unit.countGradient,
          &unit.gradientCopies, &unit.gated.recurrentBiasGradient, &unit.gated.thresholdGradient}) {
      tensor->addClear(graph, clear); // what a unit has not got has no pieces
    }
  }
  for (std::size_t l = 0; l < geometry_.numLayers(); ++l) {
    for (const TiledTensor* tensor : {&units_[l].carried, &units_[l].ownPartials,
                                      &tensors_.gradients[l], &tensors_.counters[l]}) {
      tensor->addClear(graph, clear);
    }
  }
  // Where all units run the same step, what comes back to a layer is read before it is written.
  for (std::size_t u = 1; u < units_.size(); ++u) {
    if (geometry_.sequence.blockSteps == 1 && geometry_.lists[u].denseGradient) {
      units_[u].partials.addClear(graph, clear);
    }
  }
  if (geometry_.hasReadout()) {
    units_.back().logits.addClear(graph, clear);
  }
  loss_.losses.addClear(graph, clear);
  loss_.correct.addClear(graph, clear);
  sequencer_.addClear(graph, geometry_, clear);
  return poplar::program::Execute(clear, {"clear"});
}

poplar::program::Program SnnGraph::buildUpdate(poplar::Graph& graph,
                                               const OptimiserSpec& optimiser) {
  Sequence prog({}, {"update"});
  poplar::Tensor hyper = graph.addVariable(poplar::FLOAT, {kHyperWords}, {"hyper"});
  graph.setTileMapping(hyper, geometry_.controlTile);
  prog.add(Copy(graph.addHostToDeviceFIFO(host::kHyper, poplar::FLOAT, kHyperWords,
                                          poplar::ReplicatedStreamMode::BROADCAST),
                hyper));
  std::optional<LateGradients> late;
  if (geometry_.sequence.keepsErrors) {
    late.emplace(graph, geometry_, units_, lists_, sequencer_, carried_.phase(),
                 poplar::DebugContext{"lateGradients"});
    prog.add(late->begin());
  }
  const bool whole = geometry_.sequence.wholeGradient; // else the update takes part after part
  if (late && whole) {
    for (std::uint32_t part = 0; part < late->numParts(); ++part) {
      prog.add(late->form(part));
    }
    addDropconnect(graph, geometry_, units_, carried_.phase(), DropconnectUse::Gradients, prog);
  }
  addUpdate(graph, geometry_, parameters_, hyper, optimiser, late && !whole ? &*late : nullptr,
            prog, {"optimiser"});
  return prog;
}

// Weight matrices are cut by columns over the tiles; the host sees them whole.
void SnnGraph::nameParameters(poplar::Graph& graph, const OptimiserSpec& optimiser) {
  const auto access = [&](const std::string& handle, const poplar::Tensor& tensor) {
    graph.createHostRead(handle, tensor);
    graph.createHostWrite(handle, tensor);
  };
  std::size_t next = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const TiledTensor* before = nullptr;
    for (const UnitParameter& parameter : unitParameters(geometry_, u, units_[u])) {
      next += parameter.value == before ? 0 : 1;
      before = parameter.value;
      const auto ofHost = [&](const TiledTensor& tensor) {
        return tensor.sideBySide(parameter.rows, parameter.gates)
            .slice(parameter.begin, parameter.end);
      };
      access(parameter.name, ofHost(*parameter.value));
      if (!geometry_.sequence.keepsErrors) { // else they are there in parts, and not for long
        graph.createHostRead("gradient/" + parameter.name, ofHost(*parameter.gradient));
      }
      for (std::uint32_t s = 0; s < optimiser.numSlots(); ++s) {
        access("slot" + std::to_string(s) + "/" + parameter.name,
               ofHost(parameters_[next - 1].slots[s]));
      }
    }
  }
}

void SnnGraph::nameTraces(poplar::Graph& graph) {
  const SequenceShape& sequence = geometry_.sequence;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const std::size_t rows =
        std::size_t{sequence.numSlots} * sequence.numSamples * geometry_.units[u].stateFloats;
    graph.createHostRead(host::statesOf(geometry_, u), units_[u].slots.sideBySide(rows));
  }
  for (std::size_t l = 0; l < geometry_.numLayers(); ++l) {
    graph.createHostRead(host::listsOf(l),
                         lists_.historyBlock(l + 1, 0).slice(1, sequence.numSteps + 1));
  }
}

void SnnGraph::nameGradients(poplar::Graph& graph) {
  std::vector<poplar::Tensor> gradients;
  for (const TrainedTensor& parameter : parameters_) {
    if (!parameter.frozen) {
      gradients.push_back(parameter.gradient.flat());
    }
  }
  graph.createHostRead(host::kGradients, poplar::concat(gradients));
  graph.createHostWrite(host::kGradients, poplar::concat(gradients));
}

} // namespace spillway
