#include "graphs/CarriedState.hpp"

#include "codelets/maths/Phase.hpp"

namespace spillway {

using poplar::program::Copy;
using poplar::program::Program;
using poplar::program::Sequence;

CarriedState::CarriedState(poplar::Graph& graph, const Geometry& geometry,
                           const std::vector<UnitTensors>& units, const Lists& lists,
                           const poplar::DebugContext& debugContext)
    : geometry_(geometry), units_(units), lists_(lists) {
  if (!geometry.network.isGated()) {
    return;
  }
  const poplar::DebugInfo name(debugContext, "spillway");
  phase_ = graph.addVariable(poplar::UNSIGNED_INT, {kPhaseWords}, {name, "phase"});
  graph.setTileMapping(phase_, geometry.controlTile);
  for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
    const ListShape& list = geometry.lists[l + 1];
    std::vector<unsigned> tiles;
    std::vector<std::size_t> sizes;
    for (const SampleGroup& group : list.placement.groups) {
      tiles.push_back(group.tile);
      sizes.push_back(std::size_t{group.numSamples} * list.width());
    }
    events_.emplace_back(graph, geometry.idType, tiles, sizes,
                         poplar::DebugContext{name, "events" + std::to_string(l)});
  }
}

poplar::Tensor CarriedState::rowOf(std::size_t list, std::size_t row) const {
  return lists_.slab(list)
      .reshape({geometry_.sequence.numSamples, geometry_.slabRows(), geometry_.lists[list].width()})
      .slice(row, row + 1, 1)
      .flatten();
}

Program CarriedState::keep() const {
  Sequence prog;
  for (std::size_t l = 0; l < geometry_.numLayers(); ++l) {
    prog.add(Copy(rowOf(l + 1, 1), events_[l].flat()));
  }
  return prog;
}

Program CarriedState::restore(poplar::Graph& graph) const {
  Sequence goOn;
  for (std::size_t l = 0; l < geometry_.numLayers(); ++l) {
    goOn.add(Copy(events_[l].flat(), rowOf(l + 1, 0)));
  }
  poplar::ComputeSet clear = graph.addComputeSet({"startFromZero"});
  for (const UnitTensors& unit : units_) {
    goOn.add(Copy(unit.gated.last.flat(), unit.gated.initial.flat()));
    unit.gated.initial.addClear(graph, clear);
  }
  return poplar::program::If(phase_[kContinues], goOn, poplar::program::Execute(clear));
}

void CarriedState::nameForHost(poplar::Graph& graph) const {
  const auto access = [&](const std::string& handle, const poplar::Tensor& tensor) {
    graph.createHostRead(handle, tensor);
    graph.createHostWrite(handle, tensor);
  };
  for (std::size_t l = 0; l < events_.size(); ++l) {
    access(host::carriedEvents(l), events_[l].flat());
  }
  for (std::size_t u = 0; !events_.empty() && u < units_.size(); ++u) {
    access(host::carriedStates(u), units_[u].gated.last.sideBySide(geometry_.sequence.numSamples));
  }
}

std::size_t CarriedState::eventBytes(std::size_t layer) const {
  return events_[layer].flat().numElements() * bytesPerId(geometry_.network);
}

} // namespace spillway
