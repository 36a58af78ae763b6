#include "graphs/OptimiserPass.hpp"

#include "graphs/VertexName.hpp"

#include <algorithm>

namespace spillway {
namespace {

// The factor every gradient is multiplied with: FLOAT [], on the control tile.
poplar::Tensor addClipFactor(poplar::Graph& graph, const Geometry& geometry,
                             const std::vector<TrainedTensor>& parameters, double limit,
                             poplar::program::Sequence& prog, const poplar::DebugInfo& name) {
  const std::size_t workers = graph.getTarget().getNumWorkerContexts();
  poplar::ComputeSet squares = graph.addComputeSet({name, "sumOfSquares"});
  std::vector<poplar::Tensor> sums;
  for (const TrainedTensor& parameter : parameters) {
    if (parameter.frozen) {
      continue;
    }
    const TiledTensor partial(graph, poplar::FLOAT, parameter.tiles,
                              std::vector<std::size_t>(parameter.tiles.size(), workers),
                              {name, "sums"});
    for (std::size_t i = 0; i < parameter.tiles.size(); ++i) {
      auto vertex =
          graph.addVertex(squares, "SumOfSquares",
                          {{"gradient", parameter.gradient.piece(i)}, {"sums", partial.piece(i)}});
      graph.setTileMapping(vertex, parameter.tiles[i]);
    }
    sums.push_back(partial.flat());
  }
  prog.add(poplar::program::Execute(squares, {name}));

  poplar::Tensor factor = graph.addVariable(poplar::FLOAT, {}, {name, "clipFactor"});
  graph.setTileMapping(factor, geometry.controlTile);
  poplar::ComputeSet clip = graph.addComputeSet({name, "clip"});
  auto vertex =
      graph.addVertex(clip, "ClipFactor", {{"sums", poplar::concat(sums)}, {"factor", factor}});
  graph.setInitialValue(vertex["limit"], static_cast<float>(limit));
  graph.setTileMapping(vertex, geometry.controlTile);
  prog.add(poplar::program::Execute(clip, {name}));
  return factor;
}

// Elements [begin, end) of what tile i has of a parameter, with their gradient.
struct UpdateRange {
  const TrainedTensor& parameter;
  std::size_t i, begin, end;
  poplar::Tensor gradient;
};

// What all updates share.
struct UpdateRule {
  const OptimiserSpec& optimiser;
  poplar::Tensor hyper, clip;
};

void addUpdateVertex(poplar::Graph& graph, const UpdateRange& range, const UpdateRule& rule,
                     poplar::ComputeSet computeSet) {
  const OptimiserSpec& optimiser = rule.optimiser;
  const auto ofRange = [&](const TiledTensor& tensor) {
    return tensor.piece(range.i).slice(range.begin, range.end);
  };
  const std::vector<TiledTensor>& slots = range.parameter.slots;
  const bool sgd = optimiser.kind == OptimiserKind::Sgd;
  const bool momentum = optimiser.numSlots() == 1;
  const std::string type = sgd ? vertexName("SgdUpdate", momentum)
                               : vertexName("AdamUpdate", optimiser.kind == OptimiserKind::AdamW);
  auto vertex = graph.addVertex(computeSet, type,
                                {{"hyper", rule.hyper},
                                 {"clip", rule.clip},
                                 {"gradient", range.gradient},
                                 {"parameter", ofRange(range.parameter.value)}});
  if (sgd) {
    graph.connect(vertex["velocity"], momentum ? ofRange(slots[0]) : range.gradient);
    graph.setInitialValue(vertex["momentum"], static_cast<float>(optimiser.momentum));
  } else {
    graph.connect(vertex["mean"], ofRange(slots[0]));
    graph.connect(vertex["variance"], ofRange(slots[1]));
    graph.setInitialValue(vertex["beta1"], static_cast<float>(optimiser.beta1));
    graph.setInitialValue(vertex["beta2"], static_cast<float>(optimiser.beta2));
    graph.setInitialValue(vertex["ofMean"], static_cast<float>(1.0 - optimiser.beta1));
    graph.setInitialValue(vertex["ofSquare"], static_cast<float>(1.0 - optimiser.beta2));
    graph.setInitialValue(vertex["epsilon"], static_cast<float>(optimiser.epsilon));
  }
  graph.setInitialValue(vertex["weightDecay"], static_cast<float>(optimiser.weightDecay));
  graph.setTileMapping(vertex, range.parameter.tiles[range.i]);
}

// Part by part: the gradients appear, and are used.
void addLateUpdate(poplar::Graph& graph, const std::vector<TrainedTensor>& parameters,
                   LateGradients& late, const UpdateRule& rule, poplar::program::Sequence& prog,
                   const poplar::DebugInfo& name) {
  for (std::uint32_t part = 0; part < late.numParts(); ++part) {
    prog.add(late.form(part));
    poplar::ComputeSet update = graph.addComputeSet({name, "updatePart"});
    for (const WeightPart& weights : late.weightsOf(part)) {
      const auto of = std::find_if(parameters.begin(), parameters.end(), [&](const auto& other) {
        return other.layerOfWeights == weights.unit;
      });
      addUpdateVertex(graph, {*of, weights.tile, weights.begin, weights.end, weights.gradient},
                      rule, update);
    }
    prog.add(poplar::program::Execute(update, {name}));
  }
}

} // namespace

std::vector<TrainedTensor> makeTrainedTensors(poplar::Graph& graph, const Geometry& geometry,
                                              const std::vector<UnitTensors>& units,
                                              const OptimiserSpec& optimiser,
                                              const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  std::vector<TrainedTensor> trained;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const Unit& unit = geometry.units[u];
    const TiledTensor* before = nullptr;
    for (const UnitParameter& parameter : unitParameters(geometry, u, units[u])) {
      if (parameter.value == before) {
        continue;
      }
      before = parameter.value;
      TrainedTensor tensor{*parameter.value, *parameter.gradient, {}, unit.placement.tiles};
      tensor.frozen = !parameter.trained;
      tensor.isThreshold = parameter.name.ends_with("/threshold");
      if (!unit.isReadout && parameter.value == &units[u].weights) {
        tensor.layerOfWeights = u;
      }
      for (std::uint32_t s = 0; s < optimiser.numSlots(); ++s) {
        tensor.slots.emplace_back(
            graph, poplar::FLOAT, unit.placement.tiles,
            unit.perTile([&](std::size_t n) { return parameter.rows * parameter.gates * n; }),
            poplar::DebugContext{name, "slot" + std::to_string(s)});
      }
      trained.push_back(std::move(tensor));
    }
  }
  return trained;
}

void addUpdate(poplar::Graph& graph, const Geometry& geometry,
               const std::vector<TrainedTensor>& parameters, const poplar::Tensor& hyper,
               const OptimiserSpec& optimiser, LateGradients* late, poplar::program::Sequence& prog,
               const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  poplar::Tensor clip;
  if (optimiser.clipNorm > 0.0) {
    clip = addClipFactor(graph, geometry, parameters, optimiser.clipNorm, prog, name);
  } else {
    clip = graph.addConstant<float>(poplar::FLOAT, {}, 1.0f, {name, "noClip"});
    graph.setTileMapping(clip, geometry.controlTile);
  }
  const UpdateRule rule{optimiser, hyper, clip};
  poplar::ComputeSet update = graph.addComputeSet({name, "update"});
  poplar::ComputeSet clamp = graph.addComputeSet({name, "clamp"});
  bool clamps = false;
  for (const TrainedTensor& parameter : parameters) {
    const bool isLate = late != nullptr && parameter.layerOfWeights;
    for (std::size_t i = 0; !parameter.frozen && !isLate && i < parameter.tiles.size(); ++i) {
      if (parameter.isThreshold) {
        auto vertex = graph.addVertex(clamp, "ClampToUnit", {{"values", parameter.value.piece(i)}});
        graph.setTileMapping(vertex, parameter.tiles[i]);
        clamps = true;
      }
      addUpdateVertex(
          graph,
          {parameter, i, 0, parameter.value.piece(i).numElements(), parameter.gradient.piece(i)},
          rule, update);
    }
  }
  prog.add(poplar::program::Execute(update, {name}));
  if (clamps) {
    prog.add(poplar::program::Execute(clamp, {name}));
  }
  if (late != nullptr) {
    addLateUpdate(graph, parameters, *late, rule, prog, name);
  }
}

} // namespace spillway
