// What the tiles of a unit own, one contiguous piece per tile. n: neurons on the tile, B: samples,
// K: steps of a block, F: floats of a neuron's state.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/TiledTensor.hpp"

#include <string>
#include <vector>

namespace spillway {

// What units of a gated network have besides; gates of a unit side by side.
struct GatedTensors {
  TiledTensor initial, last; // [B][n]; the state before the first step, and after the last
  // Layers.
  TiledTensor recurrentBias, recurrentBiasGradient; // [gates * n]; zeros where there is none
  TiledTensor threshold, thresholdGradient;         // [n]; zeros where there is none
  TiledTensor
      connected;       // [size][gates * n]: recurrent weights after dropconnect, where there is any
  TiledTensor outputs; // [B][n]; c of the step
  TiledTensor inputErrors, recurrentErrors; // [errorRoom][B][gates * n]; dp, dq. The former not
                                            // where errors are kept: they are in `gates`
  TiledTensor thresholdErrors;              // [B][n]
  TiledTensor
      sums; // [workers][samplesTogether()][2][gates * n], then on hosts unionFloats(); scratch
  TiledTensor kept; // idType [workers][samplesTogether()][width of the list received] where there
                    // is dropout, else one id a tile; scratch
  // Where products go by row, for the list received and the own one. Scratch.
  TiledTensor products[2];    // [errorRoom][B][gates * n]; formed ahead; not with gates kept, whose
                              // place is theirs till then
  TiledTensor rowValues[2];   // [errorRoom][B][kUnited]; with errors kept, of all steps
  TiledTensor receivedPanels; // [gates * n][kSampleLanes]; where RowProduct sends down
  TiledTensor errorPanels;    // [gates * n * panelLanes(B)]; dq of a step, for RecurrentProduct
  // [history blocks on chip][historySteps + 1][B][keptStride(n)], where gates are kept; and errors
  // of the steps that went backwards: dp, and the candidate's part of dq.
  TiledTensor gates;
  // The paper's convention.
  TiledTensor resets;            // [B][resetSteps][n]
  TiledTensor stateErrors;       // [B][n]; dL/dc
  TiledTensor candidateErrors;   // [B][gates * n]; the candidate's alone
  TiledTensor candidatePartials; // [B][size]; what goes back through candidates
  TiledTensor gatedLists;        // idType [workers][width of the own list]; scratch
};

struct UnitTensors {
  UnitTensors(poplar::Graph& graph, const Geometry& geometry, std::size_t unit,
              const poplar::DebugContext& debugContext);

  TiledTensor weights;      // [fan-in (+ size where recurrent)][n, of gated units gates * n]
  TiledTensor bias;         // [n, gates * n]; zeros where the unit has none
  TiledTensor gradient;     // as weights; or of a part, where it is formed so
  TiledTensor biasGradient; // as bias
  // Further copies of gradient and biasGradient, [copies - 1][rows of both][n]; one float a tile
  // where there are none. Spiking networks.
  TiledTensor gradientCopies;
  TiledTensor slots;   // [numSlots][B][F][n]
  TiledTensor adjoint; // [B][F][n]
  TiledTensor scaled;  // [B][K][n]; gain * adjoint of the block
  // What goes back to the list read: [B][K][entry]; where all below learn, by tile below
  // [B][K][its neurons]. On a host one float a tile where nobody wants it.
  TiledTensor partials;
  // The same for the own list; of gated layers whose products go by row [n * panelLanes(B)], the
  // sums over all tiles for the tile's own neurons. Recurrent layers, else one float a tile.
  TiledTensor ownPartials;
  TiledTensor rowIndex;          // for BlockWeightGradient, on the first tile; one word without it
  TiledTensor panels, ownPanels; // scratch of DenseProduct; one float a tile where it is not used

  // Layers.
  TiledTensor masks;         // UNSIGNED_CHAR [B][K][spike, gradient][ceil(n / 8)]
  TiledTensor distances;     // [B][K][n] where the surrogate is cached, else one float a tile
  TiledTensor spikeCounts;   // [B][n]
  TiledTensor countGradient; // [B][n]; d loss / d spikeCounts
  TiledTensor carried;       // [B][n] where all learn, see DenseBackward; else one float a tile

  // The readout.
  TiledTensor logits;     // [B][n]
  TiledTensor errors;     // [B][n]; d loss / d logits
  TiledTensor bestStep;   // UNSIGNED_INT [B][n]
  TiledTensor potentials; // [B][K][n] where every step has its loss, else one float a tile

  GatedTensors gated; // of units in gated networks
};

// A parameter of a unit as the host knows it: rows [begin, end) of a tensor of `rows` rows.
struct UnitParameter {
  std::string name; // "layer0/weight"
  const TiledTensor* value;
  const TiledTensor* gradient;
  std::size_t rows, begin, end;
  std::size_t gates; // blocks of columns
  bool trained = true;
};

// In the order of parameterShapes(); those that share a tensor follow one another.
std::vector<UnitParameter> unitParameters(const Geometry& geometry, std::size_t unit,
                                          const UnitTensors& tensors);

} // namespace spillway
