#include "graphs/CheckpointedUnroll.hpp"

#include "codelets/maths/Control.hpp"
#include "graphs/BackwardPass.hpp"
#include "graphs/ForwardPass.hpp"
#include "graphs/GatedPass.hpp"
#include "graphs/LossPass.hpp"
#include "graphs/PaperPass.hpp"
#include "graphs/Products.hpp"
#include "graphs/ScheduleLoop.hpp"
#include "graphs/SpilledHistory.hpp"
#include "graphs/StateMoves.hpp"
#include "graphs/SurrogateCache.hpp"

#include <algorithm>
#include <optional>

namespace spillway {
namespace {

using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Program;
using poplar::program::RepeatWhileTrue;
using poplar::program::Sequence;

// Everything the programs are made from, passed about as one.
struct Builder {
  poplar::Graph& graph;
  const Geometry& geometry;
  const std::vector<UnitTensors>& units;
  const Lists& lists;
  const UnrollTensors& tensors;
  const Sequencer& sequencer;
  const LossTensors& loss;
  const poplar::Tensor& phase;
  const WordSoftmax& words;
  const SurrogateCache* cache; // or null
  poplar::DebugNameAndId name;

  bool gated() const { return geometry.network.isGated(); }
  bool anyPaper() const {
    return std::any_of(geometry.units.begin(), geometry.units.end(),
                       [](const Unit& unit) { return unit.isPaper(); });
  }

  // What layers in the paper's convention need before the rest of a block; else nothing.
  Program resetGates(ResetUse use) const {
    Sequence prog;
    if (anyPaper()) {
      poplar::ComputeSet set = computeSet("resetGates");
      for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
        if (geometry.units[l].isPaper()) {
          addResetGates(graph, geometry, l, units[l], lists, sequencer, phase, use, set);
        }
      }
      prog.add(Execute(set));
    }
    return prog;
  }

  // Of one of their lists, for all layers that have products formed ahead.
  Program aheadProducts(ListUse use, Direction direction) const {
    Sequence prog;
    poplar::ComputeSet set = computeSet(use == ListUse::Own ? "aheadOwn" : "ahead");
    for (std::size_t l = 0; gated() && l < geometry.numLayers(); ++l) {
      if (direction == Direction::Forward ? geometry.formsInputsAhead(graph, l)
                                          : geometry.multipliesByRow(graph, l)) {
        addAheadProducts(graph, geometry, l, use, direction, units[l], lists, sequencer, phase,
                         set);
      }
    }
    return gated() && !Geometry::exchanges(graph) ? Program(Execute(set)) : Program(Sequence());
  }

  void addGatedUpdate(std::size_t l, ForwardUse use, poplar::ComputeSet set) const {
    geometry.units[l].isPaper()
        ? addPaperForward(graph, geometry, l, units[l], lists, sequencer, phase, use, set)
        : addGatedForward(graph, geometry, l, units[l], lists, sequencer, phase, use, set);
  }

  poplar::ComputeSet computeSet(const char* what) const {
    return graph.addComputeSet({name, what});
  }
  Program advance() const {
    return Copy(sequencer.next, sequencer.control, false, {name, "advance"});
  }

  // Fetches lists, then loops over the action's blocks with `block`, which ends in fetching again.
  Program loopOverBlocks(poplar::ComputeSet fetch, Sequence block, const char* what) const {
    block.add(advance());
    return Sequence({Execute(fetch, {name, what}), advance(),
                     RepeatWhileTrue(Sequence(), sequencer.running, block, {name, what})},
                    {name, what});
  }

  Program update(ForwardUse use) const {
    poplar::ComputeSet set = computeSet(use == ForwardUse::Light ? "lightUpdate" : "update");
    for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
      gated() ? addGatedUpdate(l, use, set)
              : addSpikingForward(graph, geometry, l, units[l], lists, sequencer, use, set);
    }
    if (use == ForwardUse::Light ? geometry.losesAtEveryStep() : geometry.hasReadout()) {
      gated() ? addEventReadoutForward(graph, geometry, units.back(), lists, sequencer, use, set)
              : addReadoutForward(graph, geometry, units.back(), lists, sequencer, use, set);
    }
    sequencer.addNextBlocks(graph, geometry, set);
    return Sequence(
        {resetGates(use == ForwardUse::Light ? ResetUse::Light : ResetUse::First), Execute(set)});
  }

  Program forward() const {
    poplar::ComputeSet compact = computeSet("compact");
    poplar::ComputeSet storeAndFetch = computeSet("storeAndFetch");
    poplar::ComputeSet fetchInput = computeSet("fetchInput");
    for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
      gated() ? addEventCompaction(graph, geometry, l, units[l], lists, sequencer,
                                   tensors.counters[l], compact)
              : addCompaction(graph, geometry, l, units[l], lists, sequencer, tensors.counters[l],
                              compact);
      lists.addStore(graph, l, sequencer, storeAndFetch);
    }
    if (geometry.losesAtEveryStep()) {
      addStepLoss(graph, geometry, units.back(), loss, sequencer, StepLossUse::Accumulate, compact);
    }
    Sequence block({aheadProducts(ListUse::Received, Direction::Forward), update(ForwardUse::First),
                    Execute(compact)});
    if (cache != nullptr) {
      poplar::ComputeSet gather = computeSet("cache");
      for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
        cache->addGather(graph, l, units[l], lists, sequencer, gather);
        cache->addStore(graph, l, sequencer, storeAndFetch);
      }
      block.add(Execute(gather));
    }
    block.add(Execute(storeAndFetch));
    lists.addFetch(graph, 0, sequencer, storeAndFetch);
    lists.addFetch(graph, 0, sequencer, fetchInput);
    return loopOverBlocks(fetchInput, block, "forward");
  }

  Program light() const {
    poplar::ComputeSet fetchAll = computeSet("fetchAll");
    for (std::size_t h = 0; h < geometry.lists.size(); ++h) {
      if (geometry.lightReads(h)) {
        lists.addFetchLight(graph, h, sequencer, fetchAll);
      }
    }
    return loopOverBlocks(fetchAll, Sequence({update(ForwardUse::Light), Execute(fetchAll)}),
                          "light");
  }

  poplar::Tensor stepErrors() const {
    if (!geometry.losesAtEveryStep()) {
      return {};
    }
    const std::size_t rows =
        std::size_t{geometry.sequence.numSamples} * geometry.sequence.blockSteps;
    return loss.stepErrors.flat().reshape({rows, geometry.network.readout.numOutputs});
  }

  void addSpikingAdjoint(std::size_t l, poplar::ComputeSet adjoint, poplar::ComputeSet sum) const {
    const UnitTensors* above = l + 1 < units.size() ? &units[l + 1] : nullptr;
    addSpikingBackward(graph, geometry, l, units[l], above, lists, tensors.gradients[l], cache,
                       sequencer, adjoint);
    if (!geometry.lists[l + 1].denseGradient && !geometry.listsGoBackByLayer(graph, l)) {
      addSumPartials(graph, geometry, l, units, lists, tensors.gradients[l], sequencer, sum);
    }
  }

  // through: of the paper's convention, between adjoint and gradient.
  void addGatedAdjoint(std::size_t l, poplar::ComputeSet adjoint, poplar::ComputeSet through,
                       poplar::ComputeSet sum) const {
    const bool outside = words.exists() && l == geometry.topLayer();
    const poplar::Tensor* fromOutside = outside ? &words.gradients() : nullptr;
    const poplar::Tensor& received = tensors.gradients[l].flat();
    geometry.units[l].isPaper() ? addPaperBackward(graph, geometry, l, units[l], lists, received,
                                                   fromOutside, sequencer, phase, adjoint, through)
                                : addGatedBackward(graph, geometry, l, units[l], lists, received,
                                                   fromOutside, sequencer, phase, adjoint);
    addSumEventPartials(graph, geometry, l, units, lists, tensors.gradients[l], sequencer, sum);
    if (words.exists() && l == 0) {
      words.addKeepInputGradients(graph, units[0], sequencer, sum);
    }
  }

  // Lists are turned round while the adjoint is worked out.
  void addSpikeGradient(std::size_t u, poplar::ComputeSet adjoint,
                        poplar::ComputeSet gradient) const {
    addIndexLists(graph, geometry, u, units[u], lists, sequencer, adjoint);
    addProducts(graph, geometry, u, units[u], lists, sequencer, gradient);
    addWeightGradient(graph, geometry, u, units[u], lists, sequencer, gradient);
  }

  // As above.
  void addEventGradient(std::size_t u, poplar::ComputeSet adjoint, poplar::ComputeSet through,
                        poplar::ComputeSet gradient, poplar::ComputeSet sum) const {
    const UnitTurnedLists turned(graph, geometry, u, {name, "turned" + std::to_string(u)});
    addTurnLists(graph, geometry, u, turned, lists, sequencer, phase, adjoint);
    addEventGradients(graph, geometry, u, units[u], turned, sequencer, gradient);
    addRowProducts(graph, geometry, u, units[u], turned, sequencer, phase, gradient);
    if (!geometry.units[u].isReadout) {
      addRecurrentProducts(graph, geometry, u, units[u], lists, sequencer, gradient);
    }
    if (geometry.units[u].isPaper()) {
      addCandidateGradients(graph, geometry, u, units[u], turned.lists[1], sequencer, through, sum);
    }
    if (geometry.units[u].isReadout) {
      addEventReadoutProduct(graph, geometry, units[u], lists, sequencer, gradient);
    }
  }

  Program backward() const {
    poplar::ComputeSet adjoint = computeSet("adjoint");
    poplar::ComputeSet through = computeSet("throughResetGates");
    poplar::ComputeSet gradient = computeSet("gradient");
    poplar::ComputeSet sum = computeSet("sum");
    poplar::ComputeSet fetch = computeSet("fetchBackward");
    for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
      gated() ? addGatedAdjoint(l, adjoint, through, sum) : addSpikingAdjoint(l, adjoint, sum);
      if (cache != nullptr) {
        cache->addFetchOwn(graph, l, sequencer, fetch);
      }
      lists.addFetchOwn(graph, l, sequencer, fetch);
    }
    if (geometry.hasReadout()) {
      addReadoutBackward(graph, geometry, units.back(), stepErrors(), sequencer, adjoint);
    }
    for (std::size_t u = 0; u < units.size(); ++u) {
      gated() ? addEventGradient(u, adjoint, through, gradient, sum)
              : addSpikeGradient(u, adjoint, gradient);
      lists.addFetch(graph, u, sequencer, fetch);
    }
    sequencer.addNextBlocks(graph, geometry, adjoint);
    Sequence block;
    if (geometry.losesAtEveryStep()) {
      poplar::ComputeSet errors = computeSet("stepErrors");
      addReadoutPotentials(graph, geometry, units.back(), sequencer, fetch);
      addStepLoss(graph, geometry, units.back(), loss, sequencer, StepLossUse::Errors, errors);
      block.add(Execute(errors));
    }
    if (!geometry.sequence.keepsGates) {
      block.add(aheadProducts(ListUse::Received, Direction::Backward));
      block.add(aheadProducts(ListUse::Own, Direction::Backward));
    }
    block.add(resetGates(ResetUse::Backward));
    block.add(Execute(adjoint));
    if (anyPaper()) {
      block.add(Execute(through));
    }
    block.add(Sequence({Execute(gradient), Execute(sum), Execute(fetch)}));
    return loopOverBlocks(fetch, block, "backward");
  }
};

} // namespace

UnrollTensors::UnrollTensors(poplar::Graph& graph, const Geometry& geometry,
                             const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
    const ListShape& list = geometry.lists[l + 1];
    std::vector<unsigned> tiles;
    std::vector<std::size_t> gradientSizes, counterSizes;
    for (const SampleGroup& group : list.placement.groups) {
      tiles.push_back(group.tile);
      const std::size_t rows = geometry.listsGoBackByLayer(graph, l) ? 1 : geometry.slabRows();
      gradientSizes.push_back(list.denseGradient ? 1 : group.numSamples * rows * list.capacity);
      counterSizes.push_back(group.numSamples * kCountersPerSample);
    }
    const std::string prefix = "layer" + std::to_string(l);
    gradients.emplace_back(graph, poplar::FLOAT, tiles, gradientSizes,
                           poplar::DebugContext{name, prefix + "/listGradient"});
    counters.emplace_back(graph, poplar::UNSIGNED_INT, tiles, counterSizes,
                          poplar::DebugContext{name, prefix + "/counters"});
  }
}

UnrolledSchedule checkpointedUnroll(poplar::Graph& graph, const Geometry& geometry,
                                    const std::vector<UnitTensors>& units, const Lists& lists,
                                    const UnrollTensors& tensors, const Sequencer& sequencer,
                                    const LossTensors& loss, const poplar::Tensor& phase,
                                    const WordSoftmax& words, const Program& sequenceLoss,
                                    const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  UnrolledSchedule unrolled;
  std::optional<SurrogateCache> made;
  if (geometry.sequence.cachesSurrogate) {
    made.emplace(graph, geometry, poplar::DebugContext{name, "cache"});
  }
  const SurrogateCache* cache = made ? &*made : nullptr;
  if (cache != nullptr) {
    unrolled.cachedValues = cache->histories();
  }
  const Builder builder{graph, geometry, units, lists, tensors, sequencer,
                        loss,  phase,    words, cache, {name}};
  ScheduleLoop action(geometry, sequencer, debugContext);
  if (geometry.sequence.lightSteps != 0) {
    action.add(kLightForward, builder.light());
  }
  action.add(kBackward, builder.backward());
  action.add(kLoss, sequenceLoss);
  if (geometry.spillsSpikes()) {
    SpilledHistory spilled(graph, geometry, lists, units, cache, sequencer, {name, "history"});
    action.add(kForward, Sequence({spilled.loadInput(), builder.forward()}));
    action.add(kWriteSpikes, spilled.write());
    action.add(kReadSpikes, spilled.read());
    unrolled.inputs = spilled.inputs();
    unrolled.remote.spikes = spilled.inputs().numBytes(graph) + spilled.spikes().numBytes(graph);
    unrolled.remote.values = spilled.values().numBytes(graph);
  } else {
    action.add(kForward, builder.forward());
  }
  StateMoves moves(graph, geometry, units, sequencer, {name, "states"});
  action.add(kCopySlot, moves.copySlot());
  unrolled.remote.states = moves.remoteBytes();
  if (geometry.sequence.numRows != 0) {
    const Program startRead = moves.startRead(), finishRead = moves.finishRead();
    action.addTransfer(kWriteRemote, moves.write());
    action.addTransfer(kReadRemote, Sequence({startRead, finishRead}));
    action.addTransfer(kStartRead, startRead);
    action.addTransfer(kFinishRead, finishRead);
  }
  if (geometry.sequence.numActionPages != 0) {
    action.add(kNextPage, sequencer.loadNextPage());
    unrolled.remote.table =
        sequencer.actions.numElements() * sizeof(unsigned) * geometry.sequence.numActionPages;
  }
  unrolled.program = action.finish(graph);
  return unrolled;
}

} // namespace spillway
