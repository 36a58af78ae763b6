#include "graphs/Lists.hpp"

#include "codelets/maths/AppendedLists.hpp"
#include "graphs/VertexName.hpp"

namespace spillway {
namespace {

TiledTensor makeSlab(poplar::Graph& graph, const Geometry& geometry, const ListShape& list,
                     std::uint32_t rows, const poplar::DebugContext& debugContext) {
  std::vector<unsigned> tiles;
  std::vector<std::size_t> sizes;
  for (const SampleGroup& group : list.placement.groups) {
    tiles.push_back(group.tile);
    sizes.push_back(std::size_t{group.numSamples} * rows * list.width());
  }
  return {graph, geometry.idType, tiles, sizes, debugContext};
}

TiledTensor makeHistory(poplar::Graph& graph, const Geometry& geometry, std::size_t list,
                        const poplar::DebugContext& debugContext) {
  std::vector<unsigned> tiles;
  std::vector<std::size_t> sizes;
  for (const HistoryShard& shard : geometry.lists[list].placement.shards) {
    tiles.push_back(shard.tile);
    const std::size_t words =
        geometry.appendsLists(graph, list) ? appendedWords(shard.numWords) : shard.numWords;
    sizes.push_back(std::size_t{geometry.sequence.numHistoryBuffers} *
                    (geometry.sequence.historySteps + 1) * shard.numSamples * words);
  }
  return {graph, geometry.idType, tiles, sizes, debugContext};
}

TiledTensor makeBegins(poplar::Graph& graph, const Geometry& geometry, std::size_t list,
                       const poplar::DebugContext& debugContext) {
  if (!geometry.appendsLists(graph, list)) {
    return {};
  }
  std::vector<unsigned> tiles;
  std::vector<std::size_t> sizes;
  for (const HistoryShard& shard : geometry.lists[list].placement.shards) {
    tiles.push_back(shard.tile);
    sizes.push_back((std::size_t{geometry.sequence.historySteps} + 1) * shard.numSamples);
  }
  return {graph, poplar::UNSIGNED_INT, tiles, sizes, debugContext};
}

} // namespace

Lists::Lists(poplar::Graph& graph, const Geometry& geometry,
             const poplar::DebugContext& debugContext)
    : geometry_(geometry) {
  const poplar::DebugInfo name(debugContext, "spillway");
  for (std::size_t h = 0; h < geometry.lists.size(); ++h) {
    const std::string prefix = h == 0 ? "input" : "layer" + std::to_string(h - 1);
    const auto slab = [&](std::uint32_t rows, const char* what) {
      return makeSlab(graph, geometry, geometry.lists[h], rows, {name, prefix + what});
    };
    slabs_.push_back(slab(geometry.slabRows(), "/slab"));
    ownSlabs_.push_back(h == 0 ? TiledTensor() : slab(geometry.slabRows(), "/ownSlab"));
    lightSlabs_.push_back(geometry.lightReads(h) ? slab(geometry.lightRows(), "/lightSlab")
                                                 : TiledTensor());
    // The input's are written whole, so its name is none of kPartlyUsed.
    histories_.push_back(
        makeHistory(graph, geometry, h, {name, prefix + (h == 0 ? "/events" : "/history")}));
    begins_.push_back(makeBegins(graph, geometry, h, {name, prefix + "/begins"}));
  }
}

poplar::Tensor Lists::historyBlock(std::size_t list, std::size_t buffer) const {
  // Shards of one sample's words stand side by side; samples follow one another.
  const ListShape& shape = geometry_.lists[list];
  const std::size_t buffers = geometry_.sequence.numHistoryBuffers;
  const std::size_t indices = geometry_.sequence.historySteps + 1;
  std::vector<poplar::Tensor> samples, words;
  for (std::size_t i = 0; i < shape.placement.shards.size(); ++i) {
    const HistoryShard& shard = shape.placement.shards[i];
    words.push_back(histories_[list].piece(i).reshape(
        {buffers, indices, shard.numSamples, shard.numWords})[buffer]);
    if (shard.firstWord + shard.numWords == shape.width()) {
      samples.push_back(poplar::concat(words, 2));
      words.clear();
    }
  }
  return poplar::concat(samples, 1);
}

poplar::Tensor Lists::stored(std::size_t list, std::size_t buffer) const {
  const std::size_t buffers = geometry_.sequence.numHistoryBuffers;
  const std::size_t indices = geometry_.sequence.historySteps + 1;
  std::vector<poplar::Tensor> pieces;
  for (std::size_t i = 0; i < histories_[list].numPieces(); ++i) {
    const poplar::Tensor piece = histories_[list].piece(i);
    const std::size_t words = piece.numElements() / buffers / indices;
    pieces.push_back(piece.reshape({buffers, indices * words})[buffer].slice(
        0, (list == 0 ? indices - 1 : indices) * words));
  }
  return poplar::concat(pieces);
}

void Lists::addClear(poplar::Graph& graph, poplar::ComputeSet computeSet) const {
  for (const TiledTensor& slab : slabs_) {
    slab.addClear(graph, computeSet);
  }
}

poplar::Tensor Lists::slabOfShard(const poplar::Tensor& slab, std::size_t rows, std::size_t list,
                                  const HistoryShard& shard) const {
  const std::size_t width = geometry_.lists[list].width();
  const poplar::Tensor samples = slab.slice(shard.firstSample * rows * width,
                                            (shard.firstSample + shard.numSamples) * rows * width);
  if (shard.numWords == width) {
    return samples;
  }
  return samples.reshape({shard.numSamples, rows, width})
      .slice(shard.firstWord, shard.firstWord + shard.numWords, 2)
      .flatten();
}

void Lists::addStore(poplar::Graph& graph, std::size_t layer, const Sequencer& sequencer,
                     poplar::ComputeSet computeSet) const {
  const std::size_t list = layer + 1;
  const auto& shards = geometry_.lists[list].placement.shards;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    addMove(graph, geometry_.appendsLists(graph, list) ? "AppendLists" : "StoreLists", list, i,
            slab(list), geometry_.slabRows(), sequencer.control[layer], computeSet);
  }
}

poplar::VertexRef Lists::addMove(poplar::Graph& graph, const char* type, std::size_t list,
                                 std::size_t index, const poplar::Tensor& slab, std::uint32_t rows,
                                 const poplar::Tensor& control,
                                 poplar::ComputeSet computeSet) const {
  const HistoryShard& shard = geometry_.lists[list].placement.shards[index];
  auto vertex = graph.addVertex(computeSet, vertexName(type, geometry_.idType),
                                {{"control", control},
                                 {"lists", slabOfShard(slab, rows, list, shard)},
                                 {"history", histories_[list].piece(index)}});
  graph.setInitialValue(vertex["samples"], shard.numSamples);
  graph.setInitialValue(vertex["rows"], rows);
  graph.setInitialValue(vertex["width"], shard.numWords);
  if (geometry_.appendsLists(graph, list)) {
    graph.connect(vertex["begins"], begins_[list].piece(index));
    graph.setInitialValue(vertex["valued"], geometry_.network.isGated());
    graph.setInitialValue(vertex["capacity"], geometry_.lists[list].capacity);
  } else {
    graph.setInitialValue(vertex["whole"], shard.numWords == geometry_.lists[list].width());
    graph.setInitialValue(vertex["values"], valuesOf(list));
  }
  graph.setTileMapping(vertex, shard.tile);
  return vertex;
}

void Lists::addFetchInto(poplar::Graph& graph, std::size_t list, const poplar::Tensor& slab,
                         std::uint32_t rows, const poplar::Tensor& control, ExtraRow extraRow,
                         poplar::ComputeSet computeSet) const {
  const auto& shards = geometry_.lists[list].placement.shards;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const poplar::VertexRef vertex =
        addMove(graph, geometry_.appendsLists(graph, list) ? "FetchAppended" : "FetchLists", list,
                i, slab, rows, control, computeSet);
    graph.setInitialValue(vertex["extraRows"], extraRow == ExtraRow::Yes ? 1u : 0u);
  }
}

unsigned Lists::valuesOf(std::size_t list) const {
  return geometry_.network.isGated() ? valuesBegin(geometry_.lists[list].capacity) : 0;
}

Lists::ExtraRow Lists::receivedInSameStep(std::size_t list) const {
  return list != 0 && geometry_.network.isGated() ? ExtraRow::Yes : ExtraRow::No;
}

void Lists::addFetch(poplar::Graph& graph, std::size_t list, const Sequencer& sequencer,
                     poplar::ComputeSet computeSet) const {
  addFetchInto(graph, list, slab(list), geometry_.slabRows(), sequencer.next[list],
               receivedInSameStep(list), computeSet);
}

void Lists::addFetchLight(poplar::Graph& graph, std::size_t list, const Sequencer& sequencer,
                          poplar::ComputeSet computeSet) const {
  // A last layer without a readout is its list's only reader, and runs the same block.
  const std::size_t unit = std::min(list, geometry_.units.size() - 1);
  addFetchInto(graph, list, lightSlab(list), geometry_.lightRows(), sequencer.next[unit],
               receivedInSameStep(list), computeSet);
}

void Lists::addFetchOwn(poplar::Graph& graph, std::size_t layer, const Sequencer& sequencer,
                        poplar::ComputeSet computeSet) const {
  addFetchInto(graph, layer + 1, ownSlab(layer + 1), geometry_.slabRows(), sequencer.next[layer],
               ExtraRow::Yes, computeSet);
}

} // namespace spillway
