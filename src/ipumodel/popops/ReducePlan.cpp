#include "popops/ReducePlan.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace popops {
namespace {

using poplar::Interval;
using poplar::Tensor;

// A run of elements within one row of a matrix.
struct Piece {
  std::size_t row;
  Interval columns;
};

// The regions of a flattened matrix, cut at the ends of rows.
std::vector<Piece> cutAtRows(const std::vector<Interval>& regions, std::size_t rowSize) {
  std::vector<Piece> pieces;
  for (const auto& region : regions)
    for (auto begin = region.begin(); begin < region.end();) {
      const auto row = begin / rowSize;
      const auto end = std::min(region.end(), (row + 1) * rowSize);
      pieces.push_back({row, Interval(begin - row * rowSize, end - row * rowSize)});
      begin = end;
    }
  return pieces;
}

// Long enough to be worth the combination of partial sums of several workers.
constexpr std::size_t kSplitRow = 256;

// Reduced elements are neighbours in memory: rows of `in`.
void planRows(const Tensor& in, unsigned tile, const std::vector<Piece>& pieces,
              unsigned numWorkers, ReducePlan& plan) {
  const auto flat = in.flatten();
  const auto reduced = in.dim(1);
  std::map<std::size_t, std::vector<Interval>> byOutput;
  for (const auto& piece : pieces)
    byOutput[piece.row].push_back(piece.columns);

  ReduceScatter scatter{tile, {}, {}};
  for (auto it = byOutput.begin(); it != byOutput.end();) {
    const auto output = it->first;
    const auto slice = [&](const Interval& columns) {
      return flat.slice(output * reduced + columns.begin(), output * reduced + columns.end());
    };
    if (it->second.size() > 1) {
      scatter.outputs.push_back(output);
      scatter.pieces.emplace_back();
      for (const auto& columns : it->second)
        scatter.pieces.back().push_back(slice(columns));
      ++it;
      continue;
    }
    const auto columns = it->second[0];
    // A few long rows keep few workers busy: cut them.
    if (byOutput.size() * 2 <= numWorkers && columns.size() >= kSplitRow) {
      const auto parts = numWorkers / byOutput.size();
      for (std::size_t p = 0; p != parts; ++p) {
        const Interval part(columns.begin() + columns.size() * p / parts,
                            columns.begin() + columns.size() * (p + 1) / parts);
        plan.blocks.push_back({tile, Interval(output, output + 1), true, part.size(), slice(part)});
      }
      ++it;
      continue;
    }
    // Neighbouring outputs with the same columns make one block.
    auto end = std::next(it);
    while (end != byOutput.end() && end->first == std::prev(end)->first + 1 &&
           end->second.size() == 1 && end->second[0] == columns)
      ++end;
    const auto last = std::prev(end)->first + 1;
    plan.blocks.push_back({tile, Interval(output, last), true, columns.size(),
                           in.slice({output, columns.begin()}, {last, columns.end()}).flatten()});
    it = end;
  }
  if (!scatter.outputs.empty())
    plan.scatters.push_back(std::move(scatter));
}

// Outputs are neighbours in memory: rows of `transposed`, of shape [reduced][outputs].
void planColumns(const Tensor& transposed, unsigned tile, const std::vector<Piece>& pieces,
                 ReducePlan& plan) {
  // Between two neighbouring cuts every output has the same partials.
  std::vector<std::size_t> cuts;
  for (const auto& piece : pieces) {
    cuts.push_back(piece.columns.begin());
    cuts.push_back(piece.columns.end());
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<std::vector<std::size_t>> rows(cuts.size());
  for (const auto& piece : pieces) {
    auto cut = static_cast<std::size_t>(
        std::lower_bound(cuts.begin(), cuts.end(), piece.columns.begin()) - cuts.begin());
    for (; cuts[cut] != piece.columns.end(); ++cut)
      rows[cut].push_back(piece.row);
  }
  for (std::size_t cut = 0; cut + 1 < cuts.size(); ++cut) {
    auto& partials = rows[cut];
    if (partials.empty())
      continue;
    std::size_t next = cut + 1; // segments with the same partials join
    while (next + 1 < cuts.size() && rows[next] == partials)
      ++next;
    const Interval outputs(cuts[cut], cuts[next]);
    std::sort(partials.begin(), partials.end());
    std::vector<Interval> runs;
    for (auto row : partials) {
      if (!runs.empty() && runs.back().end() == row)
        runs.back() = Interval(runs.back().begin(), row + 1);
      else
        runs.emplace_back(row, row + 1);
    }
    const auto columns = transposed.slice(outputs, 1);
    plan.blocks.push_back(
        {tile, outputs, false, partials.size(), poplar::concat(columns.slices(runs)).flatten()});
    cut = next - 1;
  }
}

} // namespace

ReducePlan planReduction(const poplar::Graph& graph, const Tensor& in) {
  const auto transposed = in.transpose();
  // The first elements show which way the tensor lies in memory.
  const auto isContiguous = [&](std::size_t outputs, std::size_t reduced) {
    return in.slice({0, 0}, {outputs, reduced}).flatten().isContiguous();
  };
  const bool byRows =
      in.dim(0) == 1 || (in.dim(1) > 1 && (isContiguous(1, 2) || !isContiguous(2, 1)));
  const auto& ordered = byRows ? in : transposed;
  const auto mapping = graph.getTileMapping(ordered);
  const auto numWorkers = graph.getTarget().getNumWorkerContexts();
  ReducePlan plan;
  for (unsigned tile = 0; tile != mapping.size(); ++tile) {
    if (mapping[tile].empty())
      continue;
    const auto pieces = cutAtRows(mapping[tile], ordered.dim(1));
    if (byRows)
      planRows(ordered, tile, pieces, numWorkers, plan);
    else
      planColumns(ordered, tile, pieces, plan);
  }
  return plan;
}

} // namespace popops
