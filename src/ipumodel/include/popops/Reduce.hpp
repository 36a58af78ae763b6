// Reductions over dimensions of a tensor.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/Operation.hpp>
#include <poputil/exceptions.hpp>

#include <string>
#include <utility>
#include <vector>

namespace popops {

/// What to compute. With `update` the output is combined with the result instead of replaced; the
/// result is multiplied by the FLOAT scalar `scale` first. Both are for ADD and SQUARE_ADD (and
/// update for LOG_ADD).
struct ReduceParams {
  ReduceParams() = default;
  ReduceParams(popops::Operation operation, bool updateOutput = false)
      : op(operation), update(updateOutput), useScale(false) {}
  ReduceParams(popops::Operation operation, bool updateOutput, poplar::Tensor scaleTensor)
      : op(operation), update(updateOutput), useScale(true), scale(scaleTensor) {}
  // A constant as second argument is an older form; it must not turn into a bool.
  ReduceParams(popops::Operation op, float constantScale, bool update = false) = delete;

  popops::Operation op;
  bool update;
  bool useScale;
  poplar::Tensor scale;
};

/// Reduces `in` over `dims`. The result has the other dimensions, in order; intermediate sums of
/// HALF are FLOAT. FLOAT and HALF (in and out may differ), INT, UNSIGNED_INT; LOG_ADD: FLOAT, HALF;
/// LOGICAL_AND, LOGICAL_OR: BOOL.
/// Options accumType.interTile and accumType.inVertex (float, half) are accepted; sums are in
/// FLOAT.
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Type& outType,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});

/// Writes `out`, of the shape of the result. Maps it to tiles where it is not mapped.
void reduceWithOutput(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& out,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});

/// Add their vertices to compute sets, which the caller executes in order: reductions that are
/// given the same vector run in parallel.
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Type& outType,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
void reduceWithOutput(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& out,
                      const std::vector<std::size_t>& dims, ReduceParams params,
                      std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});

/// One reduction of reduceMany.
struct SingleReduceOp {
  poplar::Tensor in;
  std::vector<std::size_t> dims;
  ReduceParams params;
  bool useOutType; ///< else the output has the type of the input
  poplar::Type outType;
  std::string debugName;

  SingleReduceOp(poplar::Tensor input, std::vector<std::size_t> reducedDims,
                 ReduceParams reduceParams, poplar::Type type, std::string name = "")
      : in(std::move(input)),
        dims(std::move(reducedDims)),
        params(std::move(reduceParams)),
        useOutType(true),
        outType(type),
        debugName(std::move(name)) {}
  SingleReduceOp(poplar::Tensor input, std::vector<std::size_t> reducedDims,
                 ReduceParams reduceParams, std::string name = "")
      : in(std::move(input)),
        dims(std::move(reducedDims)),
        params(std::move(reduceParams)),
        useOutType(false),
        outType(poplar::BOOL),
        debugName(std::move(name)) {}
};

/// Does many reductions in parallel. If `outputs` is empty the tensors are made; otherwise there is
/// one for each, and outType is ignored. Updates need outputs.
void reduceMany(poplar::Graph& graph, const std::vector<SingleReduceOp>& reductions,
                std::vector<poplar::Tensor>& outputs, poplar::program::Sequence& prog,
                const poplar::DebugContext& debugContext = {},
                const poplar::OptionFlags& options = {});

} // namespace popops
