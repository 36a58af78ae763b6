#include "network/PruneUnits.hpp"

#include <algorithm>
#include <numeric>

namespace spillway {

namespace {

using Ids = std::vector<std::uint32_t>;

Ids all(std::size_t size) {
  Ids ids(size);
  std::iota(ids.begin(), ids.end(), 0u);
  return ids;
}

// The units' columns in each of the blocks side by side.
Ids columnsOf(const Ids& units, std::size_t size, std::size_t blocks) {
  Ids columns;
  for (std::size_t block = 0; block < blocks; ++block) {
    for (const std::uint32_t unit : units) {
      columns.push_back(static_cast<std::uint32_t>(block * size) + unit);
    }
  }
  return columns;
}

ParameterTensor cut(const ParameterTensor& tensor, const Ids& rows, const Ids& columns) {
  ParameterTensor result{tensor.name, {rows.size(), columns.size()}, {}};
  const std::size_t width = tensor.shape.back();
  if (tensor.shape.size() == 1) {
    result.shape = {columns.size()};
  }
  for (const std::uint32_t row : rows) {
    for (const std::uint32_t column : columns) {
      result.values.push_back(tensor.values[row * width + column]);
    }
  }
  return result;
}

} // namespace

std::vector<std::uint32_t> mostActive(const std::vector<std::uint64_t>& numEvents,
                                      double fraction) {
  Ids ids = all(numEvents.size());
  std::stable_sort(ids.begin(), ids.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return numEvents[a] > numEvents[b]; });
  const auto left = static_cast<std::size_t>(static_cast<double>(ids.size()) * (1.0 - fraction));
  ids.resize(std::max<std::size_t>(left, 1));
  std::sort(ids.begin(), ids.end());
  return ids;
}

PrunedNetwork pruneUnits(const NetworkSpec& network, const ParameterSet& parameters,
                         const std::vector<std::vector<std::uint32_t>>& kept) {
  PrunedNetwork pruned{network, {}};
  for (std::size_t l = 0; l < kept.size(); ++l) {
    pruned.network.layers[l].size = static_cast<std::uint32_t>(kept[l].size());
  }
  const Ids inputs = network.readsWords() ? kept.back() : all(network.numInputs);
  pruned.network.numInputs = static_cast<std::uint32_t>(inputs.size());
  const Ids one{0};
  for (const ParameterTensor& tensor : parameters) {
    if (!tensor.name.starts_with("layer")) {
      const bool isBias = tensor.shape.size() == 1, isEmbedding = tensor.name.starts_with("embedd");
      const Ids rows = isBias ? one : isEmbedding ? all(tensor.shape[0]) : kept.back();
      const Ids columns = !isBias && isEmbedding ? kept.back() : all(tensor.shape.back());
      pruned.parameters.push_back(cut(tensor, rows, columns));
      continue;
    }
    const std::size_t l = std::stoul(tensor.name.substr(5));
    const bool isThreshold = tensor.name.ends_with("/threshold");
    const Ids columns = columnsOf(kept[l], network.layers[l].size, isThreshold ? 1 : kNumGates);
    const Ids& below = l == 0 ? inputs : kept[l - 1];
    const Ids& rows = tensor.shape.size() == 1           ? one
                      : tensor.name.ends_with("/weight") ? below
                                                         : kept[l];
    pruned.parameters.push_back(cut(tensor, rows, columns));
  }
  return pruned;
}

} // namespace spillway
