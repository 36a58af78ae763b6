// What the loops over the steps of recurrent layers share.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popnn/NonLinearityDef.hpp>
#include <popnn/Rnn.hpp>

#include <functional>
#include <string>
#include <vector>

namespace popnn::steps {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

enum class Order { Ascending, Descending };

// Checks the names of the options of LSTM and GRU layers.
void checkOptions(const poplar::OptionFlags& options);
// Throws poplibs_error unless there are two layer sizes, one or more steps, and activations whose
// slope follows from their result.
void checkLayer(const rnn::RnnParams& params, NonLinearityType activation,
                NonLinearityType recurrentActivation);

// [steps][shape...] of which single steps are taken.
Tensor createSequence(Graph& graph, const poplar::Type& type, std::size_t numSteps,
                      const std::vector<std::size_t>& shape, const DebugContext& debugContext);
Tensor takeStep(Graph& graph, const Tensor& sequence, const Tensor& step, Sequence& prog,
                const DebugContext& debugContext);
void putStep(Graph& graph, const Tensor& sequence, const Tensor& value, const Tensor& step,
             Sequence& prog, const DebugContext& debugContext);

// Adds a loop over all steps whose body, made by f(step, body), sees the step's number.
void forEachStep(Graph& graph, std::size_t numSteps, Order order, Sequence& prog,
                 const std::function<void(const Tensor&, Sequence&)>& f,
                 const DebugContext& debugContext);

// Whether the step is a valid one: BOOL, [batch or 1][1]. Invalid if all steps are.
Tensor validity(Graph& graph, const rnn::RnnParams& params, const Tensor& step, Sequence& body,
                const DebugContext& debugContext);
// value where valid, else 0 or `otherwise`; value itself if all steps are valid.
Tensor whereValid(Graph& graph, const Tensor& value, const Tensor& valid, Sequence& body,
                  const DebugContext& debugContext);
Tensor whereValid(Graph& graph, const Tensor& value, const Tensor& otherwise, const Tensor& valid,
                  Sequence& body, const DebugContext& debugContext);

// The units' weights [units][K][output] as the matrix [K][units * output], and back.
Tensor asMatrix(const Tensor& units);
Tensor asUnits(const Tensor& matrix, std::size_t numUnits);

// [batch][output] of several units, or what else has one shape, as [units][batch][output].
Tensor stacked(const std::vector<Tensor>& units);

// [batch][units * output] as [units][batch][output], and back.
Tensor unitsFirst(const Tensor& matrix, std::size_t numUnits);
Tensor batchFirst(const Tensor& units);

// A clone of t that starts with its data; or with zeros if `t` is invalid and `like` gives its
// layout.
Tensor copyOf(Graph& graph, const Tensor& t, Sequence& prog, const DebugContext& debugContext);
Tensor copyOrZero(Graph& graph, const Tensor& t, const Tensor& like, Sequence& prog,
                  const DebugContext& debugContext);
Tensor zeroLike(Graph& graph, const Tensor& t, Sequence& prog, const DebugContext& debugContext);

// sum += the sums of grads [units][batch][output] over the batch.
void addBatchSum(Graph& graph, const Tensor& grads, const Tensor& sum, Sequence& prog,
                 const DebugContext& debugContext);

} // namespace popnn::steps
