// The loss of connectionist temporal classification, with its gradient.
//
// Data are [steps][batch][classes], one class being blank; labels are [batch][longest label]. A
// path through the steps reads as a label when repeated classes are joined and blanks left out;
// the loss of a sample is minus the logarithm of the probability of all paths that read as its
// label: infinite if there is none. Sums are FLOAT. One vertex works on a sample.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popnn/CTCPlan.hpp>

#include <cstddef>
#include <utility>

namespace popnn {
namespace ctc {

/// Types are FLOAT or HALF; `outType` is FLOAT if inType is. Options, by their names alone:
/// partialsType, availableMemoryProportion, planConstraints.
Plan plan(const poplar::Graph& graph, const poplar::Type& inType, const poplar::Type& outType,
          unsigned batchSize, unsigned maxTime, unsigned maxLabelLength, unsigned numClasses,
          const poplar::OptionFlags& options = {});

/// [maxTime][batchSize][numClasses] and [batchSize][maxLabelLength], each sample on the tile that
/// works on it.
poplar::Tensor createDataInput(poplar::Graph& graph, const poplar::Type& type,
                               std::size_t batchSize, std::size_t maxTime, std::size_t numClasses,
                               const Plan& plan, const poplar::DebugContext& debugContext = {});
poplar::Tensor createLabelsInput(poplar::Graph& graph, const poplar::Type& type,
                                 std::size_t batchSize, std::size_t maxLabelLength,
                                 const Plan& plan, const poplar::DebugContext& debugContext = {});

/// The loss, [batch], and its gradient, shaped like the data, both of type `outType`. The data are
/// logarithms of probabilities; labels and lengths, [batch], have an integral type. Steps beyond
/// those of a sample get zeros. Option includeSoftmaxGradient (true, false) [=true]: the gradient
/// is that of what went into a logSoftmax that made the data, instead of that of the data.
std::pair<poplar::Tensor, poplar::Tensor> calcLossAndGradientLogProbabilities(
    poplar::Graph& graph, const poplar::Type& outType, const poplar::Tensor& logProbs,
    const poplar::Tensor& labels, const poplar::Tensor& dataLengths,
    const poplar::Tensor& labelLengths, poplar::program::Sequence& prog, unsigned blankClass,
    const Plan& plan, const poplar::DebugContext& debugContext = {},
    const poplar::OptionFlags& options = {});

/// The same after a logSoftmax of `logits`, whose gradient it gives.
std::pair<poplar::Tensor, poplar::Tensor>
calcLossAndGradientLogits(poplar::Graph& graph, const poplar::Type& outType,
                          const poplar::Tensor& logits, const poplar::Tensor& labels,
                          const poplar::Tensor& dataLengths, const poplar::Tensor& labelLengths,
                          poplar::program::Sequence& prog, unsigned blankClass, const Plan& plan,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {});

} // namespace ctc
} // namespace popnn
