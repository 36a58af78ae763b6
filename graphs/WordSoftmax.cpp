#include "graphs/WordSoftmax.hpp"

#include "codelets/maths/Panel.hpp"
#include "codelets/maths/Phase.hpp"
#include "codelets/maths/WordScores.hpp"
#include "graphs/GatedPass.hpp"
#include "graphs/VertexName.hpp"

namespace spillway {

using poplar::program::Execute;
using poplar::program::Program;
using poplar::program::Sequence;

namespace {

// [numSteps, numSamples] to rows [sample][step], and back.
poplar::Tensor turned(const poplar::Tensor& tensor, std::size_t first, std::size_t second) {
  return tensor.reshape({first, second}).transpose();
}

} // namespace

WordSoftmax::WordSoftmax(poplar::Graph& graph, const Geometry& geometry, const Lists& lists,
                         const LossTensors& loss, const poplar::Tensor& phase,
                         const poplar::DebugContext& debugContext)
    : geometry_(geometry), lists_(lists), loss_(loss), phase_(phase) {
  if (!exists()) {
    return;
  }
  placement_ = geometry.words;
  const poplar::DebugInfo name(debugContext, "spillway");
  const std::size_t n = geometry.network.numInputs, steps = geometry.sequence.numSteps;
  const std::size_t rows = geometry.sequence.numSamples * steps;
  const auto byTile = [&](const char* what, const auto& sizeOf) {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < placement_.tiles.size(); ++i) {
      sizes.push_back(sizeOf(std::size_t{wordsOn(i)}));
    }
    return TiledTensor(graph, poplar::FLOAT, placement_.tiles, sizes, {name, what});
  };
  const auto byGroup = [&](const char* what, poplar::Type type, std::size_t perRow,
                           std::size_t constant) {
    std::vector<unsigned> tiles;
    std::vector<std::size_t> sizes;
    for (const SampleGroup& group : lossGroups(geometry)) {
      tiles.push_back(group.tile);
      sizes.push_back(rowsOf(group) * perRow + constant);
    }
    return TiledTensor(graph, type, tiles, sizes, {name, what});
  };
  embedding_ = byTile("embedding", [&](std::size_t w) { return w * n; });
  embeddingGradient_ = byTile("embeddingGradient", [&](std::size_t w) { return w * n; });
  bias_ = byTile("bias", [&](std::size_t w) { return w; });
  biasGradient_ = byTile("biasGradient", [&](std::size_t w) { return w; });
  const std::vector<float> zeros(geometry.network.readout.numOutputs, 0.0f);
  graph.setInitialValue(bias_.flat(), poplar::ArrayRef<float>(zeros));
  scores_ = byTile("scores", [&](std::size_t w) { return rows * w; });
  statistics_ = byTile("statistics", [&](std::size_t) { return rows * kWordStatistics; });
  const std::size_t workers = graph.getTarget().getNumWorkerContexts();
  tileScratch_ = byTile("scratch", [&](std::size_t) { return workers * kProductScratch; });
  groupScratch_ = byGroup("groupScratch", poplar::FLOAT, 0, kProductScratch);
  words_ = byGroup("words", poplar::INT, 1, 0);
  inputs_ = byGroup("inputs", poplar::FLOAT, n, 0);
  outputGradients_ = byGroup("outputGradients", poplar::FLOAT, n, 0);
  inputGradients_ = byGroup("inputGradients", poplar::FLOAT, n, 0);
  logSums_ = byGroup("logSums", poplar::FLOAT, 1, 0);
  penalties_ = byGroup("penalties", poplar::FLOAT, 0, 1);
  labels_ = turned(loss.labelsOfHost(geometry), steps, geometry.sequence.numSamples).flatten();
}

std::uint32_t WordSoftmax::wordsOn(std::size_t tile) const {
  const auto first = static_cast<std::uint32_t>(tile) * placement_.neuronsPerTile;
  return std::min(placement_.neuronsPerTile, geometry_.network.readout.numOutputs - first);
}

std::size_t WordSoftmax::rowsOf(const SampleGroup& group) const {
  return std::size_t{group.numSamples} * geometry_.sequence.numSteps;
}

poplar::Tensor WordSoftmax::wordsOfHost() const {
  return turned(words_.flat(), geometry_.sequence.numSamples, geometry_.sequence.numSteps);
}

Program WordSoftmax::embed(poplar::Graph& graph) const {
  poplar::ComputeSet computeSet = graph.addComputeSet({"embed"});
  const ListShape& list = geometry_.lists[0];
  for (std::size_t g = 0; g < list.placement.groups.size(); ++g) {
    const SampleGroup& group = list.placement.groups[g];
    auto vertex = graph.addVertex(computeSet, vertexName("LookUpWords", geometry_.idType),
                                  {{"phase", phase_},
                                   {"words", words_.piece(g)},
                                   {"embedding", embedding_.flat()},
                                   {"history", lists_.history(0).piece(g)}});
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["steps"], geometry_.sequence.numSteps);
    graph.setInitialValue(vertex["size"], geometry_.network.numInputs);
    graph.setInitialValue(vertex["width"], list.width());
    graph.setInitialValue(vertex["dropout"],
                          static_cast<float>(geometry_.network.language.wordDropout));
    graph.setTileMapping(vertex, group.tile);
  }
  return Execute(computeSet);
}

void WordSoftmax::placeOnTile(poplar::Graph& graph, const poplar::VertexRef& vertex,
                              std::size_t tile) const {
  graph.setInitialValue(vertex["firstWord"],
                        static_cast<std::uint32_t>(tile) * placement_.neuronsPerTile);
  graph.setInitialValue(vertex["numWords"], wordsOn(tile));
  graph.setInitialValue(vertex["size"], geometry_.network.numInputs);
  graph.setTileMapping(vertex, placement_.tiles[tile]);
}

void WordSoftmax::addScores(poplar::Graph& graph, poplar::ComputeSet computeSet) const {
  for (std::size_t i = 0; i < placement_.tiles.size(); ++i) {
    auto vertex = graph.addVertex(computeSet, "WordScores",
                                  {{"inputs", inputs_.flat()},
                                   {"embedding", embedding_.piece(i)},
                                   {"bias", bias_.piece(i)},
                                   {"labels", labels_},
                                   {"scores", scores_.piece(i)},
                                   {"statistics", statistics_.piece(i)},
                                   {"scratch", tileScratch_.piece(i)}});
    placeOnTile(graph, vertex, i);
  }
}

void WordSoftmax::addErrors(poplar::Graph& graph, poplar::ComputeSet computeSet) const {
  for (std::size_t i = 0; i < placement_.tiles.size(); ++i) {
    auto vertex = graph.addVertex(computeSet, "WordErrors",
                                  {{"inputs", inputs_.flat()},
                                   {"statistics", statistics_.piece(i)},
                                   {"logSums", logSums_.flat()},
                                   {"labels", labels_},
                                   {"scale", loss_.scale},
                                   {"errors", scores_.piece(i)},
                                   {"gradient", embeddingGradient_.piece(i)},
                                   {"biasGradient", biasGradient_.piece(i)},
                                   {"scratch", tileScratch_.piece(i)}});
    placeOnTile(graph, vertex, i);
  }
}

void WordSoftmax::addLosses(poplar::Graph& graph, poplar::ComputeSet computeSet) const {
  for (std::size_t g = 0; g < lossGroups(geometry_).size(); ++g) {
    const SampleGroup& group = lossGroups(geometry_)[g];
    const std::size_t first = std::size_t{group.firstSample} * geometry_.sequence.numSteps;
    std::vector<poplar::Tensor> statistics;
    for (std::size_t i = 0; i < placement_.tiles.size(); ++i) {
      statistics.push_back(statistics_.piece(i).slice(first * kWordStatistics,
                                                      (first + rowsOf(group)) * kWordStatistics));
    }
    auto vertex = graph.addVertex(computeSet, "WordLoss",
                                  {{"labels", labels_.slice(first, first + rowsOf(group))},
                                   {"logSums", logSums_.piece(g)},
                                   {"losses", loss_.losses.piece(g)},
                                   {"correct", loss_.correct.piece(g)}});
    graph.connect(vertex["statistics"], statistics);
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["steps"], geometry_.sequence.numSteps);
    graph.setTileMapping(vertex, group.tile);
  }
}

void WordSoftmax::addInputGradients(poplar::Graph& graph, poplar::ComputeSet computeSet) const {
  const LanguageSpec& language = geometry_.network.language;
  const double steps = geometry_.sequence.numSteps;
  const double perStep =
      double{1.0} * geometry_.sequence.updateSamples * geometry_.network.numInputs;
  for (std::size_t g = 0; g < lossGroups(geometry_).size(); ++g) {
    const SampleGroup& group = lossGroups(geometry_)[g];
    const std::size_t first = std::size_t{group.firstSample} * geometry_.sequence.numSteps;
    std::vector<poplar::Tensor> errors;
    for (std::size_t i = 0; i < placement_.tiles.size(); ++i) {
      errors.push_back(
          scores_.piece(i).slice(first * wordsOn(i), (first + rowsOf(group)) * wordsOn(i)));
    }
    auto vertex = graph.addVertex(computeSet, "WordInputGradients",
                                  {{"phase", phase_},
                                   {"embedding", embedding_.flat()},
                                   {"inputs", inputs_.piece(g)},
                                   {"gradients", outputGradients_.piece(g)},
                                   {"penalty", penalties_.piece(g)[0]},
                                   {"scratch", groupScratch_.piece(g)}});
    graph.connect(vertex["errors"], errors);
    graph.setInitialValue(vertex["firstSample"], group.firstSample);
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["steps"], geometry_.sequence.numSteps);
    graph.setInitialValue(vertex["size"], geometry_.network.numInputs);
    graph.setInitialValue(vertex["numWords"], geometry_.network.readout.numOutputs);
    graph.setInitialValue(vertex["wordsPerTile"], placement_.neuronsPerTile);
    graph.setInitialValue(vertex["dropout"], static_cast<float>(language.outputDropout));
    graph.setInitialValue(vertex["batchSize"],
                          static_cast<float>(geometry_.sequence.updateSamples));
    graph.setInitialValue(vertex["activity"],
                          static_cast<float>(language.activityPenalty / (perStep * steps)));
    graph.setInitialValue(
        vertex["slowness"],
        steps > 1 ? static_cast<float>(language.slownessPenalty / (perStep * (steps - 1))) : 0.0f);
    graph.setTileMapping(vertex, group.tile);
  }
}

Program WordSoftmax::loss(poplar::Graph& graph) const {
  poplar::ComputeSet expand = graph.addComputeSet({"expandEvents"});
  for (std::size_t g = 0; g < lossGroups(geometry_).size(); ++g) {
    const SampleGroup& group = lossGroups(geometry_)[g];
    auto vertex = graph.addVertex(expand, vertexName("ExpandEvents", geometry_.idType),
                                  {{"phase", phase_}, {"inputs", inputs_.piece(g)}});
    connectHistory(graph, vertex, geometry_, lists_, geometry_.numLayers(), g);
    graph.setInitialValue(vertex["firstSample"], group.firstSample);
    graph.setInitialValue(vertex["samples"], group.numSamples);
    graph.setInitialValue(vertex["steps"], geometry_.sequence.numSteps);
    graph.setInitialValue(vertex["size"], geometry_.network.numInputs);
    graph.setInitialValue(vertex["dropout"],
                          static_cast<float>(geometry_.network.language.outputDropout));
    graph.setTileMapping(vertex, group.tile);
  }
  poplar::ComputeSet scores = graph.addComputeSet({"wordScores"});
  poplar::ComputeSet losses = graph.addComputeSet({"wordLosses"});
  poplar::ComputeSet errors = graph.addComputeSet({"wordErrors"});
  poplar::ComputeSet gradients = graph.addComputeSet({"wordInputGradients"});
  poplar::ComputeSet noPenalties = graph.addComputeSet({"noPenalties"});
  addScores(graph, scores);
  addLosses(graph, losses);
  addErrors(graph, errors);
  addInputGradients(graph, gradients);
  penalties_.addClear(graph, noPenalties);
  return Sequence(
      {Execute(expand), Execute(scores), Execute(losses),
       poplar::program::If(phase_[kTraining], Sequence({Execute(errors), Execute(gradients)}),
                           Execute(noPenalties))},
      {"wordSoftmax"});
}

void WordSoftmax::addKeepInputGradients(poplar::Graph& graph, const UnitTensors& layer0,
                                        const Sequencer& sequencer,
                                        poplar::ComputeSet computeSet) const {
  const std::size_t n = geometry_.network.numInputs;
  const std::vector<SampleGroup>& groups = geometry_.lists[0].placement.groups;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t first = groups[g].firstSample * n, last = first + groups[g].numSamples * n;
    std::vector<poplar::Tensor> partials;
    for (std::size_t i = 0; i < layer0.partials.numPieces(); ++i) {
      partials.push_back(layer0.partials.piece(i).slice(first, last));
    }
    auto vertex = graph.addVertex(
        computeSet, "KeepInputGradients",
        {{"control", sequencer.control[0]}, {"gradients", inputGradients_.piece(g)}});
    graph.connect(vertex["partials"], partials);
    graph.setInitialValue(vertex["samples"], groups[g].numSamples);
    graph.setInitialValue(vertex["steps"], geometry_.sequence.numSteps);
    graph.setInitialValue(vertex["size"], geometry_.network.numInputs);
    graph.setTileMapping(vertex, groups[g].tile);
  }
}

Program WordSoftmax::addEmbeddingGradient(poplar::Graph& graph) const {
  poplar::ComputeSet computeSet = graph.addComputeSet({"embeddingGradient"});
  for (std::size_t i = 0; i < placement_.tiles.size(); ++i) {
    auto vertex = graph.addVertex(computeSet, "AddWordGradients",
                                  {{"phase", phase_},
                                   {"words", words_.flat()},
                                   {"gradients", inputGradients_.flat()},
                                   {"gradient", embeddingGradient_.piece(i)}});
    graph.setInitialValue(vertex["firstWord"],
                          static_cast<std::uint32_t>(i) * placement_.neuronsPerTile);
    graph.setInitialValue(vertex["numWords"], wordsOn(i));
    graph.setInitialValue(vertex["size"], geometry_.network.numInputs);
    graph.setInitialValue(vertex["dropout"],
                          static_cast<float>(geometry_.network.language.wordDropout));
    graph.setTileMapping(vertex, placement_.tiles[i]);
  }
  return Execute(computeSet);
}

void WordSoftmax::addTrained(poplar::Graph& graph, const OptimiserSpec& optimiser,
                             std::vector<TrainedTensor>& trained) const {
  const std::size_t words = geometry_.network.readout.numOutputs;
  const auto add = [&](const char* name, const TiledTensor& value, const TiledTensor& gradient,
                       std::size_t width) {
    TrainedTensor tensor{value, gradient, {}, placement_.tiles};
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < placement_.tiles.size(); ++i) {
      sizes.push_back(wordsOn(i) * width);
    }
    const auto access = [&](const std::string& handle, const TiledTensor& of) {
      const poplar::Tensor whole = of.flat().reshape({words, width});
      graph.createHostRead(handle, whole);
      graph.createHostWrite(handle, whole);
    };
    for (std::uint32_t s = 0; s < optimiser.numSlots(); ++s) {
      tensor.slots.emplace_back(graph, poplar::FLOAT, placement_.tiles, sizes,
                                poplar::DebugContext{"embedding/slot"});
      access("slot" + std::to_string(s) + "/" + name, tensor.slots.back());
    }
    access(name, value);
    graph.createHostRead(std::string("gradient/") + name, gradient.flat().reshape({words, width}));
    trained.push_back(std::move(tensor));
  };
  add("embedding/weight", embedding_, embeddingGradient_, geometry_.network.numInputs);
  if (geometry_.network.readout.bias) {
    add("embedding/bias", bias_, biasGradient_, 1);
  }
}

} // namespace spillway
