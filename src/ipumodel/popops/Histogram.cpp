#include <poplar/exceptions.hpp>
#include <popops/ElementWise.hpp>
#include <popops/GatherStatistics.hpp>
#include <popops/Reduce.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace popops {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

// Counts of the elements on each tile: [tiles that have some][levels + 1].
Tensor countOnTiles(Graph& graph, const Tensor& input, const Tensor& levels, bool absolute,
                    const poplar::Type& countType, Sequence& prog, const DebugContext& di) {
  const auto flat = input.flatten();
  const auto cs = graph.addComputeSet(di);
  const auto type = poputil::templateVertex("popops::Histogram", input.elementType(), countType);
  std::vector<Tensor> counts;
  const auto mapping = graph.getTileMapping(flat);
  for (unsigned tile = 0; tile != mapping.size(); ++tile) {
    if (mapping[tile].empty())
      continue;
    const auto count = graph.addVariable(countType, {1, levels.numElements() + 1}, {di, "counts"});
    const auto v = graph.addVertex(cs, type);
    graph.connect(v["in"], poplar::concat(flat.slices(mapping[tile])));
    graph.connect(v["levels"], levels);
    graph.connect(v["counts"], count[0]);
    graph.setInitialValue(v["absolute"], absolute);
    graph.setTileMapping(v, tile);
    graph.setTileMapping(count, tile);
    counts.push_back(count);
  }
  prog.add(poplar::program::Execute(cs, di));
  return poplar::concat(counts);
}

bool usesFloats(const poplar::OptionFlags& options) {
  bool floats = false;
  for (const auto& option : options) {
    if (option.first != "useFloatArithmetic")
      throw poplar::invalid_option("Unrecognised histogram option '" + option.first +
                                   "'; useFloatArithmetic is known");
    floats = option.second == "true";
  }
  return floats;
}

} // namespace

Tensor histogram(Graph& graph, const Tensor& input, const Tensor& levels, bool absoluteOfInput,
                 Sequence& prog, const DebugContext& debugContext,
                 const poplar::OptionFlags& options) {
  auto output = graph.addVariable(usesFloats(options) ? poplar::FLOAT : poplar::UNSIGNED_INT,
                                  {levels.numElements() + 1}, debugContext);
  poputil::mapTensorLinearly(graph, output);
  histogram(graph, input, output, false, levels, absoluteOfInput, prog, debugContext);
  return output;
}

void histogram(Graph& graph, const Tensor& input, Tensor& output, bool updateOutput,
               const Tensor& levels, bool absoluteOfInput, Sequence& prog,
               const DebugContext& debugContext) {
  if (levels.rank() != 1 || levels.elementType() != input.elementType() || output.rank() != 1 ||
      output.dim(0) != levels.dim(0) + 1)
    throw poputil::poplibs_error("histogram: levels of shape " + levels.shapeToString() +
                                 " and the input's type need an output of one entry more, not " +
                                 output.shapeToString());
  poputil::PoplibsOpDebugInfo di(debugContext);
  const DebugContext name(di, "histogram");
  const auto counts =
      countOnTiles(graph, input, levels, absoluteOfInput, output.elementType(), prog, name);
  if (updateOutput)
    addInPlace(graph, output, reduce(graph, counts, {0}, Operation::ADD, prog, name), prog, name);
  else
    reduceWithOutput(graph, counts, output, {0}, Operation::ADD, prog, name);
}

} // namespace popops
