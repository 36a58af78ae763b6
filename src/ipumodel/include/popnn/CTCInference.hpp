// The likeliest labels of connectionist temporal classification, by a beam search.
//
// Data are [steps][batch][classes], one class being blank. The search goes through the steps and
// keeps the `beamwidth` likeliest labels, each with all the paths that read as it and were kept so
// far (popnn/CTCLoss.hpp). Sums are FLOAT. One vertex works on a sample.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popnn/CTCPlan.hpp>

#include <cstddef>
#include <tuple>

namespace popnn {
namespace ctc_infer {

/// The type is FLOAT or HALF. Options, by their names alone: partialsType,
/// availableMemoryProportion, planConstraints.
ctc::Plan plan(const poplar::Graph& graph, const poplar::Type& inType, unsigned batchSize,
               unsigned maxTime, unsigned numClasses, unsigned beamwidth,
               const poplar::OptionFlags& options = {});

/// [maxTime][batchSize][numClasses], each sample on the tile that works on it.
poplar::Tensor createDataInput(poplar::Graph& graph, const poplar::Type& type,
                               std::size_t batchSize, std::size_t maxTime, std::size_t numClasses,
                               const ctc::Plan& plan,
                               const poplar::DebugContext& debugContext = {});

/// Logarithms of the probabilities of the topPaths likeliest labels, in falling order, [batch]
/// [topPaths], of the type of the data, which are logarithms of probabilities; the lengths of the
/// labels, [batch][topPaths]; and the labels, [batch][topPaths][maxTime], zeros behind their ends.
/// If fewer labels are possible the others are empty and have the logarithm of zero. `dataLengths`,
/// [batch], has an integral type. REQUIRES: 1 <= topPaths <= beamwidth.
std::tuple<poplar::Tensor, poplar::Tensor, poplar::Tensor> beamSearchDecoderLogProbabilities(
    poplar::Graph& graph, const poplar::Tensor& logProbs, const poplar::Tensor& dataLengths,
    poplar::program::Sequence& prog, unsigned blankClass, unsigned beamwidth, unsigned topPaths,
    const ctc::Plan& plan, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {});

/// The same after a logSoftmax.
std::tuple<poplar::Tensor, poplar::Tensor, poplar::Tensor>
beamSearchDecoderLogits(poplar::Graph& graph, const poplar::Tensor& logits,
                        const poplar::Tensor& dataLengths, poplar::program::Sequence& prog,
                        unsigned blankClass, unsigned beamwidth, unsigned topPaths,
                        const ctc::Plan& plan, const poplar::DebugContext& debugContext = {},
                        const poplar::OptionFlags& options = {});

} // namespace ctc_infer
} // namespace popnn
