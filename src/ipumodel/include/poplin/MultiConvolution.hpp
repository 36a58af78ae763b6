// Several convolutions at once. They run one after another here; each is the function of the same
// name in <poplin/Convolution.hpp>. Options of the whole are planType, perConvReservedTiles and
// cycleBackOff; only their names are checked.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplin/Convolution.hpp>

#include <string>
#include <vector>

namespace poplin {
namespace multiconv {

struct CreateTensorArgs {
  ConvParams params;
  poplar::OptionFlags options;
  std::string name;
};

/// All weights (inputs), or those of one of the convolutions.
std::vector<poplar::Tensor> createWeights(poplar::Graph& graph,
                                          const std::vector<CreateTensorArgs>& args,
                                          const poplar::OptionFlags& options = {},
                                          PlanningCache* cache = nullptr);
poplar::Tensor createWeights(poplar::Graph& graph, const std::vector<CreateTensorArgs>& args,
                             unsigned weightsIndex, const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);
std::vector<poplar::Tensor> createInput(poplar::Graph& graph,
                                        const std::vector<CreateTensorArgs>& args,
                                        const poplar::OptionFlags& options = {},
                                        PlanningCache* cache = nullptr);
poplar::Tensor createInput(poplar::Graph& graph, const std::vector<CreateTensorArgs>& args,
                           unsigned inputIndex, const poplar::OptionFlags& options = {},
                           PlanningCache* cache = nullptr);

struct ConvolutionArgs {
  poplar::Tensor inputs;
  poplar::Tensor weights;
  ConvParams params;
  poplar::OptionFlags options;
};
std::vector<poplar::Tensor>
convolution(poplar::Graph& graph, const std::vector<ConvolutionArgs>& args,
            bool transposeAndFlipWeights, poplar::program::Sequence& prog,
            const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {},
            PlanningCache* cache = nullptr);

struct CalculateWeightDeltasArgs {
  poplar::Tensor zDeltas;
  poplar::Tensor activations;
  ConvParams params;
  poplar::OptionFlags options;
};
std::vector<poplar::Tensor>
calculateWeightDeltas(poplar::Graph& graph, const std::vector<CalculateWeightDeltasArgs>& args,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

struct ConvWeightUpdateArgs {
  poplar::Tensor zDeltas;
  poplar::Tensor weights;
  poplar::Tensor activations;
  poplar::Tensor scale;
  ConvParams params;
  poplar::OptionFlags options;
};
struct ConvWeightUpdateArgsScalar {
  poplar::Tensor zDeltas;
  poplar::Tensor weights;
  poplar::Tensor activations;
  float scale;
  ConvParams params;
  poplar::OptionFlags options;
};
void convolutionWeightUpdate(poplar::Graph& graph, const std::vector<ConvWeightUpdateArgs>& args,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);
void convolutionWeightUpdate(poplar::Graph& graph,
                             const std::vector<ConvWeightUpdateArgsScalar>& args,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);

} // namespace multiconv
} // namespace poplin
