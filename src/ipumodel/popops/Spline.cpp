#include <popops/SplineBasis.hpp>
#include <popops/SplineWeighting.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace popops {
namespace {

using poplar::Graph;
using poplar::Tensor;

void require(bool holds, const char* function, const std::string& what) {
  if (!holds)
    throw poputil::poplibs_error(std::string(function) + ": " + what);
}

bool isReal(const poplar::Type& type) {
  return type == poplar::FLOAT || type == poplar::HALF;
}

// Part i of n things in `parts` parts.
poplar::Interval part(std::size_t n, std::size_t parts, std::size_t i) {
  return {n * i / parts, n * (i + 1) / parts};
}

} // namespace

void splineBasis(Graph& graph, const Tensor& pseudo, const Tensor& kernelSize,
                 const Tensor& isOpenSpline, const Tensor& basis, const Tensor& weightIndex,
                 unsigned degree, poplar::program::Sequence& prog,
                 const poplar::DebugContext& debugContext) {
  constexpr auto kName = "splineBasis";
  require(pseudo.rank() == 2 && isReal(pseudo.elementType()), kName,
          "pseudo coordinates have to be two-dimensional, FLOAT or HALF");
  require(kernelSize.rank() == 1 && kernelSize.elementType() == poplar::INT &&
              isOpenSpline.rank() == 1 && isOpenSpline.elementType() == poplar::UNSIGNED_CHAR,
          kName, "kernelSize has to be a vector of INT, isOpenSpline one of UNSIGNED_CHAR");
  require(kernelSize.dim(0) == pseudo.dim(1) && isOpenSpline.dim(0) == pseudo.dim(1), kName,
          "kernelSize and isOpenSpline have to have an element for each of " +
              std::to_string(pseudo.dim(1)) + " dimensions");
  require(degree >= 1 && degree <= 3, kName,
          "degree " + std::to_string(degree) + "; 1, 2 and 3 are supported");
  std::size_t splines = 1;
  for (std::size_t d = 0; d != pseudo.dim(1); ++d)
    splines *= degree + 1;
  const std::vector<std::size_t> shape{pseudo.dim(0), splines};
  require(basis.shape() == shape && weightIndex.shape() == shape &&
              basis.elementType() == pseudo.elementType() &&
              weightIndex.elementType() == poplar::INT,
          kName,
          "results of shapes " + basis.shapeToString() + " and " + weightIndex.shapeToString() +
              " do not fit");

  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto cs = graph.addComputeSet({di, "SplineBasis"});
  const auto edges = pseudo.dim(0);
  const auto tiles = std::min<std::size_t>(graph.getTarget().getNumTiles(), edges);
  for (unsigned tile = 0; tile != tiles; ++tile) {
    const auto own = part(edges, tiles, tile);
    const auto v =
        graph.addVertex(cs, poputil::templateVertex("popops::SplineBasis", pseudo.elementType()),
                        {{"pseudo", pseudo.slice(own).flatten()},
                         {"kernelSize", kernelSize},
                         {"isOpen", isOpenSpline},
                         {"basis", basis.slice(own).flatten()},
                         {"weightIndex", weightIndex.slice(own).flatten()}});
    graph.setInitialValue(v["degree"], degree);
    graph.setInitialValue(v["splines"], static_cast<unsigned>(splines));
    graph.setTileMapping(v, tile);
  }
  prog.add(poplar::program::Execute(cs, {di}));
}

Tensor splineWeighting(Graph& graph, const Tensor& input, const Tensor& weight, const Tensor& basis,
                       const Tensor& weightIndex, poplar::program::Sequence& prog,
                       const poplar::DebugContext& debugContext) {
  constexpr auto kName = "splineWeighting";
  const auto type = input.elementType();
  require(input.rank() == 2 && weight.rank() == 3 && basis.rank() == 2 && isReal(type) &&
              weight.elementType() == type && basis.elementType() == type &&
              weightIndex.elementType() == poplar::INT,
          kName,
          "input and basis have to be two-dimensional, weight three-dimensional, all FLOAT "
          "or all HALF, and weightIndex INT");
  require(basis.shape() == weightIndex.shape() && basis.dim(0) == input.dim(0) &&
              weight.dim(1) == input.dim(1),
          kName,
          "shapes " + input.shapeToString() + ", " + weight.shapeToString() + ", " +
              basis.shapeToString() + " and " + weightIndex.shapeToString() +
              " do not fit together");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto edges = input.dim(0), outputs = weight.dim(2);
  const auto out = graph.addVariable(type, {edges, outputs}, {di, "weighted"});
  const auto cs = graph.addComputeSet({di, "SplineWeighting"});
  // Output channels are shared out first: then no tile needs all weights.
  const std::size_t tiles = graph.getTarget().getNumTiles();
  const auto outputParts = std::min(outputs, tiles),
             edgeParts = std::min(edges, tiles / outputParts);
  for (std::size_t o = 0; o != outputParts; ++o)
    for (std::size_t e = 0; e != edgeParts; ++e) {
      const auto tile = static_cast<unsigned>(o * edgeParts + e);
      const auto columns = part(outputs, outputParts, o), rows = part(edges, edgeParts, e);
      const auto own = out.slice(rows).slice(columns, 1);
      graph.setTileMapping(own, tile);
      const auto v = graph.addVertex(cs, poputil::templateVertex("popops::SplineWeighting", type),
                                     {{"input", input.slice(rows).flatten()},
                                      {"weight", weight.slice(columns, 2).flatten()},
                                      {"basis", basis.slice(rows).flatten()},
                                      {"weightIndex", weightIndex.slice(rows).flatten()},
                                      {"out", own.flatten()}});
      graph.setInitialValue(v["inputs"], static_cast<unsigned>(input.dim(1)));
      graph.setInitialValue(v["outputs"], static_cast<unsigned>(columns.size()));
      graph.setInitialValue(v["splines"], static_cast<unsigned>(basis.dim(1)));
      graph.setTileMapping(v, tile);
    }
  prog.add(poplar::program::Execute(cs, {di}));
  return out;
}

} // namespace popops
