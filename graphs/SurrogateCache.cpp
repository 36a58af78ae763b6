#include "graphs/SurrogateCache.hpp"

#include "codelets/maths/AppendedLists.hpp"
#include "graphs/VertexName.hpp"

#include <algorithm>

namespace spillway {
namespace {

// Values lie where their ids lie.
std::vector<HistoryShard> entriesOf(const std::vector<HistoryShard>& lists) {
  std::vector<HistoryShard> entries;
  for (HistoryShard shard : lists) {
    const std::uint32_t end = shard.firstWord + shard.numWords;
    if (end > kListHeader) {
      shard.firstWord = std::max(shard.firstWord, kListHeader) - kListHeader;
      shard.numWords = end - kListHeader - shard.firstWord;
      entries.push_back(shard);
    }
  }
  return entries;
}

} // namespace

SurrogateCache::SurrogateCache(poplar::Graph& graph, const Geometry& geometry,
                               const poplar::DebugContext& debugContext)
    : geometry_(geometry) {
  const poplar::DebugInfo name(debugContext, "spillway");
  for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
    const ListShape& list = geometry.lists[l + 1];
    inPlace_.push_back(geometry.listsGoBackByLayer(graph, l));
    appends_.push_back(inPlace_[l] && geometry.appendsLists(graph, l + 1));
    shards_.push_back(entriesOf(list.placement.shards));
    std::vector<unsigned> groupTiles, shardTiles;
    std::vector<std::size_t> slabSizes, historySizes;
    for (const SampleGroup& group : list.placement.groups) {
      groupTiles.push_back(group.tile);
      slabSizes.push_back(inPlace_[l] ? 1
                                      : std::size_t{group.numSamples} *
                                            geometry.sequence.blockSteps * list.capacity);
    }
    for (const HistoryShard& shard : shards_.back()) {
      shardTiles.push_back(shard.tile);
      historySizes.push_back(std::size_t{geometry.sequence.numHistoryBuffers} *
                             (geometry.sequence.historySteps + 1) * shard.numSamples *
                             (appends_[l] ? appendedWords(list.width()) : shard.numWords));
    }
    const auto tensor = [&](const char* what, const std::vector<unsigned>& tiles,
                            const std::vector<std::size_t>& sizes) {
      return TiledTensor(graph, poplar::FLOAT, tiles, sizes,
                         poplar::DebugContext{name, "layer" + std::to_string(l) + what});
    };
    slabs_.push_back(tensor("/values", groupTiles, slabSizes));
    ownSlabs_.push_back(tensor("/ownValues", groupTiles, slabSizes));
    histories_.push_back(tensor("/valueHistory", shardTiles, historySizes));
  }
}

void SurrogateCache::addGather(poplar::Graph& graph, std::size_t layer, const UnitTensors& tensors,
                               const Lists& lists, const Sequencer& sequencer,
                               poplar::ComputeSet computeSet) const {
  const Unit& unit = geometry_.units[layer];
  const ListShape& list = geometry_.lists[layer + 1];
  for (std::size_t g = 0; g < list.placement.groups.size(); ++g) {
    const SampleGroup& group = list.placement.groups[g];
    std::vector<poplar::Tensor> distances;
    for (std::size_t i = 0; i < unit.numTiles(); ++i) {
      const std::size_t perSample = std::size_t{geometry_.sequence.blockSteps} * unit.numNeurons(i);
      distances.push_back(tensors.distances.piece(i).slice(
          group.firstSample * perSample, (group.firstSample + group.numSamples) * perSample));
    }
    const std::string type =
        appends_[layer] ? vertexName("AppendDistances", geometry_.idType)
                        : vertexName("CacheDistances", geometry_.idType, bool{inPlace_[layer]});
    auto vertex =
        graph.addVertex(computeSet, type,
                        {{"control", sequencer.control[layer]},
                         {"lists", lists.slabOf(layer + 1, g)},
                         {"values", (inPlace_[layer] ? histories_ : slabs_)[layer].piece(g)}});
    if (appends_[layer]) {
      graph.connect(vertex["begins"], lists.begins(layer + 1).piece(g));
      graph.connect(vertex["history"], lists.history(layer + 1).piece(g));
    }
    graph.connect(vertex["distances"], distances);
    graph.setInitialValue(vertex["layerSize"], unit.size);
    graph.setInitialValue(vertex["neuronsPerTile"], unit.placement.neuronsPerTile);
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["blockSteps"], geometry_.sequence.blockSteps);
    graph.setInitialValue(vertex["rows"], geometry_.slabRows());
    graph.setInitialValue(vertex["width"], list.width());
    graph.setTileMapping(vertex, group.tile);
  }
}

poplar::Tensor SurrogateCache::slabOfShard(const TiledTensor& slab, std::size_t layer,
                                           const HistoryShard& shard) const {
  return slab.flat()
      .reshape({geometry_.sequence.numSamples, geometry_.sequence.blockSteps,
                geometry_.lists[layer + 1].capacity})
      .slice(shard.firstSample, shard.firstSample + shard.numSamples, 0)
      .slice(shard.firstWord, shard.firstWord + shard.numWords, 2)
      .flatten();
}

void SurrogateCache::setCopyFields(poplar::Graph& graph, const poplar::VertexRef& vertex,
                                   const HistoryShard& shard) const {
  graph.setInitialValue(vertex["samples"], shard.numSamples);
  graph.setInitialValue(vertex["blockSteps"], geometry_.sequence.blockSteps);
  graph.setInitialValue(vertex["size"], shard.numWords);
  graph.setTileMapping(vertex, shard.tile);
}

void SurrogateCache::addStore(poplar::Graph& graph, std::size_t layer, const Sequencer& sequencer,
                              poplar::ComputeSet computeSet) const {
  for (std::size_t i = 0; !inPlace_[layer] && i < shards_[layer].size(); ++i) {
    auto vertex = graph.addVertex(computeSet, "StoreValues",
                                  {{"control", sequencer.control[layer]},
                                   {"values", slabOfShard(slabs_[layer], layer, shards_[layer][i])},
                                   {"history", histories_[layer].piece(i)}});
    setCopyFields(graph, vertex, shards_[layer][i]);
  }
}

void SurrogateCache::addFetchOwn(poplar::Graph& graph, std::size_t layer,
                                 const Sequencer& sequencer, poplar::ComputeSet computeSet) const {
  for (std::size_t i = 0; !inPlace_[layer] && i < shards_[layer].size(); ++i) {
    auto vertex =
        graph.addVertex(computeSet, "FetchValues",
                        {{"control", sequencer.next[layer]},
                         {"values", slabOfShard(ownSlabs_[layer], layer, shards_[layer][i])},
                         {"history", histories_[layer].piece(i)}});
    setCopyFields(graph, vertex, shards_[layer][i]);
  }
}

poplar::Tensor SurrogateCache::historyBlock(std::size_t layer, std::size_t buffer) const {
  const std::size_t buffers = geometry_.sequence.numHistoryBuffers;
  std::vector<poplar::Tensor> pieces;
  for (std::size_t i = 0; i < shards_[layer].size(); ++i) {
    const poplar::Tensor piece = histories_[layer].piece(i);
    pieces.push_back(piece.reshape({buffers, piece.numElements() / buffers})[buffer]);
  }
  return poplar::concat(pieces);
}

} // namespace spillway
