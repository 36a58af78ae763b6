#include "popops/OpInfo.hpp"
#include "popops/ReduceStages.hpp"

#include <popops/Cast.hpp>
#include <popops/Reduce.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <iostream>
#include <set>

namespace popops {
namespace {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::Type;
using poplar::program::Sequence;
using Sizes = std::vector<std::size_t>;

constexpr const char* kNames[] = {"ADD",         "MUL",        "MIN",        "MAX",
                                  "LOGICAL_AND", "LOGICAL_OR", "SQUARE_ADD", "LOG_ADD"};

void checkOptions(const OptionFlags& options) {
  std::string type;
  const std::map<std::string, std::string> types{{"float", "float"}, {"half", "half"}};
  const poplibs::OptionSpec spec{
      {"accumType.interTile", poplibs::OptionHandler::createWithEnum(type, types)},
      {"accumType.inVertex", poplibs::OptionHandler::createWithEnum(type, types)}};
  for (const auto& flag : options)
    spec.parse(flag.first, flag.second);
}

void checkTypes(const Type& in, const Type& out, Operation op) {
  const bool logical = op == Operation::LOGICAL_AND || op == Operation::LOGICAL_OR;
  const bool legal = logical                    ? in == poplar::BOOL && out == poplar::BOOL
                     : op == Operation::LOG_ADD ? isReal(in) && isReal(out)
                     : isReal(in)               ? isReal(out)
                                  : in == out && (in == poplar::INT || in == poplar::UNSIGNED_INT);
  if (!legal)
    throw poputil::poplibs_error("reduce: " + std::string(kNames[static_cast<std::size_t>(op)]) +
                                 " of " + in.toString().cloneAsString() + " to " +
                                 out.toString().cloneAsString() + " is not supported");
}

struct Dims {
  Tensor matrix; // [outputs][reduced]
  Sizes outShape;
};

Dims splitDims(const Tensor& in, const Sizes& dims) {
  const std::set<std::size_t> reduced(dims.begin(), dims.end());
  if (!reduced.empty() && *reduced.rbegin() >= in.rank())
    throw poputil::poplibs_error("reduce: dimension " + std::to_string(*reduced.rbegin()) +
                                 " of a tensor of rank " + std::to_string(in.rank()));
  std::vector<unsigned> order;
  Dims result;
  std::size_t numReduced = 1;
  for (unsigned d = 0; d != in.rank(); ++d)
    if (!reduced.count(d)) {
      order.push_back(d);
      result.outShape.push_back(in.dim(d));
    }
  for (auto d : reduced) {
    order.push_back(static_cast<unsigned>(d));
    numReduced *= in.dim(static_cast<unsigned>(d));
  }
  std::size_t numOutputs = 1;
  for (auto size : result.outShape)
    numOutputs *= size;
  result.matrix = in.dimShuffle(order).reshape({numOutputs, numReduced});
  return result;
}

} // namespace

std::ostream& operator<<(std::ostream& os, const Operation& op) {
  return os << kNames[static_cast<std::size_t>(op)];
}

std::istream& operator>>(std::istream& is, Operation& op) {
  std::string token;
  is >> token;
  const auto* name = std::find(std::begin(kNames), std::end(kNames), token);
  if (name == std::end(kNames))
    throw poputil::poplibs_error("Invalid reduction operation '" + token + "'");
  op = static_cast<Operation>(name - std::begin(kNames));
  return is;
}

void reduceWithOutput(Graph& graph, const Tensor& in, const Tensor& out, const Sizes& dims,
                      ReduceParams params, std::vector<ComputeSet>& css,
                      const DebugContext& debugContext, const OptionFlags& options) {
  checkOptions(options);
  checkTypes(in.elementType(), out.elementType(), params.op);
  const bool sums = params.op == Operation::ADD || params.op == Operation::SQUARE_ADD;
  if ((params.useScale && !sums) || (params.update && !sums && params.op != Operation::LOG_ADD))
    throw poputil::poplibs_error("reduce: scale and update are for ADD, SQUARE_ADD and LOG_ADD");
  const auto split = splitDims(in, dims);
  if (split.outShape != out.shape())
    throw poputil::poplibs_error("reduce: the output has shape " + out.shapeToString() +
                                 ", which is not that of the result");
  poputil::PoplibsOpDebugInfo di(debugContext);
  addReduction(graph, split.matrix, out.flatten(), params, css, {di, "Reduce"});
}

Tensor reduce(Graph& graph, const Tensor& in, const Type& outType, const Sizes& dims,
              ReduceParams params, std::vector<ComputeSet>& css, const DebugContext& debugContext,
              const OptionFlags& options) {
  if (params.update)
    throw poputil::poplibs_error("reduce: an update needs an output; use reduceWithOutput");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto out = graph.addVariable(outType, splitDims(in, dims).outShape, {di, "reduced"});
  reduceWithOutput(graph, in, out, dims, params, css, {di}, options);
  return out;
}

Tensor reduce(Graph& graph, const Tensor& in, const Sizes& dims, ReduceParams params,
              std::vector<ComputeSet>& css, const DebugContext& debugContext,
              const OptionFlags& options) {
  return reduce(graph, in, in.elementType(), dims, params, css, debugContext, options);
}

namespace {

void execute(const std::vector<ComputeSet>& css, Sequence& prog, const DebugContext& debugContext) {
  for (const auto& cs : css)
    prog.add(poplar::program::Execute(cs, debugContext));
}

// Whether only dimensions of size 1 go and the elements stay as they are: then no vertex is needed.
bool keepsElements(const Dims& split, const ReduceParams& params) {
  return split.matrix.dim(1) == 1 && !params.useScale && !params.update &&
         params.op != Operation::SQUARE_ADD;
}

void copyElements(Graph& graph, const Tensor& in, const Tensor& out, Sequence& prog,
                  const DebugContext& debugContext) {
  if (in.numElements() != 0)
    prog.add(cast(graph, in.flatten(), out.flatten(), debugContext));
}

} // namespace

void reduceWithOutput(Graph& graph, const Tensor& in, const Tensor& out, const Sizes& dims,
                      ReduceParams params, Sequence& prog, const DebugContext& debugContext,
                      const OptionFlags& options) {
  const auto split = splitDims(in, dims);
  bool isMapped = false;
  graph.getTileMapping(out, &isMapped);
  if (keepsElements(split, params) && split.outShape == out.shape() && isMapped) {
    checkOptions(options);
    checkTypes(in.elementType(), out.elementType(), params.op);
    return copyElements(graph, split.matrix, out, prog, debugContext);
  }
  std::vector<ComputeSet> css;
  reduceWithOutput(graph, in, out, dims, params, css, debugContext, options);
  execute(css, prog, debugContext);
}

Tensor reduce(Graph& graph, const Tensor& in, const Type& outType, const Sizes& dims,
              ReduceParams params, Sequence& prog, const DebugContext& debugContext,
              const OptionFlags& options) {
  const auto split = splitDims(in, dims);
  if (keepsElements(split, params)) {
    checkOptions(options);
    checkTypes(in.elementType(), outType, params.op);
    const auto out = graph.clone(outType, split.matrix, {debugContext, "reduced"});
    copyElements(graph, split.matrix, out, prog, debugContext);
    return out.reshape(split.outShape);
  }
  std::vector<ComputeSet> css;
  const auto out = reduce(graph, in, outType, dims, params, css, debugContext, options);
  execute(css, prog, debugContext);
  return out;
}

Tensor reduce(Graph& graph, const Tensor& in, const Sizes& dims, ReduceParams params,
              Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  return reduce(graph, in, in.elementType(), dims, params, prog, debugContext, options);
}

void reduceMany(Graph& graph, const std::vector<SingleReduceOp>& reductions,
                std::vector<Tensor>& outputs, Sequence& prog, const DebugContext& debugContext,
                const OptionFlags& options) {
  if (!outputs.empty() && outputs.size() != reductions.size())
    throw poputil::poplibs_error("reduceMany: " + std::to_string(reductions.size()) +
                                 " reductions, " + std::to_string(outputs.size()) + " outputs");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const bool makeOutputs = outputs.empty();
  std::vector<ComputeSet> css;
  for (std::size_t i = 0; i != reductions.size(); ++i) {
    const auto& r = reductions[i];
    const auto outType = r.useOutType ? r.outType : r.in.elementType();
    if (makeOutputs && keepsElements(splitDims(r.in, r.dims), r.params))
      outputs.push_back(
          reduce(graph, r.in, outType, r.dims, r.params, prog, {di, r.debugName}, options));
    else if (makeOutputs)
      outputs.push_back(
          reduce(graph, r.in, outType, r.dims, r.params, css, {di, r.debugName}, options));
    else
      reduceWithOutput(graph, r.in, outputs[i], r.dims, r.params, css, {di, r.debugName}, options);
  }
  execute(css, prog, {di});
}

} // namespace popops
