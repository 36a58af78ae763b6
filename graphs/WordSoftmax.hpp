// Words at both ends of a network of gated layers: one matrix embeds those of the input and,
// transposed, gives the scores of the output's (docs/language.md).
//
// Both ends work on all steps at once, before and after the loop over steps, since neither is part
// of the recurrence. Rows are steps of samples, [sample][step]; words are dealt out to tiles of
// their own; n: elements of an embedding, R: rows, w: words on a tile.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/Lists.hpp"
#include "graphs/LossTensors.hpp"
#include "graphs/OptimiserPass.hpp"
#include "graphs/UnitTensors.hpp"

#include <poplar/Program.hpp>

namespace spillway {

class WordSoftmax {
public:
  // Without tensors where the network does not read words. REQUIRES: the lists of a group of
  // samples lie on one tile (ListSpread::WithGroups), for all steps.
  WordSoftmax(poplar::Graph& graph, const Geometry& geometry, const Lists& lists,
              const LossTensors& loss, const poplar::Tensor& phase,
              const poplar::DebugContext& debugContext);

  bool exists() const { return geometry_.network.readsWords(); }

  // The words of a batch as the host has them: INT [numSteps, numSamples].
  poplar::Tensor wordsOfHost() const;
  // Before the first step: layer 0's input, from the words.
  poplar::program::Program embed(poplar::Graph& graph) const;
  // Between forward and backward pass: losses and, in training, gradients().
  poplar::program::Program loss(poplar::Graph& graph) const;
  // dL/dy of the last layer, FLOAT [numSamples][numSteps][n].
  const poplar::Tensor& gradients() const { return outputGradients_.flat(); }
  // Keeps what layer 0's tiles sent back in their step.
  void addKeepInputGradients(poplar::Graph& graph, const UnitTensors& layer0,
                             const Sequencer& sequencer, poplar::ComputeSet computeSet) const;
  // After the last step: the embedding's share of the gradient.
  poplar::program::Program addEmbeddingGradient(poplar::Graph& graph) const;

  // Adds embedding and bias, each with its optimiser slots.
  void addTrained(poplar::Graph& graph, const OptimiserSpec& optimiser,
                  std::vector<TrainedTensor>& trained) const;
  const TiledTensor& penalties() const { return penalties_; } // [groups]

private:
  void addScores(poplar::Graph& graph, poplar::ComputeSet computeSet) const;
  void addLosses(poplar::Graph& graph, poplar::ComputeSet computeSet) const;
  void addErrors(poplar::Graph& graph, poplar::ComputeSet computeSet) const;
  void addInputGradients(poplar::Graph& graph, poplar::ComputeSet computeSet) const;
  std::uint32_t wordsOn(std::size_t tile) const;
  // Gives a vertex the words of a tile and puts it there.
  void placeOnTile(poplar::Graph& graph, const poplar::VertexRef& vertex, std::size_t tile) const;
  std::size_t rowsOf(const SampleGroup& group) const;

  const Geometry& geometry_;
  const Lists& lists_;
  const LossTensors& loss_;
  const poplar::Tensor& phase_;
  UnitPlacement placement_; // of the words

  TiledTensor embedding_, embeddingGradient_; // a tile: [w][n]
  TiledTensor bias_, biasGradient_;           // a tile: [w]
  TiledTensor scores_;                        // a tile: [R][w]; then their errors
  TiledTensor statistics_;                    // a tile: [R][kWordStatistics]
  TiledTensor tileScratch_, groupScratch_;    // of products
  TiledTensor words_;                         // INT; a group: [its R]
  TiledTensor inputs_, outputGradients_;      // a group: [its R][n]; what the softmax receives
  TiledTensor inputGradients_;                // a group: [its R][n]; of the embedded words
  TiledTensor logSums_;                       // a group: [its R]
  TiledTensor penalties_;                     // a group: []
  poplar::Tensor labels_;                     // INT [R]
};

} // namespace spillway
