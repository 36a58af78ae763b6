#include "poputil/LibraryFolder.hpp"

#include <popnn/LogSoftmax.hpp>
#include <popnn/NonLinearity.hpp>
#include <popnn/NonLinearityDefUtil.hpp>
#include <popnn/codelets.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <iostream>

namespace popnn {
namespace {

const char kInThisLibrary = 0;

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;
using Type = NonLinearityType;

constexpr const char* kNames[] = {"sigmoid",        "hard_sigmoid", "relu",    "tanh",
                                  "gelu",           "swish",        "softmax", "softmax_stable",
                                  "softmax_scaled", "gelu_erf"};

bool isSoftmax(Type type) {
  return type == Type::SOFTMAX || type == Type::SOFTMAX_STABLE || type == Type::SOFTMAX_SCALED;
}

// Vertices on the tiles of `out`; `fields` gives the inputs.
void addVertices(Graph& graph, const char* name, Type type, const Tensor& out,
                 const std::vector<std::pair<const char*, Tensor>>& fields,
                 const poplar::ComputeSet& cs) {
  const auto flat = out.flatten();
  const auto vertexType = poputil::templateVertex(name, out.elementType());
  const auto mapping = graph.getTileMapping(flat);
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    for (const auto& regions : graph.getSortedContiguousRegions(flat, mapping[tile])) {
      const auto v = graph.addVertex(cs, vertexType);
      graph.connect(v["out"], poplar::concat(flat.slices(regions)));
      for (const auto& field : fields)
        graph.connect(v[field.first], poplar::concat(field.second.flatten().slices(regions)));
      graph.setInitialValue(v["type"], static_cast<unsigned char>(type));
      graph.setTileMapping(v, tile);
    }
}

// In a compute set of their own.
void addVertices(Graph& graph, const char* name, Type type, const Tensor& out,
                 const std::vector<std::pair<const char*, Tensor>>& fields, Sequence& prog,
                 const DebugContext& debugContext) {
  const auto cs = graph.addComputeSet(debugContext);
  addVertices(graph, name, type, out, fields, cs);
  prog.add(poplar::program::Execute(cs, debugContext));
}

void requireWriteable(const Tensor& t) {
  if (!t.isParallelWriteable())
    throw poputil::poplibs_error("nonLinearityInPlace: the tensor contains constants or the same "
                                 "element twice");
}

void requireElementWise(Type type) {
  if (isSoftmax(type))
    throw poputil::poplibs_error(std::string("nonLinearity: ") + asString(type) +
                                 " takes several steps and cannot join a compute set");
}

float scalingOf(Type type) {
  return type == Type::SOFTMAX_SCALED ? SOFTMAX_SCALING : 1.0f;
}

// [rows][innermost dimension].
Tensor asRows(const Tensor& t) {
  if (t.rank() == 0)
    throw poputil::poplibs_error("softmax: the tensor is a scalar");
  const auto last = t.dim(t.rank() - 1);
  return t.reshape({t.numElements() / last, last});
}

Tensor rowReduce(Graph& graph, const Tensor& rows, popops::Operation op, Sequence& prog,
                 const DebugContext& debugContext) {
  return popops::reduce(graph, rows, {1}, op, prog, debugContext).expand({1});
}

void softmaxRows(Graph& graph, const Tensor& rows, Type type, Sequence& prog,
                 const DebugContext& debugContext) {
  if (type != Type::SOFTMAX) {
    const auto highest = rowReduce(graph, rows, popops::Operation::MAX, prog, debugContext);
    popops::subInPlace(graph, rows, highest, prog, debugContext);
  }
  popops::expInPlace(graph, rows, prog, debugContext);
  const auto sum = rowReduce(graph, rows, popops::Operation::ADD, prog, debugContext);
  popops::divInPlace(graph, rows, sum, prog, debugContext);
  if (type == Type::SOFTMAX_SCALED)
    popops::mulInPlace(graph, rows, SOFTMAX_SCALING, prog, debugContext);
}

} // namespace

const char* asString(const Type& type) {
  return kNames[static_cast<std::size_t>(type)];
}

std::ostream& operator<<(std::ostream& os, Type type) {
  return os << asString(type);
}

std::istream& operator>>(std::istream& is, Type& type) {
  std::string token;
  is >> token;
  const auto* name = std::find(std::begin(kNames), std::end(kNames), token);
  if (name == std::end(kNames))
    throw poputil::poplibs_error("Unknown non-linearity '" + token + "'");
  type = static_cast<Type>(name - std::begin(kNames));
  return is;
}

void addCodelets(Graph& graph) {
  popops::addCodelets(graph);
  if (!graph.hasCodelet("popnn::NonLinearity1D<float>"))
    graph.addCodelets(poputil::libraryFolder(&kInThisLibrary) + "popnn_codelets.gp");
}

void nonLinearityInPlace(Graph& graph, Type nonLinearityType, Tensor t, Sequence& prog,
                         const DebugContext& debugContext, const OptionFlags&) {
  requireWriteable(t);
  poputil::PoplibsOpDebugInfo di(debugContext);
  if (isSoftmax(nonLinearityType))
    return softmaxRows(graph, asRows(t), nonLinearityType, prog, {di, "softmax"});
  addVertices(graph, "popnn::NonLinearityInPlace1D", nonLinearityType, t, {}, prog,
              {di, "nonLinearity"});
}

Tensor nonLinearity(Graph& graph, Type nonLinearityType, Tensor t, Sequence& prog,
                    const DebugContext& debugContext, const OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto out = graph.clone(t, {di, "out"});
  if (isSoftmax(nonLinearityType)) {
    prog.add(poplar::program::Copy(t, out, false, {di}));
    nonLinearityInPlace(graph, nonLinearityType, out, prog, {di}, options);
  } else {
    addVertices(graph, "popnn::NonLinearity1D", nonLinearityType, out, {{"in", t}}, prog,
                {di, "nonLinearity"});
  }
  return out;
}

void nonLinearityInPlace(Graph& graph, Type nonLinearityType, Tensor t, float& nonLinearityScaling,
                         Sequence& prog, const DebugContext& debugContext,
                         const OptionFlags& options) {
  nonLinearityScaling = scalingOf(nonLinearityType);
  nonLinearityInPlace(graph, nonLinearityType, t, prog, debugContext, options);
}

Tensor nonLinearity(Graph& graph, Type nonLinearityType, Tensor t, float& nonLinearityScaling,
                    Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  nonLinearityScaling = scalingOf(nonLinearityType);
  return nonLinearity(graph, nonLinearityType, t, prog, debugContext, options);
}

Tensor nonLinearityInputGradient(Graph& graph, Type nonLinearityType, Tensor act,
                                 Tensor outGradient, Sequence& prog,
                                 const DebugContext& debugContext, const OptionFlags&) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  if (isSoftmax(nonLinearityType)) {
    // y (g - sum of y g along the row)
    const auto y = asRows(act), g = asRows(outGradient);
    const auto yg = popops::mul(graph, y, g, prog, {di});
    const auto sum = rowReduce(graph, yg, popops::Operation::ADD, prog, {di});
    if (nonLinearityType ==
        Type::SOFTMAX_SCALED) // y contains the factor, and so does one of the two
      popops::mulInPlace(graph, sum, 1 / SOFTMAX_SCALING, prog, {di});
    const auto scaled = popops::mul(graph, y, sum, prog, {di});
    return popops::sub(graph, yg, scaled, prog, {di}).reshape(act.shape());
  }
  const auto out = graph.clone(outGradient, {di, "inGradient"});
  addVertices(graph, "popnn::NonLinearityGrad1D", nonLinearityType, out,
              {{"act", act}, {"outGradient", outGradient}}, prog, {di, "nonLinearityGrad"});
  return out;
}

void nonLinearityInPlace(Graph& graph, Type nonLinearityType, Tensor t, poplar::ComputeSet& cs,
                         const DebugContext&, const OptionFlags&) {
  requireElementWise(nonLinearityType);
  requireWriteable(t);
  addVertices(graph, "popnn::NonLinearityInPlace1D", nonLinearityType, t, {}, cs);
}

void nonLinearityInPlace(Graph& graph, Type nonLinearityType, Tensor t, float& nonLinearityScaling,
                         poplar::ComputeSet& cs, const DebugContext& debugContext,
                         const OptionFlags& options) {
  nonLinearityScaling = scalingOf(nonLinearityType);
  nonLinearityInPlace(graph, nonLinearityType, t, cs, debugContext, options);
}

Tensor nonLinearityInputGradient(Graph& graph, Type nonLinearityType, Tensor act,
                                 Tensor outGradient, poplar::ComputeSet& cs,
                                 const DebugContext& debugContext, const OptionFlags&) {
  requireElementWise(nonLinearityType);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto out = graph.clone(outGradient, {di, "inGradient"});
  addVertices(graph, "popnn::NonLinearityGrad1D", nonLinearityType, out,
              {{"act", act}, {"outGradient", outGradient}}, cs);
  return out;
}

void logSoftmaxInPlace(Graph& graph, Tensor t, Sequence& prog, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto rows = asRows(t);
  const auto highest = rowReduce(graph, rows, popops::Operation::MAX, prog, {di});
  popops::subInPlace(graph, rows, highest, prog, {di});
  const auto exponentials = popops::exp(graph, rows, prog, {di});
  const auto sum = rowReduce(graph, exponentials, popops::Operation::ADD, prog, {di});
  popops::logInPlace(graph, sum, prog, {di});
  popops::subInPlace(graph, rows, sum, prog, {di});
}

Tensor logSoftmax(Graph& graph, Tensor t, Sequence& prog, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto out = graph.clone(t, {di, "logSoftmax"});
  prog.add(poplar::program::Copy(t, out, false, {di}));
  logSoftmaxInPlace(graph, out, prog, {di});
  return out;
}

} // namespace popnn
