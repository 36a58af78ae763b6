#include "graphs/RemoteRows.hpp"

#include <algorithm>
#include <map>

namespace spillway {
namespace {

using poplar::Interval;
using poplar::program::Copy;
using poplar::program::Sequence;

// The columns of a row by IPU, each in order.
std::map<std::size_t, std::vector<Interval>> columnsByIpu(const poplar::Graph& graph,
                                                          const poplar::Tensor& row) {
  const std::size_t tilesPerIpu = graph.getTarget().getTilesPerIPU();
  std::map<std::size_t, std::vector<Interval>> columns;
  if (graph.getTarget().getNumIPUs() == 1) {
    columns[0].emplace_back(0, row.numElements());
    return columns;
  }
  const auto mapping = graph.getTileMapping(row);
  for (std::size_t tile = 0; tile < mapping.size(); ++tile) {
    auto& ofIpu = columns[tile / tilesPerIpu];
    ofIpu.insert(ofIpu.end(), mapping[tile].begin(), mapping[tile].end());
  }
  for (auto ipu = columns.begin(); ipu != columns.end();) {
    std::vector<Interval>& intervals = ipu->second;
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.begin() < b.begin(); });
    std::vector<Interval> merged;
    for (const Interval& interval : intervals) {
      if (!merged.empty() && merged.back().end() == interval.begin()) {
        merged.back() = {merged.back().begin(), interval.end()};
      } else {
        merged.push_back(interval);
      }
    }
    intervals = std::move(merged);
    ipu = intervals.empty() ? columns.erase(ipu) : std::next(ipu);
  }
  return columns;
}

poplar::Tensor partOf(const poplar::Tensor& tensor, const RemoteRows::Part& part) {
  return poplar::concat(tensor.slices(part.columns, 1), 1);
}

} // namespace

RemoteRows::RemoteRows(poplar::Graph& graph, const std::string& handle,
                       const poplar::Tensor& tensor, std::size_t numRows) {
  for (auto& [ipu, columns] : columnsByIpu(graph, tensor[0])) {
    std::size_t size = 0;
    for (const Interval& interval : columns) {
      size += interval.size();
    }
    const std::string name = parts_.empty() ? handle : handle + "/ipu" + std::to_string(ipu);
    parts_.push_back(
        {graph.addRemoteBuffer(name, tensor.elementType(), size, numRows), std::move(columns)});
  }
}

std::size_t RemoteRows::numBytes(const poplar::Graph& graph) const {
  std::size_t bytes = 0;
  for (const Part& part : parts_) {
    bytes += part.buffer.numElements() * part.buffer.getRepeats() *
             graph.getTarget().getTypeSize(part.buffer.elementType());
  }
  return bytes;
}

poplar::program::Program RemoteRows::write(const poplar::Tensor& tensor,
                                           const poplar::Tensor& offsets,
                                           const poplar::DebugContext& debugContext) const {
  Sequence copies({}, debugContext);
  for (const Part& part : parts_) {
    copies.add(Copy(partOf(tensor, part), part.buffer, offsets, debugContext));
  }
  return copies;
}

poplar::program::Program RemoteRows::read(const poplar::Tensor& tensor,
                                          const poplar::Tensor& offsets,
                                          const poplar::DebugContext& debugContext) const {
  Sequence copies({}, debugContext);
  for (const Part& part : parts_) {
    copies.add(Copy(part.buffer, partOf(tensor, part), offsets, debugContext));
  }
  return copies;
}

} // namespace spillway
