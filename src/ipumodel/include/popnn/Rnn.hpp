// The parameters of recurrent layers.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

#include <cstddef>
#include <vector>

namespace popnn {
namespace rnn {

struct RnnParams {
  poplar::Type dataType;
  std::size_t batchSize = 0;
  std::size_t maxTimeSteps = 0;
  std::size_t timeSteps = 0;           ///< an older name of maxTimeSteps
  poplar::Tensor varTimeSteps;         ///< run-time steps: one for all, or one per sample
  std::vector<std::size_t> layerSizes; ///< input size, output size

  RnnParams() = default;
  RnnParams(poplar::Type type, std::size_t batch, std::size_t steps, std::vector<std::size_t> sizes)
      : dataType(type),
        batchSize(batch),
        maxTimeSteps(steps),
        timeSteps(steps),
        layerSizes(static_cast<std::vector<std::size_t>&&>(sizes)) {}
  RnnParams(poplar::Type type, std::size_t batch, std::size_t maxSteps,
            const poplar::Tensor& varSteps, std::vector<std::size_t> sizes)
      : dataType(type),
        batchSize(batch),
        maxTimeSteps(maxSteps),
        timeSteps(maxSteps),
        varTimeSteps(varSteps),
        layerSizes(static_cast<std::vector<std::size_t>&&>(sizes)) {}

  std::size_t getMaxShards(const poplar::Graph& graph) const {
    const std::size_t tiles = graph.getTarget().getNumTiles();
    return maxTimeSteps < tiles ? maxTimeSteps : tiles;
  }
  std::size_t getInputBytesPerTile(const poplar::Graph& graph) const {
    return bytesPerTile(graph, layerSizes.front());
  }
  std::size_t getOutputBytesPerTile(const poplar::Graph& graph) const {
    return bytesPerTile(graph, layerSizes.back());
  }
  bool variableTimeSteps() const { return varTimeSteps.valid(); }
  bool variableTimeStepsPerBatchElement() const {
    return varTimeSteps.valid() && varTimeSteps.numElements() > 1;
  }

private:
  std::size_t bytesPerTile(const poplar::Graph& graph, std::size_t size) const {
    const std::size_t tiles = graph.getTarget().getNumTiles();
    return (batchSize * size + tiles - 1) / tiles * graph.getTarget().getTypeSize(dataType);
  }
};

} // namespace rnn
} // namespace popnn
