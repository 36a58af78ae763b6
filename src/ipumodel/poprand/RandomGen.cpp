#include "poputil/LibraryFolder.hpp"

#include <popops/ElementWise.hpp>
#include <popops/codelets.hpp>
#include <poprand/RandomGen.hpp>
#include <poprand/codelets.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <cmath>
#include <limits>

namespace poprand {
namespace {

const char kInThisLibrary = 0;

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

enum class Distribution : unsigned char { // as in Random.cpp
  Uniform,
  Bernoulli,
  Normal,
  TruncatedNormal,
  LogUniform
};

struct Parameters {
  Distribution distribution;
  double a = 0, b = 0, c = 0;
};

void checkSeed(const Tensor* seed) {
  if (seed && (seed->numElements() != 2 || seed->elementType() != poplar::UNSIGNED_INT))
    throw poputil::poplibs_error("poprand: a seed is two UNSIGNED_INT; this one has shape " +
                                 seed->shapeToString() + " and type " +
                                 seed->elementType().toString().cloneAsString());
}

void setParameters(Graph& graph, const poplar::VertexRef& v, const poplar::Type& type,
                   const Parameters& p) {
  graph.setInitialValue(v["a"], static_cast<float>(p.a));
  graph.setInitialValue(v["b"], static_cast<float>(p.b));
  graph.setInitialValue(v["c"], static_cast<float>(p.c));
  graph.setInitialValue(v["distribution"], static_cast<unsigned char>(p.distribution));
  int low = 0;
  unsigned range = 1;
  if (type == poplar::INT && p.distribution == Distribution::Uniform) {
    low = static_cast<int>(p.a);
    range = static_cast<unsigned>(static_cast<std::uint64_t>(p.b - p.a) + 1); // 2^32 becomes 0
  }
  graph.setInitialValue(v["low"], low);
  graph.setInitialValue(v["range"], range);
}

Tensor generate(Graph& graph, const Tensor* seed, std::uint32_t modifier, const Tensor& reference,
                const poplar::Type& type, const Parameters& parameters, Sequence& prog,
                const DebugContext& debugContext) {
  const bool legal = type == poplar::FLOAT || type == poplar::HALF ||
                     (type == poplar::INT && (parameters.distribution == Distribution::Uniform ||
                                              parameters.distribution == Distribution::Bernoulli));
  if (!legal)
    throw poputil::poplibs_error("poprand: no random numbers of type " +
                                 type.toString().cloneAsString() + " for this distribution");
  checkSeed(seed);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto out = graph.clone(type, reference, {di, "random"});
  const auto cs = graph.addComputeSet({di, "random"});
  Tensor key;
  if (seed) {
    key = seed->flatten();
  } else {
    // The number of vertices so far tells call sites apart.
    key = graph.addConstant<unsigned>(poplar::UNSIGNED_INT, {2},
                                      {graph.getNumVertices(), 0x2545f491u}, {di, "seed"});
    graph.setTileMapping(key, 0);
  }
  const auto name = poputil::templateVertex("poprand::Random", type);
  const auto flat = out.flatten();
  const auto& target = graph.getTarget();
  const auto mapping = graph.getTileMapping(flat);
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    for (const auto& share :
         poputil::splitRegionsBetweenWorkers(target, mapping[tile], target.getVectorWidth(type)))
      for (const auto& region : share) {
        const auto v = graph.addVertex(cs, name, {{"out", flat.slice(region)}, {"seed", key}});
        graph.setInitialValue(v["firstIndex"], static_cast<unsigned>(region.begin()));
        graph.setInitialValue(v["modifier"], modifier);
        graph.setInitialValue(v["execution"], 0u);
        graph.setInitialValue(v["countsExecutions"], seed == nullptr);
        setParameters(graph, v, type, parameters);
        graph.setTileMapping(v, tile);
      }
  prog.add(poplar::program::Execute(cs, {di}));
  return out;
}

void requireOrdered(const char* function, double low, double high) {
  if (!(low <= high))
    throw poputil::poplibs_error(std::string(function) + ": the range [" + std::to_string(low) +
                                 ", " + std::to_string(high) + "] is empty");
}

void requireProbability(const char* function, double p) {
  if (!(p >= 0 && p <= 1))
    throw poputil::poplibs_error(std::string(function) + ": " + std::to_string(p) +
                                 " is not a probability in [0, 1]");
}

} // namespace

void addCodelets(Graph& graph) {
  popops::addCodelets(graph);
  if (!graph.hasCodelet("poprand::Random<float>"))
    graph.addCodelets(poputil::libraryFolder(&kInThisLibrary) + "poprand_codelets.gp");
}

Tensor uniform(Graph& graph, const Tensor* seed, std::uint32_t seedModifier,
               const Tensor& reference, const poplar::Type& outType, double minVal, double maxVal,
               Sequence& prog, const DebugContext& debugContext) {
  requireOrdered("uniform", minVal, maxVal);
  if (outType == poplar::INT &&
      (minVal < std::numeric_limits<int>::min() || maxVal > std::numeric_limits<int>::max()))
    throw poputil::poplibs_error("uniform: bounds [" + std::to_string(minVal) + ", " +
                                 std::to_string(maxVal) + "] are not INT");
  return generate(graph, seed, seedModifier, reference, outType,
                  {Distribution::Uniform, minVal, maxVal}, prog, debugContext);
}

Tensor logUniform(Graph& graph, const Tensor* seed, std::uint32_t seedModifier,
                  const Tensor& reference, const poplar::Type& outType, double minVal,
                  double maxVal, Sequence& prog, double base, const DebugContext& debugContext) {
  requireOrdered("logUniform", minVal, maxVal);
  if (!(base > 0) || base == 1)
    throw poputil::poplibs_error("logUniform: the base is " + std::to_string(base) +
                                 "; it must be positive and not 1");
  if (minVal <= 0)
    throw poputil::poplibs_error("logUniform: the lower bound is " + std::to_string(minVal) +
                                 "; it must be positive");
  return generate(graph, seed, seedModifier, reference, outType,
                  {Distribution::LogUniform, std::log(minVal), std::log(maxVal)}, prog,
                  debugContext);
}

Tensor bernoulli(Graph& graph, const Tensor* seed, std::uint32_t seedModifier,
                 const Tensor& reference, const poplar::Type& outType, double prob, Sequence& prog,
                 const DebugContext& debugContext) {
  requireProbability("bernoulli", prob);
  return generate(graph, seed, seedModifier, reference, outType, {Distribution::Bernoulli, prob},
                  prog, debugContext);
}

Tensor normal(Graph& graph, const Tensor* seed, std::uint32_t seedModifier, const Tensor& reference,
              const poplar::Type& outType, double mean, double stdDev, Sequence& prog,
              const DebugContext& debugContext) {
  return generate(graph, seed, seedModifier, reference, outType,
                  {Distribution::Normal, mean, stdDev}, prog, debugContext);
}

Tensor truncatedNormal(Graph& graph, const Tensor* seed, std::uint32_t seedModifier,
                       const Tensor& reference, const poplar::Type& outType, double mean,
                       double stdDev, double alpha, Sequence& prog,
                       const DebugContext& debugContext) {
  if (alpha <= 0)
    throw poputil::poplibs_error("truncatedNormal: alpha is " + std::to_string(alpha) +
                                 "; it must be positive");
  return generate(graph, seed, seedModifier, reference, outType,
                  {Distribution::TruncatedNormal, mean, stdDev, alpha}, prog, debugContext);
}

Tensor shapedDropout(Graph& graph, const Tensor* seed, std::uint32_t seedModifier, const Tensor& in,
                     const Tensor& reference, double keepProbability, double scale, Sequence& prog,
                     const DebugContext& debugContext) {
  requireProbability("dropout", keepProbability);
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto keep = bernoulli(graph, seed, seedModifier, reference, in.elementType(),
                              keepProbability, prog, {di, "keep"});
  popops::mulInPlace(graph, keep, static_cast<float>(scale), prog, {di});
  return popops::mul(graph, in, keep, prog, {di, "dropout"});
}

Tensor dropout(Graph& graph, const Tensor* seed, std::uint32_t seedModifier, const Tensor& in,
               const Tensor& reference, double keepProbability, double scale, Sequence& prog,
               const DebugContext& debugContext) {
  if (in.shape() != reference.shape())
    throw poputil::poplibs_error("dropout: input of shape " + in.shapeToString() +
                                 ", reference of shape " + reference.shapeToString());
  return shapedDropout(graph, seed, seedModifier, in, reference, keepProbability, scale, prog,
                       debugContext);
}

void setSeed(Graph&, const Tensor& masterSeed, std::uint32_t, Sequence&, const DebugContext&) {
  checkSeed(&masterSeed);
}

} // namespace poprand
