#include "graphs/SpilledHistory.hpp"

#include "codelets/maths/Control.hpp"
#include "graphs/SnnGraph.hpp"
#include "graphs/VertexName.hpp"

namespace spillway {

using poplar::program::Execute;
using poplar::program::Program;
using poplar::program::Sequence;

SpilledHistory::SpilledHistory(poplar::Graph& graph, const Geometry& geometry, const Lists& lists,
                               const std::vector<UnitTensors>& units, const SurrogateCache* cache,
                               const Sequencer& sequencer, const poplar::DebugContext& debugContext)
    : geometry_(geometry), lists_(lists), units_(units), cache_(cache), sequencer_(sequencer) {
  const poplar::DebugInfo name(debugContext, "spillway");
  pack_ = graph.addComputeSet({name, "pack"});
  unpack_ = graph.addComputeSet({name, "unpack"});
  unpackInput_ = graph.addComputeSet({name, "unpackInput"});
  masks_.resize(geometry.lists.size());
  for (std::size_t h = 0; h < geometry.lists.size(); ++h) {
    if (geometry.lists[h].packedWords == 0) {
      continue;
    }
    std::vector<unsigned> tiles;
    std::vector<std::size_t> sizes;
    for (const HistoryShard& shard : geometry.lists[h].placement.shards) {
      tiles.push_back(shard.tile);
      sizes.push_back(numRows(h, shard) * geometry.lists[h].packedWords);
    }
    masks_[h].emplace(graph, geometry.idType, tiles, sizes,
                      poplar::DebugContext{name, "masks" + std::to_string(h)});
    if (h == 0) {
      addVertices(graph, "UnpackLists", h, unpackInput_);
    } else {
      addVertices(graph, "PackLists", h, pack_);
    }
    addVertices(graph, "UnpackLists", h, unpack_);
  }
  const std::size_t numBlocks = geometry.numHistoryBlocks();
  inputs_ = RemoteRows(graph, host::kInput, moved(0, 0).expand({0}), numBlocks);
  spikes_ = RemoteRows(graph, "spikes", layerBlocks(0), numBlocks);
  if (hasValues()) {
    values_ = RemoteRows(graph, "values", valueBlocks(0), numBlocks);
  }
}

std::size_t SpilledHistory::numRows(std::size_t list, const HistoryShard& shard) const {
  const std::size_t indices = std::size_t{geometry_.sequence.historySteps} + (list == 0 ? 0 : 1);
  return indices * shard.numSamples;
}

void SpilledHistory::addVertices(poplar::Graph& graph, const char* type, std::size_t list,
                                 poplar::ComputeSet computeSet) const {
  const ListShape& shape = geometry_.lists[list];
  for (std::size_t i = 0; i < shape.placement.shards.size(); ++i) {
    const HistoryShard& shard = shape.placement.shards[i];
    auto vertex = graph.addVertex(computeSet, vertexName(type, geometry_.idType),
                                  {{"history", lists_.history(list).piece(i)},
                                   {"packed", masks_[list]->piece(i)},
                                   {"buffer", sequencer_.historyBuffer}});
    const std::size_t bufferRows =
        (std::size_t{geometry_.sequence.historySteps} + 1) * shard.numSamples;
    graph.setInitialValue(vertex["bufferRows"], static_cast<unsigned>(bufferRows));
    graph.setInitialValue(vertex["numRows"], static_cast<unsigned>(numRows(list, shard)));
    graph.setInitialValue(vertex["width"], shape.width());
    graph.setInitialValue(vertex["size"], shape.size);
    graph.setInitialValue(vertex["spikesOnly"], shape.spikesOnly);
    graph.setTileMapping(vertex, shard.tile);
  }
}

poplar::Tensor SpilledHistory::moved(std::size_t list, std::size_t buffer) const {
  return masks_[list] ? masks_[list]->flat() : lists_.stored(list, buffer);
}

poplar::Tensor SpilledHistory::layerBlocks(std::size_t buffer) const {
  std::vector<poplar::Tensor> blocks;
  for (std::size_t h = 1; h < geometry_.lists.size(); ++h) {
    blocks.push_back(moved(h, buffer));
  }
  return poplar::concat(blocks).expand({0});
}

poplar::Tensor SpilledHistory::valueBlocks(std::size_t buffer) const {
  std::vector<poplar::Tensor> blocks;
  for (std::size_t l = 0; l < geometry_.numLayers(); ++l) {
    if (cache_ != nullptr) {
      blocks.push_back(cache_->historyBlock(l, buffer));
      continue;
    }
    const TiledTensor& gates = units_[l].gated.gates;
    for (std::size_t i = 0; i < gates.numPieces(); ++i) {
      const poplar::Tensor piece = gates.piece(i);
      const std::size_t buffers = geometry_.sequence.numHistoryBuffers;
      const std::size_t steps = geometry_.sequence.historySteps;
      const std::size_t perStep = piece.numElements() / buffers / (steps + 1);
      blocks.push_back(
          piece.reshape({buffers, (steps + 1) * perStep})[buffer].slice(0, steps * perStep));
    }
  }
  return poplar::concat(blocks).expand({0});
}

template <class MakeCopy>
Program SpilledHistory::forBufferInUse(const MakeCopy& makeCopy) const {
  poplar::program::Switch buffers(sequencer_.historyBuffer);
  for (std::uint32_t b = 0; b < geometry_.sequence.numHistoryBuffers; ++b) {
    buffers.add(static_cast<std::int32_t>(b), makeCopy(b));
  }
  return buffers;
}

Program SpilledHistory::loadInput() const {
  const Program load = forBufferInUse(
      [&](std::size_t b) { return inputs_.read(moved(0, b).expand({0}), sequencer_.blockRow); });
  return poplar::program::If(sequencer_.next[0][kOpensHistory],
                             Sequence({load, Execute(unpackInput_)}), Sequence());
}

Program SpilledHistory::write() const {
  const Program copies = forBufferInUse([&](std::size_t b) {
    Sequence both({spikes_.write(layerBlocks(b), sequencer_.blockRow)});
    if (hasValues()) {
      both.add(values_.write(valueBlocks(b), sequencer_.blockRow));
    }
    return both;
  });
  return Sequence({Execute(pack_), copies});
}

Program SpilledHistory::read() const {
  const Program copies = forBufferInUse([&](std::size_t b) {
    Sequence all({spikes_.read(layerBlocks(b), sequencer_.blockRow),
                  inputs_.read(moved(0, b).expand({0}), sequencer_.blockRow)});
    if (hasValues()) {
      all.add(values_.read(valueBlocks(b), sequencer_.blockRow));
    }
    return all;
  });
  return Sequence({copies, Execute(unpack_)});
}

} // namespace spillway
