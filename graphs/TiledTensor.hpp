// A flat variable cut into one contiguous piece per tile: the shape of all data that tiles own.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

#include <cstddef>
#include <vector>

namespace spillway {

class TiledTensor {
public:
  TiledTensor() = default;

  // Piece i has sizes[i] elements and lies on tiles[i].
  TiledTensor(poplar::Graph& graph, poplar::Type type, const std::vector<unsigned>& tiles,
              const std::vector<std::size_t>& sizes, const poplar::DebugContext& debugContext);

  const poplar::Tensor& flat() const { return flat_; }
  poplar::Tensor piece(std::size_t index) const;
  std::size_t numPieces() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }

  // With piece i read as [numRows, sizes[i] / numRows], all pieces side by side: [numRows, total /
  // numRows].
  poplar::Tensor sideBySide(std::size_t numRows) const;
  // With piece i read as [numRows, numBlocks, ...], the pieces side by side within each block:
  // [numRows, total / numRows].
  poplar::Tensor sideBySide(std::size_t numRows, std::size_t numBlocks) const;

  // Adds vertices that set every element to zero.
  void addClear(poplar::Graph& graph, poplar::ComputeSet computeSet) const;

private:
  poplar::Tensor flat_;
  std::vector<unsigned> tiles_;
  std::vector<std::size_t> offsets_; // of the pieces, and the end
};

} // namespace spillway
