// One step of a GRU layer and the loops over them, with or without attention.
#pragma once

#include "popnn/RnnSteps.hpp"

#include <popnn/Gru.hpp>

namespace popnn::gru {

constexpr std::size_t kUnits = BASIC_GRU_CELL_NUM_UNITS;

// Throws poplibs_error or invalid_option unless the layer can be built.
void check(const GruParams& params, const poplar::OptionFlags& options);

// The weights in the order reset, update, candidate; and back in the order of the layer.
GruWeights inOrder(const GruParams& params, const GruWeights& weights);
GruWeights inCellOrder(const GruParams& params, const GruWeights& weights);

// The gradients of one step with respect to the units before their activations: what meets the
// input, and what meets the recurrent weights (they differ in the candidate with resetAfter).
struct UnitGrads {
  poplar::Tensor input, recurrent; // [3][batch][output]
};

// Sums of the weights' gradients over steps.
struct WeightSums { // in the order reset, update, candidate
  GruWeights sums;

  WeightSums(poplar::Graph& graph, const GruWeights& ordered, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext);
  // `kept`: what the forward pass kept of the step.
  void add(poplar::Graph& graph, const GruParams& params, const poplar::Tensor& in,
           const poplar::Tensor& kept, const UnitGrads& grads, poplar::program::Sequence& prog,
           const poplar::DebugContext& di, poplin::PlanningCache* cache) const;
};

// `attention`: [batch][steps], or invalid for a layer without.
poplar::Tensor forward(poplar::Graph& graph, const GruParams& params,
                       const poplar::Tensor& stateInit, const poplar::Tensor& in,
                       const GruWeights& ordered, poplar::Tensor* intermediates,
                       const poplar::Tensor& attention, poplar::program::Sequence& prog,
                       const poplar::DebugContext& di, poplin::PlanningCache* cache);

// What the backward pass gives besides the gradient of the initial state; null where not wanted.
struct BackwardResults {
  poplar::Tensor* inputGrad = nullptr;
  poplar::Tensor* bwdIntermediates = nullptr;
  const WeightSums* sums = nullptr;
  poplar::Tensor* attentionGrad = nullptr; // [batch][steps]
};
poplar::Tensor backward(poplar::Graph& graph, const GruParams& params,
                        poplar::program::Sequence& prog, const poplar::Tensor& fwdIntermediates,
                        const GruWeights& ordered, const poplar::Tensor& input,
                        const poplar::Tensor& outputGrad, const poplar::Tensor& attention,
                        const BackwardResults& results, const poplar::DebugContext& di,
                        poplin::PlanningCache* cache);

} // namespace popnn::gru
