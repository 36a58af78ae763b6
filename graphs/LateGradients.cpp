#include "graphs/LateGradients.hpp"

#include "codelets/maths/Phase.hpp"

#include <algorithm>
#include <string>

namespace spillway {

using poplar::program::Execute;

namespace {

constexpr ListUse kUses[] = {ListUse::Received, ListUse::Own};

std::size_t indexOf(ListUse use) {
  return use == ListUse::Own ? 1 : 0;
}

} // namespace

LateGradients::LateGradients(poplar::Graph& graph, const Geometry& geometry,
                             const std::vector<UnitTensors>& units, const Lists& lists,
                             const Sequencer& sequencer, const poplar::Tensor& phase,
                             const poplar::DebugContext& debugContext)
    : graph_(graph), geometry_(geometry), units_(units) {
  const poplar::DebugInfo name(debugContext, "spillway");
  poplar::ComputeSet turn = graph.addComputeSet({name, "turn"});
  for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
    for (const ListUse use : kUses) {
      const std::size_t list = l + indexOf(use);
      turned_[indexOf(use)].emplace_back(graph, geometry, list, geometry.sequence.numSteps,
                                         poplar::DebugContext{name, "layer" + std::to_string(l)});
      addTurnEvents(graph, geometry, l, use, TurnSteps::All, turned_[indexOf(use)].back(), lists,
                    sequencer, phase, turn);
    }
    addBiases(l, turn);
  }
  begin_ = Execute(turn, {name});
}

void LateGradients::setErrorFields(const poplar::VertexRef& vertex, std::size_t layer,
                                   std::size_t tile, ListUse use) {
  const Unit& unit = geometry_.units[layer];
  const std::uint32_t n = unit.numNeurons(tile), columns = unit.gates * n;
  graph_.connect(vertex["errors"], units_[layer].gated.gates.piece(tile));
  graph_.setInitialValue(vertex["samples"], geometry_.sequence.numSamples);
  graph_.setInitialValue(vertex["steps"], geometry_.sequence.numSteps);
  graph_.setInitialValue(vertex["errorColumns"], static_cast<unsigned>(keptStride(n)));
  // [keep, reset, candidate, the candidate's part of dq]: dq is dp but for the last.
  graph_.setInitialValue(vertex["split"], use == ListUse::Own ? columns - n : columns);
  graph_.setInitialValue(vertex["gap"], n);
  graph_.setTileMapping(vertex, unit.placement.tiles[tile]);
}

void LateGradients::addBiases(std::size_t layer, poplar::ComputeSet computeSet) {
  const UnitTensors& tensors = units_[layer];
  for (const ListUse use : kUses) {
    const TiledTensor& gradient =
        use == ListUse::Own ? tensors.gated.recurrentBiasGradient : tensors.biasGradient;
    for (std::size_t i = 0; i < geometry_.units[layer].numTiles(); ++i) {
      auto vertex =
          graph_.addVertex(computeSet, "SequenceBiasGradient", {{"gradient", gradient.piece(i)}});
      setErrorFields(vertex, layer, i, use);
    }
  }
}

template <class F>
void LateGradients::forEachTile(std::uint32_t part, const F& f) const {
  const std::uint32_t parts = geometry_.sequence.gradientParts;
  const ListUse use = part < parts ? ListUse::Received : ListUse::Own;
  for (std::size_t l = 0; l < geometry_.numLayers(); ++l) {
    const Unit& unit = geometry_.units[l];
    const std::uint32_t numRows = use == ListUse::Own ? unit.size : unit.fanIn;
    const std::uint32_t each = geometry_.rowsOfPart(numRows);
    const std::uint32_t begin = std::min(numRows, part % parts * each);
    const std::uint32_t end = std::min(numRows, begin + each);
    for (std::size_t i = 0; begin != end && i < unit.numTiles(); ++i) {
      f(l, i, RowRange{use, begin, end});
    }
  }
}

WeightPart LateGradients::weightPart(std::size_t layer, std::size_t tile, RowRange rows) const {
  const Unit& unit = geometry_.units[layer];
  const std::size_t columns = std::size_t{unit.gates} * unit.numNeurons(tile);
  const std::size_t first = rows.use == ListUse::Own ? unit.fanIn : 0;
  const std::size_t begin = (first + rows.begin) * columns, end = (first + rows.end) * columns;
  const std::size_t place = geometry_.sequence.wholeGradient ? begin : 0;
  return {layer, tile, begin, end,
          units_[layer].gradient.piece(tile).slice(place, place + end - begin)};
}

std::vector<WeightPart> LateGradients::weightsOf(std::uint32_t part) const {
  std::vector<WeightPart> weights;
  forEachTile(part, [&](std::size_t layer, std::size_t tile, RowRange rows) {
    weights.push_back(weightPart(layer, tile, rows));
  });
  return weights;
}

poplar::program::Program LateGradients::form(std::uint32_t part) {
  poplar::ComputeSet set = graph_.addComputeSet({"sequenceGradient"});
  forEachTile(part, [&](std::size_t layer, std::size_t tile, RowRange rows) {
    const TurnedEvents& turned = turned_[indexOf(rows.use)][layer];
    const Unit& unit = geometry_.units[layer];
    auto vertex = graph_.addVertex(
        set, "SequenceGradient",
        {{"begins", turned.begins.slice(rows.begin, rows.end + 1)},
         {"entryPlaces", turned.entrySamples},
         {"entryValues", turned.entryValues},
         {"gradient", weightPart(layer, tile, rows).gradient},
         {"scratch", units_[layer].gated.rowValues[indexOf(rows.use)].piece(tile)}});
    graph_.setInitialValue(vertex["columns"], unit.gates * unit.numNeurons(tile));
    setErrorFields(vertex, layer, tile, rows.use);
  });
  return Execute(set, {"sequenceGradient"});
}

} // namespace spillway
