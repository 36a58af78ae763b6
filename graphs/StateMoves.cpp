#include "graphs/StateMoves.hpp"

#include "plan/HistorySpread.hpp"

namespace spillway {
namespace {

using poplar::program::Execute;
using poplar::program::Program;
using poplar::program::Sequence;

std::size_t stateFloats(const Geometry& geometry, const Unit& unit, std::size_t tile) {
  return std::size_t{geometry.sequence.numSamples} * unit.stateFloats * unit.numNeurons(tile);
}

} // namespace

StateMoves::StateMoves(poplar::Graph& graph, const Geometry& geometry,
                       const std::vector<UnitTensors>& units, const Sequencer& sequencer,
                       const poplar::DebugContext& debugContext)
    : graph_(graph),
      geometry_(geometry),
      units_(units),
      sequencer_(sequencer),
      name_(poplar::DebugInfo(debugContext, "spillway")) {
  if (geometry.sequence.numRows != 0) {
    outgoing_ = makeStaging("outgoing");
    incoming_ = geometry.sequence.overlapTransfers ? makeStaging("incoming") : outgoing_;
    rows_ = RemoteRows(graph, "checkpoints", outgoing_.sideBySide(geometry.sequence.maxTransfer),
                       geometry.sequence.numRows + 1);
  }
}

TiledTensor StateMoves::makeStaging(const char* what) const {
  std::vector<unsigned> tiles;
  std::vector<std::size_t> sizes;
  for (const Unit& unit : geometry_.units) {
    for (std::size_t i = 0; i < unit.numTiles(); ++i) {
      tiles.push_back(unit.placement.tiles[i]);
      sizes.push_back(geometry_.sequence.maxTransfer * stateFloats(geometry_, unit, i));
    }
  }
  if (!geometry_.ioTiles.empty()) {
    const auto numIoTiles = static_cast<std::uint32_t>(geometry_.ioTiles.size());
    tiles = plan::spreadPieces(sizes, numIoTiles);
    for (unsigned& tile : tiles) {
      tile = geometry_.ioTiles[tile];
    }
  }
  return {graph_, poplar::FLOAT, tiles, sizes, {name_, what}};
}

poplar::ComputeSet StateMoves::moves(const char* vertexType, const TiledTensor* staging) {
  poplar::ComputeSet computeSet = graph_.addComputeSet({name_, vertexType});
  std::size_t piece = 0;
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const Unit& unit = geometry_.units[u];
    for (std::size_t i = 0; i < unit.numTiles(); ++i, ++piece) {
      auto vertex = graph_.addVertex(
          computeSet, vertexType,
          {{"transfer", sequencer_.transfer}, {"slots", units_[u].slots.piece(i)}});
      if (staging == nullptr && geometry_.network.isGated()) {
        graph_.connect(vertex["initial"], units_[u].gated.initial.piece(i));
      }
      if (staging != nullptr) {
        graph_.connect(vertex["staging"], staging->piece(piece));
      }
      graph_.setInitialValue(vertex["stateSize"],
                             static_cast<unsigned>(stateFloats(geometry_, unit, i)));
      graph_.setTileMapping(vertex, unit.placement.tiles[i]);
    }
  }
  return computeSet;
}

Program StateMoves::copySlot() {
  return Execute(moves(geometry_.network.isGated() ? "CopySlotOrInitial" : "CopySlot", nullptr),
                 {name_});
}

Program StateMoves::write() {
  return Sequence({Execute(moves("SlotsToStaging", &outgoing_), {name_}),
                   rows_.write(outgoing_.sideBySide(geometry_.sequence.maxTransfer),
                               sequencer_.remoteRows, {name_, "write"})});
}

Program StateMoves::startRead() {
  return rows_.read(incoming_.sideBySide(geometry_.sequence.maxTransfer), sequencer_.remoteRows,
                    {name_, "read"});
}

Program StateMoves::finishRead() {
  return Execute(moves("StagingToSlots", &incoming_), {name_});
}

} // namespace spillway
