#include "graphs/UnitTensors.hpp"

#include "codelets/maths/Panel.hpp"
#include "codelets/maths/Phase.hpp"
#include "codelets/maths/RowIndex.hpp"

#include <algorithm>

namespace spillway {
namespace {

void setZeros(poplar::Graph& graph, const TiledTensor& tensor) {
  const std::vector<float> zeros(tensor.flat().numElements(), 0.0f);
  graph.setInitialValue(tensor.flat(), poplar::ArrayRef<float>(zeros));
}

// Where a vertex has a layer's adjoints of a group of samples.
TiledTensor adjointOfGroups(poplar::Graph& graph, const Geometry& geometry, std::size_t layer,
                            const poplar::DebugContext& debugContext) {
  std::vector<unsigned> tiles;
  std::vector<std::size_t> sizes;
  for (const SampleGroup& group : geometry.lists[layer + 1].placement.groups) {
    tiles.push_back(group.tile);
    sizes.push_back(std::size_t{group.numSamples} * geometry.units[layer].size);
  }
  return {graph, poplar::FLOAT, tiles, sizes, debugContext};
}

template <class MakeTiled>
GatedTensors gatedTensors(poplar::Graph& graph, const Geometry& geometry, std::size_t index,
                          const MakeTiled& tiled) {
  const Unit& unit = geometry.units[index];
  const std::size_t samples = geometry.sequence.numSamples;
  const auto floats = [&](const char* what, std::size_t perNeuron) {
    return tiled(what, poplar::FLOAT, [&](std::size_t n) { return perNeuron * n; });
  };
  GatedTensors gated;
  gated.initial = floats("initial", samples);
  gated.last = floats("last", samples);
  if (unit.isReadout) {
    return gated;
  }
  gated.recurrentBias = floats("recurrentBias", unit.gates);
  gated.recurrentBiasGradient = floats("recurrentBiasGradient", unit.gates);
  gated.threshold = floats("threshold", 1);
  gated.thresholdGradient = floats("thresholdGradient", 1);
  setZeros(graph, gated.recurrentBias);
  setZeros(graph, gated.threshold);
  if (unit.layer.gated.dropconnect > 0.0) {
    gated.connected = floats("connected", std::size_t{unit.size} * unit.gates);
  }
  gated.outputs = floats("outputs", samples);
  const std::size_t errors = geometry.errorRoom(index) * samples * unit.gates;
  const bool late = geometry.formsGradientsLate(index);
  if (!late) {
    gated.inputErrors = floats("inputErrors", errors);
  }
  gated.recurrentErrors = floats("recurrentErrors", errors);
  gated.thresholdErrors = floats("thresholdErrors", samples);
  const std::size_t workers = graph.getTarget().getNumWorkerContexts();
  const std::size_t together =
      samplesTogether(static_cast<unsigned>(workers), geometry.sequence.numSamples);
  const std::size_t united =
      Geometry::exchanges(graph) ? 0 : unionFloats(std::max(unit.fanIn, unit.size));
  gated.sums = tiled("sums", poplar::FLOAT, [&](std::size_t n) {
    return workers * together * 2 * unit.gates * n + united;
  });
  if (united != 0) {
    setZeros(graph, gated.sums); // the union leaves zeros behind, too
  }
  gated.kept = tiled("kept", geometry.idType, [&](std::size_t) -> std::size_t {
    return unit.layer.gated.dropout > 0.0 ? workers * together * geometry.lists[index].width() : 1;
  });
  for (std::size_t own = 0; own < 2; ++own) {
    if (geometry.multipliesByRow(graph, index)) {
      if (!geometry.sequence.keepsGates) {
        gated.products[own] = floats("products", errors);
      }
      const std::size_t steps = late ? geometry.sequence.numSteps : geometry.errorRoom(index);
      gated.rowValues[own] =
          tiled("rowValues", poplar::FLOAT, [&](std::size_t) { return steps * samples * kUnited; });
    }
  }
  if (geometry.sendsDownByRow(graph, index)) {
    gated.receivedPanels = floats("receivedPanels", kSampleLanes * unit.gates);
  }
  if (geometry.multipliesByRow(graph, index)) {
    gated.errorPanels =
        floats("errorPanels", panelLanes(geometry.sequence.numSamples) * unit.gates);
  }
  if (geometry.sequence.keepsGates) {
    const std::size_t kept = std::size_t{geometry.sequence.numHistoryBuffers} *
                             (geometry.sequence.historySteps + 1) * samples;
    gated.gates =
        tiled("gates", poplar::FLOAT, [&](std::size_t n) { return kept * keptStride(n); });
  }
  if (unit.isPaper()) {
    gated.resets = floats("resets", samples * geometry.resetSteps());
    gated.stateErrors = floats("stateErrors", samples);
    gated.candidateErrors = floats("candidateErrors", samples * unit.gates);
    gated.candidatePartials =
        tiled("candidatePartials", poplar::FLOAT, [&](std::size_t) { return samples * unit.size; });
    gated.gatedLists = tiled("gatedLists", geometry.idType, [&](std::size_t) {
      return workers * geometry.lists[index + 1].width();
    });
  }
  return gated;
}

} // namespace

UnitTensors::UnitTensors(poplar::Graph& graph, const Geometry& geometry, std::size_t index,
                         const poplar::DebugContext& debugContext) {
  const poplar::DebugInfo name(debugContext, "spillway");
  const Unit& unit = geometry.units[index];
  const SequenceShape& sequence = geometry.sequence;
  const std::size_t samples = sequence.numSamples;
  const std::size_t block = samples * sequence.blockSteps;
  const auto tiled = [&](const char* what, poplar::Type type, const auto& sizeOf) {
    return TiledTensor(graph, type, unit.placement.tiles, unit.perTile(sizeOf), {name, what});
  };
  const std::size_t gates = unit.gates, rows = unit.numRows() * gates;
  weights = tiled("weights", poplar::FLOAT, [&](std::size_t n) { return rows * n; });
  bias = tiled("bias", poplar::FLOAT, [&](std::size_t n) { return gates * n; });
  setZeros(graph, bias);
  const std::size_t gradientRows =
      geometry.formsGradientsLate(index) && !sequence.wholeGradient
          ? std::max(geometry.rowsOfPart(unit.fanIn), geometry.rowsOfPart(unit.size))
          : unit.numRows();
  gradient =
      tiled("gradient", poplar::FLOAT, [&](std::size_t n) { return gradientRows * gates * n; });
  biasGradient = tiled("biasGradient", poplar::FLOAT, [&](std::size_t n) { return gates * n; });
  slots = tiled("slots", poplar::FLOAT,
                [&](std::size_t n) { return sequence.numSlots * samples * unit.stateFloats * n; });
  adjoint = !unit.isReadout && geometry.listsGoBackByLayer(graph, index)
                ? adjointOfGroups(graph, geometry, index, {name, "adjoint"})
                : tiled("adjoint", poplar::FLOAT,
                        [&](std::size_t n) { return samples * unit.stateFloats * n; });
  if (geometry.network.isGated()) {
    gated = gatedTensors(graph, geometry, index, tiled);
  }
  if (unit.isReadout || !unit.layer.isGated()) {
    scaled = tiled("scaled", poplar::FLOAT, [&](std::size_t n) { return block * n; });
  }
  if (!geometry.network.isGated()) {
    const std::size_t further = sequence.gradientCopies - 1;
    gradientCopies = tiled("gradientCopies", poplar::FLOAT, [&](std::size_t n) {
      return further == 0 ? 1 : further * (rows + gates) * n;
    });
  }
  const bool wholeProduct =
      index > 0 && geometry.lists[index].denseGradient && geometry.goesBackByLayer(graph);
  if (wholeProduct) {
    const Unit& below = geometry.units[index - 1];
    const auto forBelow = [&](const char* what, const auto& sizeOf) {
      return TiledTensor(graph, poplar::FLOAT, below.placement.tiles, below.perTile(sizeOf),
                         {name, what});
    };
    partials = forBelow("partials", [&](std::size_t n) { return block * n; });
    panels = forBelow("panels",
                      [&](std::size_t) { return unit.placement.neuronsPerTile * kMostPanelWidth; });
  } else {
    const bool unwanted = !unit.isReadout && geometry.network.isGated() &&
                          geometry.multipliesByRow(graph, index) &&
                          !geometry.sendsDownByRow(graph, index);
    partials = tiled("partials", poplar::FLOAT, [&](std::size_t) {
      return unwanted ? 1 : block * geometry.lists[index].numGradients();
    });
  }
  rowIndex = TiledTensor(graph, poplar::UNSIGNED_INT, {unit.placement.tiles.front()},
                         {geometry.sumsGradientsByRow(graph)
                              ? rowIndexWords(unit.fanIn, block * geometry.lists[index].capacity)
                              : 1},
                         {name, "rowIndex"});
  const std::size_t workers = graph.getTarget().getNumWorkerContexts();
  const auto panelsFor = [&](const ListShape& list, const char* what) {
    return tiled(what, poplar::FLOAT, [&](std::size_t n) {
      return list.denseGradient ? workers * n * kMostPanelWidth : 1;
    });
  };
  if (!wholeProduct) {
    panels = panelsFor(geometry.lists[index], "panels");
  }
  if (unit.isReadout) {
    logits = tiled("logits", poplar::FLOAT, [&](std::size_t n) { return samples * n; });
    errors = tiled("errors", poplar::FLOAT, [&](std::size_t n) { return samples * n; });
    potentials = tiled("potentials", poplar::FLOAT,
                       [&](std::size_t n) { return geometry.losesAtEveryStep() ? block * n : 1; });
    bestStep = tiled("bestStep", poplar::UNSIGNED_INT, [&](std::size_t n) { return samples * n; });
    return;
  }
  const ListShape& own = geometry.lists[index + 1];
  const std::size_t ownEntries = unit.recurrent ? block * own.numGradients() : 1;
  carried = tiled("carried", poplar::FLOAT,
                  [&](std::size_t n) { return own.denseGradient ? samples * n : 1; });
  ownPanels = panelsFor(own, "ownPanels");
  const bool byRow = unit.layer.isGated() && geometry.multipliesByRow(graph, index);
  ownPartials = tiled("ownPartials", poplar::FLOAT, [&](std::size_t n) {
    return byRow ? panelLanes(sequence.numSamples) * n : ownEntries;
  });
  masks = tiled("masks", poplar::UNSIGNED_CHAR,
                [&](std::size_t n) { return block * 2 * ((n + 7) / 8); });
  if (unit.layer.isGated()) {
    return;
  }
  distances = tiled("distances", poplar::FLOAT,
                    [&](std::size_t n) { return sequence.cachesSurrogate ? block * n : 1; });
  spikeCounts = tiled("spikeCounts", poplar::FLOAT, [&](std::size_t n) { return samples * n; });
  countGradient = tiled("countGradient", poplar::FLOAT, [&](std::size_t n) { return samples * n; });
}

std::vector<UnitParameter> unitParameters(const Geometry& geometry, std::size_t index,
                                          const UnitTensors& tensors) {
  const Unit& unit = geometry.units[index];
  const std::string prefix = unit.isReadout ? "readout/" : "layer" + std::to_string(index) + "/";
  const std::size_t rows = unit.numRows();
  std::vector<UnitParameter> all{
      {prefix + "weight", &tensors.weights, &tensors.gradient, rows, 0, unit.fanIn, unit.gates}};
  if (unit.recurrent) {
    all.push_back({prefix + "recurrent", &tensors.weights, &tensors.gradient, rows, unit.fanIn,
                   rows, unit.gates});
  }
  const auto addRow = [&](const char* name, const TiledTensor& value, const TiledTensor& gradient,
                          std::size_t gates, bool trained) {
    all.push_back({prefix + name, &value, &gradient, 1, 0, 1, gates, trained});
  };
  if (unit.isReadout ? geometry.network.readout.bias : unit.layer.bias) {
    addRow("bias", tensors.bias, tensors.biasGradient, unit.gates, true);
  }
  const GatedTensors& gated = tensors.gated;
  if (unit.layer.isGated() && unit.layer.gated.recurrentBias) {
    addRow("recurrentBias", gated.recurrentBias, gated.recurrentBiasGradient, unit.gates, true);
  }
  if (unit.layer.kind == LayerKind::Egru) {
    addRow("threshold", gated.threshold, gated.thresholdGradient, 1,
           unit.layer.gated.trainThreshold);
  }
  return all;
}

} // namespace spillway
