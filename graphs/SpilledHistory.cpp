#include "graphs/SpilledHistory.hpp"

#include "codelets/maths/Control.hpp"
#include "graphs/SnnGraph.hpp"

namespace spillway {

using poplar::program::Copy;
using poplar::program::Program;
using poplar::program::Sequence;

SpilledHistory::SpilledHistory(poplar::Graph& graph, const Geometry& geometry, const Lists& lists,
                               const SurrogateCache* cache, const Sequencer& sequencer,
                               const poplar::DebugContext& debugContext)
    : geometry_(geometry), lists_(lists), cache_(cache), sequencer_(sequencer) {
  const poplar::DebugInfo name(debugContext, "spillway");
  inputs_ = graph.addRemoteBuffer(host::kInput, geometry.idType, inputBlock(0).numElements(),
                                  geometry.numHistoryBlocks());
  spikes_ = graph.addRemoteBuffer("spikes", geometry.idType, layerBlocks(0).numElements(),
                                  geometry.numHistoryBlocks());
  if (cache != nullptr) {
    values_ = graph.addRemoteBuffer("values", poplar::FLOAT, valueBlocks(0).numElements(),
                                    geometry.numHistoryBlocks());
  }
}

poplar::Tensor SpilledHistory::inputBlock(std::size_t buffer) const {
  return lists_.stored(0, buffer);
}

poplar::Tensor SpilledHistory::layerBlocks(std::size_t buffer) const {
  std::vector<poplar::Tensor> blocks;
  for (std::size_t h = 1; h < geometry_.lists.size(); ++h) {
    blocks.push_back(lists_.stored(h, buffer));
  }
  return poplar::concat(blocks);
}

poplar::Tensor SpilledHistory::valueBlocks(std::size_t buffer) const {
  std::vector<poplar::Tensor> blocks;
  for (std::size_t l = 0; l < geometry_.numLayers(); ++l) {
    blocks.push_back(cache_->historyBlock(l, buffer));
  }
  return poplar::concat(blocks);
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
      [&](std::size_t b) { return Copy(inputs_, inputBlock(b), sequencer_.blockRow); });
  return poplar::program::If(sequencer_.next[0][kOpensHistory], load, Sequence());
}

Program SpilledHistory::write() const {
  return forBufferInUse([&](std::size_t b) {
    Sequence copies({Copy(layerBlocks(b), spikes_, sequencer_.blockRow)});
    if (cache_ != nullptr) {
      copies.add(Copy(valueBlocks(b), values_, sequencer_.blockRow));
    }
    return copies;
  });
}

Program SpilledHistory::read() const {
  return forBufferInUse([&](std::size_t b) {
    Sequence copies({Copy(spikes_, layerBlocks(b), sequencer_.blockRow),
                     Copy(inputs_, inputBlock(b), sequencer_.blockRow)});
    if (cache_ != nullptr) {
      copies.add(Copy(values_, valueBlocks(b), sequencer_.blockRow));
    }
    return copies;
  });
}

} // namespace spillway
