// What the tiles of a unit own, one contiguous piece per tile. n: neurons on the tile, B: samples,
// K: steps of a block, F: floats of a neuron's state.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/TiledTensor.hpp"

namespace spillway {

struct UnitTensors {
  UnitTensors(poplar::Graph& graph, const Geometry& geometry, std::size_t unit,
              const poplar::DebugContext& debugContext);

  TiledTensor weights;      // [fan-in (+ size where recurrent)][n]
  TiledTensor bias;         // [n]; zeros where the unit has none
  TiledTensor gradient;     // as weights
  TiledTensor biasGradient; // [n]
  TiledTensor slots;        // [numSlots][B][F][n]
  TiledTensor adjoint;      // [B][F][n]
  TiledTensor scaled;       // [B][K][n]; gain * adjoint of the block
  // What goes back to the list read: [B][K][entry]; where all below learn, by tile below
  // [B][K][its neurons].
  TiledTensor partials;
  TiledTensor ownPartials; // the same for the own list; recurrent layers, else one float a tile
  TiledTensor rowIndex;    // scratch of BlockWeightGradient, where it is used
  TiledTensor panels, ownPanels; // scratch of DenseProduct; one float a tile where it is not used

  // Layers.
  TiledTensor masks;         // UNSIGNED_CHAR [B][K][spike, gradient][ceil(n / 8)]
  TiledTensor spikeCounts;   // [B][n]
  TiledTensor countGradient; // [B][n]; d loss / d spikeCounts
  TiledTensor carried;       // [B][n] where all learn, see DenseBackward; else one float a tile

  // The readout.
  TiledTensor logits;     // [B][n]
  TiledTensor errors;     // [B][n]; d loss / d logits
  TiledTensor bestStep;   // UNSIGNED_INT [B][n]
  TiledTensor potentials; // [B][K][n] where every step has its loss, else one float a tile
};

} // namespace spillway
