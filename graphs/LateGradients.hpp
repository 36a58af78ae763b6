// Weight gradients of gated layers that keep the errors of all their steps (SequenceShape): formed
// for the update, in parts of the weights' rows. A part is used before the next takes its place,
// unless the update wants the whole gradient.
#pragma once

#include "graphs/GatedPass.hpp"

#include <poplar/Program.hpp>

#include <vector>

namespace spillway {

// Rows of a unit's weights on one of its tiles, and their gradient while the part is there.
struct WeightPart {
  std::size_t unit = 0, tile = 0; // the tile counts among the unit's
  std::size_t begin = 0, end = 0; // elements of the weights' piece
  poplar::Tensor gradient;
};

class LateGradients {
public:
  // REQUIRES: geometry.sequence.keepsErrors; all arguments but the names outlive this.
  LateGradients(poplar::Graph& graph, const Geometry& geometry,
                const std::vector<UnitTensors>& units, const Lists& lists,
                const Sequencer& sequencer, const poplar::Tensor& phase,
                const poplar::DebugContext& debugContext);

  // After the last backward step: gradients of biases, and what the parts need.
  poplar::program::Program begin() const { return begin_; }
  std::uint32_t numParts() const { return 2 * geometry_.sequence.gradientParts; } // of both lists
  // A part's gradients appear.
  poplar::program::Program form(std::uint32_t part);
  std::vector<WeightPart> weightsOf(std::uint32_t part) const;

private:
  // Of the weights of the list that a layer received, or of its own.
  struct RowRange {
    ListUse use;
    std::uint32_t begin, end;
  };
  // f(layer, tile, rows) where a part has rows.
  template <class F>
  void forEachTile(std::uint32_t part, const F& f) const;
  WeightPart weightPart(std::size_t layer, std::size_t tile, RowRange rows) const;
  void addBiases(std::size_t layer, poplar::ComputeSet computeSet);
  // What says where a tile's errors lie; columns: of a gradient's row.
  void setErrorFields(const poplar::VertexRef& vertex, std::size_t layer, std::size_t tile,
                      ListUse use);

  poplar::Graph& graph_;
  const Geometry& geometry_;
  const std::vector<UnitTensors>& units_;
  std::vector<TurnedEvents> turned_[2]; // by use, then by layer
  poplar::program::Program begin_;
};

} // namespace spillway
