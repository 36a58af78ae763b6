#include "profile/Pieces.hpp"

#include "graph/TypeInfo.hpp"

#include <algorithm>

namespace ipumodel {
namespace {

class Collector {
public:
  explicit Collector(const GraphData& graph) : graph_(graph) {}

  // `count` neighbouring elements of a variable.
  void add(VarId var, std::uint64_t begin, std::uint64_t count, std::uint64_t at) {
    const auto& ranges = graph_.variables[var.value].tiles.ranges();
    const std::uint64_t end = begin + count;
    auto it = std::upper_bound(ranges.begin(), ranges.end(), begin,
                               [](std::uint64_t e, const TileMap::Range& r) { return e < r.end; });
    for (; it != ranges.end() && it->begin < end; ++it) {
      const std::uint64_t from = std::max<std::uint64_t>(begin, it->begin);
      const std::uint64_t to = std::min<std::uint64_t>(end, it->end);
      append({var, it->tile, from, to, at + (from - begin)});
    }
  }

  std::vector<Piece> take() { return std::move(pieces_); }

private:
  void append(const Piece& piece) {
    if (!pieces_.empty()) {
      Piece& last = pieces_.back();
      if (last.var == piece.var && last.tile == piece.tile && last.end == piece.begin &&
          last.at + last.count() == piece.at) {
        last.end = piece.end;
        return;
      }
    }
    pieces_.push_back(piece);
  }

  const GraphData& graph_;
  std::vector<Piece> pieces_;
};

constexpr std::uint64_t kAlignBytes = 64; // keeps variables apart, so they never look contiguous

} // namespace

std::vector<Piece> piecesOf(const GraphData& graph, const View& view) {
  Collector collector(graph);
  std::uint64_t at = 0;
  for (const Run& run : view.runs()) {
    if (run.stride == 1) {
      collector.add(run.var, static_cast<std::uint64_t>(run.offset), run.count, at);
      at += run.count;
      continue;
    }
    for (std::size_t i = 0; i < run.count; ++i, ++at)
      collector.add(
          run.var,
          static_cast<std::uint64_t>(run.offset + static_cast<std::int64_t>(i) * run.stride), 1,
          at);
  }
  return collector.take();
}

AddressMap::AddressMap(const GraphData& graph) {
  for (const Variable& variable : graph.variables) {
    base_.push_back(end_);
    elementBytes_.push_back(sizeOf(variable.type));
    const std::uint64_t bytes = variable.numElements * elementBytes_.back();
    end_ += (bytes / kAlignBytes + 1) * kAlignBytes;
  }
}

} // namespace ipumodel
