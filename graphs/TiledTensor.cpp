#include "graphs/TiledTensor.hpp"

#include "graphs/VertexName.hpp"

namespace spillway {

TiledTensor::TiledTensor(poplar::Graph& graph, poplar::Type type,
                         const std::vector<unsigned>& tiles, const std::vector<std::size_t>& sizes,
                         const poplar::DebugContext& debugContext)
    : tiles_(tiles) {
  offsets_.push_back(0);
  for (const std::size_t size : sizes) {
    offsets_.push_back(offsets_.back() + size);
  }
  flat_ = graph.addVariable(type, {offsets_.back()}, debugContext);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    graph.setTileMapping(piece(i), tiles[i]);
  }
}

poplar::Tensor TiledTensor::piece(std::size_t index) const {
  return flat_.slice(offsets_[index], offsets_[index + 1]);
}

void TiledTensor::addClear(poplar::Graph& graph, poplar::ComputeSet computeSet) const {
  for (std::size_t i = 0; i < numPieces(); ++i) {
    auto vertex = graph.addVertex(computeSet, vertexName("Clear", flat_.elementType()),
                                  {{"values", piece(i)}});
    graph.setTileMapping(vertex, tiles_[i]);
  }
}

poplar::Tensor TiledTensor::sideBySide(std::size_t numRows) const {
  return sideBySide(numRows, 1);
}

poplar::Tensor TiledTensor::sideBySide(std::size_t numRows, std::size_t numBlocks) const {
  std::vector<poplar::Tensor> pieces;
  for (std::size_t i = 0; i < numPieces(); ++i) {
    const std::size_t width = (offsets_[i + 1] - offsets_[i]) / numRows / numBlocks;
    pieces.push_back(piece(i).reshape({numRows, numBlocks, width}));
  }
  return poplar::concat(pieces, 2).reshape({numRows, flat_.numElements() / numRows});
}

} // namespace spillway
