// The sizes of a network on a device, worked out once: everything the graph functions share.
#pragma once

#include "graphs/Placement.hpp"
#include "network/NetworkSpec.hpp"

#include <poplar/Graph.hpp>
#include <poplar/Type.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace spillway {

// What one training step runs over.
struct SequenceShape {
  std::uint32_t numSteps = 0;
  std::uint32_t numSamples = 0;
  std::uint32_t updateSamples = 0;  // that an update is the mean of; at least numSamples
  std::uint32_t blockSteps = 1;     // steps a unit runs in one superstep; 1 for recurrent networks
  std::uint32_t gradientCopies = 1; // of a spiking unit's weight gradients on a tile
  std::uint32_t errorSteps = 1;     // of gated layers, whose weight gradients are added up together
  bool keepsGates =
      false; // of gated layers, for the backward pass: 1 worker a tile, no Paper units
  // Of gated layers, of all steps, in the place of gates that are kept: weight gradients are formed
  // when all are known, for the update that follows and nobody else, so many parts a list: each
  // where the one before was, unless the update wants all at once.
  bool keepsErrors = false;
  std::uint32_t gradientParts = 1;
  bool wholeGradient = true;
  std::uint32_t lightSteps = 0;   // likewise of light steps, which need not wait; 0: there are none
  std::uint32_t numSlots = 1;     // local states
  std::uint32_t numRows = 0;      // states in Streaming Memory
  std::uint32_t maxTransfer = 1;  // states moved in one transfer
  std::uint32_t tableActions = 0; // of the schedule's table on chip
  std::uint32_t numActionPages = 0; // in Streaming Memory; 0: the table is on chip
  std::uint32_t historySteps = 0;   // steps of a history block: numSteps, unless spikes are spilled
  std::uint32_t numHistoryBuffers = 1; // history blocks on chip
  bool cachesSurrogate = false;        // distances to the threshold are kept, states are not
  bool overlapTransfers = false;       // an incoming staging buffer beside the outgoing one
  bool hostReadsLists = false;         // of all steps, when a sequence is done
};

struct Unit {
  bool isReadout = false;
  LayerSpec layer; // but for the readout
  std::uint32_t size = 0;
  std::uint32_t fanIn = 0;
  bool recurrent = false;
  std::uint32_t gates = 1; // columns of the weights for each neuron
  std::uint32_t stateFloats = 1;
  UnitPlacement placement;

  bool isPaper() const { // in the paper's convention
    return layer.kind == LayerKind::Egru && layer.gated.convention == GatedConvention::Paper;
  }
  std::size_t numTiles() const { return placement.tiles.size(); }
  std::uint32_t firstNeuron(std::size_t tile) const;
  std::uint32_t numNeurons(std::size_t tile) const;
  std::uint32_t numRows() const { return fanIn + (recurrent ? size : 0); } // of the weights
  // f(neurons on tile i) for every tile.
  template <class F>
  std::vector<std::size_t> perTile(const F& f) const {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < numTiles(); ++i) {
      sizes.push_back(f(static_cast<std::size_t>(numNeurons(i))));
    }
    return sizes;
  }
};

struct ListShape {
  std::uint32_t capacity = 0; // ids
  bool denseGradient = false; // d loss / d spike of every neuron, not of the list's entries
  std::uint32_t size = 0;     // of the layer, or the inputs
  ListPlacement placement;
  std::uint32_t words = 0; // with the header, and values where events carry them
  bool spikesOnly = false; // no ids that take part in the gradient alone
  // As masks, on the way to and from Streaming Memory; 0: a list is shorter, or in several shards.
  std::uint32_t packedWords = 0;
  std::uint32_t width() const { return words; }
  // d loss / d spike per sample and step.
  std::uint32_t numGradients() const { return denseGradient ? size : capacity; }
};

struct Geometry {
  Geometry(const NetworkSpec& network, const SequenceShape& sequence, const Placement& placement);

  NetworkSpec network;
  SequenceShape sequence;
  unsigned controlTile = 0;
  std::vector<unsigned> ioTiles; // where states wait that travel beside compute; may be none
  poplar::Type idType;
  std::vector<Unit> units;
  std::vector<ListShape> lists; // unit u reads list u; layer l makes list l+1
  UnitPlacement words;          // of a tied softmax, which is no unit: it has no state

  // Spikes go to Streaming Memory, block by block.
  bool spillsSpikes() const { return sequence.historySteps < sequence.numSteps; }
  std::uint32_t numHistoryBlocks() const {
    return (sequence.numSteps + sequence.historySteps - 1) / sequence.historySteps;
  }
  // The loss is on every step's potential, not on logits reduced over time.
  bool losesAtEveryStep() const {
    return hasReadout() && network.readout.reduction == ReadoutReduction::PerStep;
  }
  // Every step has a label, of the readout's steps or of the tied softmax.
  bool labelsEveryStep() const { return losesAtEveryStep() || network.readsWords(); }
  // Whether a light step reads list h: the readout's state is of use where its loss is.
  bool lightReads(std::size_t list) const {
    return sequence.lightSteps != 0 && (list < numLayers() + (losesAtEveryStep() ? 1 : 0) ||
                                        (list != 0 && units[list - 1].recurrent));
  }
  // Where a tile has one worker, the weight gradients of longer blocks go row by row.
  bool sumsGradientsByRow(const poplar::Graph& graph) const {
    return sequence.blockSteps > 1 && graph.getTarget().getNumWorkerContexts() == 1;
  }
  // There, too, vertices of the backward pass are for whole layers: they read in place, and leave
  // nothing to sum.
  bool goesBackByLayer(const poplar::Graph& graph) const { return sumsGradientsByRow(graph); }
  // Of a layer whose lists say who learns: not where neurons adapt.
  bool listsGoBackByLayer(const poplar::Graph& graph, std::size_t layer) const {
    return goesBackByLayer(graph) && !lists[layer + 1].denseGradient &&
           units[layer].stateFloats == 1;
  }
  // Vertices receive what lies elsewhere, rather than read it in place.
  static bool exchanges(const poplar::Graph& graph) {
    return graph.getTarget().getNumWorkerContexts() > 1;
  }
  // Where vertices read lists in place, they are turned round for the products of the backward pass
  // too, which then go row by row.
  bool multipliesByRow(const poplar::Graph& graph, std::size_t unit) const {
    return !exchanges(graph) && !units[unit].isReadout && !units[unit].isPaper();
  }
  // Where vertices read in place, the lists that layers make follow one another (see
  // maths/AppendedLists.hpp), unless something else knows where they are.
  bool appendsLists(const poplar::Graph& graph, std::size_t list) const {
    return list != 0 && !exchanges(graph) && !spillsSpikes() && !sequence.hostReadsLists;
  }
  // In the forward pass, what arrives from outside is known before its step.
  bool formsInputsAhead(const poplar::Graph& graph, std::size_t unit) const {
    return unit == 0 && multipliesByRow(graph, unit);
  }
  // Somebody else wants what a unit sends back to the list it received, and it goes by row.
  bool sendsDownByRow(const poplar::Graph& graph, std::size_t unit) const {
    return multipliesByRow(graph, unit) && (unit != 0 || network.readsWords());
  }
  // Weight gradients of the unit are made from the errors of all steps.
  bool formsGradientsLate(std::size_t unit) const {
    return sequence.keepsErrors && !units[unit].isReadout;
  }
  // Rows of the weights of a list, of so many, whose gradient is formed at once.
  std::uint32_t rowsOfPart(std::uint32_t numRows) const {
    return (numRows + sequence.gradientParts - 1) / sequence.gradientParts;
  }
  // Steps whose errors wait for the unit's weight gradients.
  std::uint32_t errorRoom(std::size_t unit) const {
    return units[unit].isReadout || sequence.keepsErrors ? 1 : sequence.errorSteps;
  }
  // Rows of a light slab; where lists are received in the step they are made in, the step before
  // the block too.
  std::uint32_t lightRows() const { return sequence.lightSteps + (network.isGated() ? 1 : 0); }
  // What an event of a gated layer adds to the loss of a training batch.
  double eventCost(std::size_t layer) const {
    const LayerSpec& spec = network.layers[layer];
    return spec.gated.eventPenalty /
           (double{1.0} * sequence.numSteps * sequence.updateSamples * spec.size);
  }
  // Steps for which reset gates are kept at once, in the paper's convention.
  std::uint32_t resetSteps() const { return std::max(1u, sequence.lightSteps); }
  bool hasReadout() const { return units.back().isReadout; }
  std::size_t numLayers() const { return network.layers.size(); }
  std::uint32_t slabRows() const {
    return sequence.blockSteps + 1;
  } // the block, and the step before it
  std::size_t topLayer() const { return numLayers() - 1; }
};

} // namespace spillway
