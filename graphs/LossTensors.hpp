// What the loss reads and writes, each sample's part on the tile of its group in the last layer's
// list.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/TiledTensor.hpp"

namespace spillway {

struct LossTensors {
  LossTensors(poplar::Graph& graph, const Geometry& geometry,
              const poplar::DebugContext& debugContext);

  // A piece per group of samples, Bg of them; where every step has its loss, [numSteps] comes
  // first.
  TiledTensor labels;     // INT [Bg], cross-entropy; FLOAT [Bg][outputs], mean-squared error
  poplar::Tensor scale;   // []; 1 / number of labels
  TiledTensor losses;     // [Bg]
  TiledTensor correct;    // UNSIGNED_INT [Bg]; labels that were met
  TiledTensor stepErrors; // [Bg][blockSteps][outputs] where every step has its loss, else empty
  std::vector<TiledTensor> penalties; // by layer, where rates are regularised: [tiles][numSamples]

  // The labels as the host has them: [numSteps,] numSamples [, outputs].
  poplar::Tensor labelsOfHost(const Geometry& geometry) const;
};

// The groups samples are dealt out in.
const std::vector<SampleGroup>& lossGroups(const Geometry& geometry);

} // namespace spillway
