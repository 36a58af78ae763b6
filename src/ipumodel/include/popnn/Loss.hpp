// Losses with their gradients, and accuracy. modelOutputs is [batch, classes]; expected holds the
// label of each sample, INT or UNSIGNED_INT, MASKED_LABEL_CODE for none; or, of the same shape and
// type as modelOutputs, the expected distribution.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/EncodingConstants.hpp>

#include <utility>

namespace popnn {

/// Half the sum of squares of the differences; the cross entropy of the outputs, which are
/// probabilities, and the gradient of the softmax that made them: output minus expected.
enum LossType { SUM_SQUARED_LOSS, CROSS_ENTROPY_LOSS };

/// Writes the loss of each sample to `loss`, [batch], and the gradient to `deltas`, [batch,
/// classes].
poplar::program::Program calcLoss(poplar::Graph& graph, const poplar::Tensor& modelOutputs,
                                  const poplar::Tensor& expected, const poplar::Tensor& loss,
                                  const poplar::Tensor& deltas, LossType lossType,
                                  const poplar::DebugContext& debugContext = {});
/// The same with deltas multiplied by `deltasScale`, and `modelOutputScaling`, a factor contained
/// in the outputs, divided out; scalars of the type of the outputs.
poplar::program::Program calcLoss(poplar::Graph& graph, const poplar::Tensor& modelOutputs,
                                  const poplar::Tensor& expected, const poplar::Tensor& loss,
                                  const poplar::Tensor& deltas, const poplar::Tensor& deltasScale,
                                  const poplar::Tensor& modelOutputScaling, LossType lossType,
                                  const poplar::DebugContext& debugContext = {});
/// And adds the number of samples whose largest output is at the label to `numCorrect`, one
/// UNSIGNED_INT.
poplar::program::Program calcLoss(poplar::Graph& graph, const poplar::Tensor& modelOutputs,
                                  const poplar::Tensor& expected, const poplar::Tensor& loss,
                                  const poplar::Tensor& deltas, const poplar::Tensor& numCorrect,
                                  LossType lossType, const poplar::DebugContext& debugContext = {});

poplar::program::Program calcAccuracy(poplar::Graph& graph, const poplar::Tensor& modelOutputs,
                                      const poplar::Tensor& expected,
                                      const poplar::Tensor& numCorrect,
                                      const poplar::DebugContext& debugContext = {});

/// The index of the largest (smallest) element of each row of a matrix, UNSIGNED_INT.
poplar::Tensor argMax(poplar::Graph& graph, const poplar::Tensor& input,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});
poplar::Tensor argMin(poplar::Graph& graph, const poplar::Tensor& input,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {});

/// The largest (smallest) element of each row, and its index.
std::pair<poplar::Tensor, poplar::Tensor>
maxAndArgMax(poplar::Graph& graph, const poplar::Tensor& input, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext = {});
std::pair<poplar::Tensor, poplar::Tensor>
minAndArgMin(poplar::Graph& graph, const poplar::Tensor& input, poplar::program::Sequence& prog,
             const poplar::DebugContext& debugContext = {});

/// The K largest of each row; their places to `indices`.
poplar::Tensor topK(poplar::Graph& graph, const poplar::Tensor& input, poplar::Tensor& indices,
                    unsigned K, bool sort, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {});

} // namespace popnn
