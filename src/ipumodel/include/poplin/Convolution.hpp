// Convolutions over one to three field dimensions, in FLOAT or HALF, summed in FLOAT.
//
// Shapes: input [B][G * Ci][field], weights [G][Co][Ci][kernel], output [B][G * Co][output field];
// as in most such libraries the kernel is not reversed. Options are checked by name and change
// nothing.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplin/ConvParams.hpp>
#include <poplin/PlanningCache.hpp>

#include <cstdint>
#include <iosfwd>
#include <set>
#include <tuple>

namespace poplin {

/// Multiplications and additions of the three passes.
std::uint64_t getFwdFlops(const ConvParams& params);
std::uint64_t getBwdFlops(const ConvParams& params);
std::uint64_t getWuFlops(const ConvParams& params);

/// Cycles of the three passes if all tiles multiplied full vectors in every cycle.
double getFwdPerfectCycleCount(const poplar::Graph& graph, const ConvParams& params);
double getBwdPerfectCycleCount(const poplar::Graph& graph, const ConvParams& params);
double getWuPerfectCycleCount(const poplar::Graph& graph, const ConvParams& params);

/// Of what to plan in advance. Plans are made when they are needed, so that this only checks
/// parameters and options, and counts in `cache`.
using ConvPlanParams =
    std::tuple<const poplar::Target*, const ConvParams, const poplar::OptionFlags*>;
void preplanConvolutions(const std::set<ConvPlanParams>& convs, PlanningCache& cache);
void preplanConvolutions(poplar::Graph& graph, const std::set<ConvPlanParams>& convs,
                         PlanningCache& cache);

/// Says how the convolution would be tiled; and that for the weights' gradient.
void reportPlanInfo(std::ostream& out, const poplar::Graph& graph, const ConvParams& params,
                    const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
void reportWeightUpdatePlanInfo(std::ostream& out, const poplar::Graph& graph,
                                const ConvParams& fwdParams,
                                const poplar::OptionFlags& fwdOptions = {},
                                PlanningCache* cache = nullptr);

/// Tensors mapped for a convolution of these parameters.
poplar::Tensor createInput(poplar::Graph& graph, const ConvParams& params,
                           const poplar::DebugContext& debugContext = {},
                           const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);
poplar::Tensor createWeights(poplar::Graph& graph, const ConvParams& params,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);
/// As convolution() would make its result.
poplar::Tensor createConvOutput(poplar::Graph& graph, const ConvParams& params,
                                const poplar::DebugContext& debugContext = {},
                                const poplar::OptionFlags& options = {},
                                PlanningCache* cache = nullptr);
/// [channels], mapped for addBias() to those activations.
poplar::Tensor createBiases(poplar::Graph& graph, const poplar::Tensor& activations,
                            const poplar::DebugContext& debugContext = {"biases"},
                            const poplar::OptionFlags& options = {},
                            PlanningCache* cache = nullptr);

/// If transposeAndFlipWeights, the weights are those of the pass that these parameters are the
/// gradient of: [G][Ci][Co][kernel], with the kernel reversed.
poplar::Tensor convolution(poplar::Graph& graph, const poplar::Tensor& in,
                           const poplar::Tensor& weights, const ConvParams& params,
                           bool transposeAndFlipWeights, poplar::program::Sequence& prog,
                           const poplar::DebugContext& debugContext = {},
                           const poplar::OptionFlags& options = {}, PlanningCache* cache = nullptr);

/// Copies weights with their channels swapped and their kernel reversed.
void weightsTransposeChansFlipXY(poplar::Graph& graph, const poplar::Tensor& weightsIn,
                                 const poplar::Tensor& weightsOut, poplar::program::Sequence& prog,
                                 const poplar::DebugContext& debugContext = {});

/// The gradient with respect to the weights. `params` are those of the forward pass.
poplar::Tensor calculateWeightDeltas(poplar::Graph& graph, const poplar::Tensor& zDeltas,
                                     const poplar::Tensor& activations, const ConvParams& params,
                                     poplar::program::Sequence& prog,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {},
                                     PlanningCache* cache = nullptr);
/// weights += scale * gradient.
void convolutionWeightUpdate(poplar::Graph& graph, const poplar::Tensor& zDeltas,
                             const poplar::Tensor& weights, const poplar::Tensor& activations,
                             ConvParams params, const poplar::Tensor& scale,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);
void convolutionWeightUpdate(poplar::Graph& graph, const poplar::Tensor& zDeltas,
                             const poplar::Tensor& weights, const poplar::Tensor& activations,
                             ConvParams params, float scale, poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext = {},
                             const poplar::OptionFlags& options = {},
                             PlanningCache* cache = nullptr);
/// biases += scale * sum of zDeltas over batch and field.
void convolutionBiasUpdate(poplar::Graph& graph, const poplar::Tensor& zDeltas,
                           const poplar::Tensor& biases, const poplar::Tensor& scale,
                           const poplar::OptionFlags& options, poplar::program::Sequence& prog,
                           const poplar::DebugContext& debugContext = {});
void convolutionBiasUpdate(poplar::Graph& graph, const poplar::Tensor& zDeltas,
                           const poplar::Tensor& biases, float scale,
                           const poplar::OptionFlags& options, poplar::program::Sequence& prog,
                           const poplar::DebugContext& debugContext = {});

/// Adds a bias per channel, in place.
void addBias(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& biases,
             poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
             const poplar::OptionFlags& options = {});

} // namespace poplin
