#include <popops/Sort.hpp>
#include <popops/TopK.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <ostream>

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;
using poplar::program::Sequence;

TopKParams::TopKParams(unsigned numElements, bool takeLargest, SortOrder order,
                       bool stable) noexcept
    : k(numElements), largest(takeLargest), sortOrder(order), stableSort(stable) {}

std::ostream& operator<<(std::ostream& os, const SortOrder& o) {
  constexpr const char* kNames[] = {"none", "ascending", "descending"};
  return os << kNames[static_cast<std::size_t>(o)];
}

std::ostream& operator<<(std::ostream& os, const TopKParams& p) {
  return os << "{k=" << p.k << ", largest=" << (p.largest ? "true" : "false")
            << ", sortOrder=" << p.sortOrder << "}";
}

namespace {

// Rows longer than this per result are first searched where they lie.
constexpr std::size_t kSpread = 4;

// Elements of a row that one tile has, consecutive in the row.
struct Chunk {
  unsigned tile;
  Interval elements;
};

class Selection {
public:
  Selection(Graph& graph, const TopKParams& params, const DebugContext& debugContext)
      : graph_(graph),
        params_(params),
        debugContext_(debugContext),
        local_(graph.addComputeSet(debugContext)),
        merge_(graph.addComputeSet(debugContext)) {}

  void addRow(const Tensor& row, const Tensor& keys, const Tensor& indices) {
    const auto chunks = chunksOf(row);
    const auto k = keys.numElements();
    if (chunks.size() == 1 || row.numElements() < kSpread * k * 2) {
      select(local_, chunks[0].tile, row, 0, keys, indices);
      return;
    }
    std::vector<Tensor> candidates, candidateIndices;
    for (const auto& chunk : chunks) {
      const auto n = std::min(k, chunk.elements.size());
      const auto some = graph_.addVariable(row.elementType(), {n}, debugContext_);
      const auto someIndices = graph_.addVariable(poplar::UNSIGNED_INT, {n}, debugContext_);
      graph_.setTileMapping(some, chunk.tile);
      graph_.setTileMapping(someIndices, chunk.tile);
      select(local_, chunk.tile, row.slice(chunk.elements), chunk.elements.begin(), some,
             someIndices);
      candidates.push_back(some);
      candidateIndices.push_back(someIndices);
    }
    merges_ = true;
    const auto v = addVertex(merge_, "popops::TopKMerge", chunks[0].tile,
                             poplar::concat(candidates), keys, indices);
    graph_.connect(v["inIndices"], poplar::concat(candidateIndices));
  }

  void execute(Sequence& prog) const {
    prog.add(poplar::program::Execute(local_, debugContext_));
    if (merges_)
      prog.add(poplar::program::Execute(merge_, debugContext_));
  }

private:
  std::vector<Chunk> chunksOf(const Tensor& row) const {
    std::vector<Chunk> chunks;
    const auto mapping = graph_.getTileMapping(row);
    for (unsigned tile = 0; tile != mapping.size(); ++tile)
      for (const auto& region : mapping[tile])
        chunks.push_back({tile, region});
    std::sort(chunks.begin(), chunks.end(), [](const Chunk& a, const Chunk& b) {
      return a.elements.begin() < b.elements.begin();
    });
    return chunks;
  }

  poplar::VertexRef addVertex(const poplar::ComputeSet& cs, const char* name, unsigned tile,
                              const Tensor& in, const Tensor& keys, const Tensor& indices) {
    const auto v = graph_.addVertex(cs, poputil::templateVertex(name, in.elementType()),
                                    {{"in", in}, {"keys", keys}, {"indices", indices}});
    graph_.setInitialValue(v["largest"], params_.largest);
    // Best first is descending for the largest.
    const auto bestFirst = params_.largest ? SortOrder::DESCENDING : SortOrder::ASCENDING;
    graph_.setInitialValue(v["reversed"],
                           params_.sortOrder != SortOrder::NONE && params_.sortOrder != bestFirst);
    graph_.setTileMapping(v, tile);
    return v;
  }

  void select(const poplar::ComputeSet& cs, unsigned tile, const Tensor& in, std::size_t base,
              const Tensor& keys, const Tensor& indices) {
    const auto v = addVertex(cs, "popops::TopK", tile, in, keys, indices);
    graph_.setInitialValue(v["base"], static_cast<unsigned>(base));
  }

  Graph& graph_;
  const TopKParams& params_;
  const DebugContext& debugContext_;
  poplar::ComputeSet local_, merge_;
  bool merges_ = false;
};

// A row's result lies where its first element does.
Tensor createResult(Graph& graph, const poplar::Type& type, const Tensor& rows, std::size_t k,
                    const DebugContext& debugContext) {
  const auto result = graph.addVariable(type, {rows.dim(0), k}, debugContext);
  const auto mapping = graph.getTileMapping(rows.slice(0, 1, 1));
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    for (const auto& region : mapping[tile])
      graph.setTileMapping(result.slice(region), tile);
  return result;
}

Tensor asRows(const Tensor& t) {
  return t.rank() == 0 ? t.reshape({1, 1})
                       : t.reshape({t.numElements() / t.dim(t.rank() - 1), t.dim(t.rank() - 1)});
}

// values[r][indices[r][i]].
Tensor permute(Graph& graph, const Tensor& values, const Tensor& indices, Sequence& prog,
               const DebugContext& debugContext) {
  const auto rows = asRows(values);
  const auto out = createResult(graph, values.elementType(), rows, indices.dim(1), debugContext);
  const auto cs = graph.addComputeSet(debugContext);
  for (std::size_t r = 0; r != rows.dim(0); ++r) {
    const auto v =
        graph.addVertex(cs, poputil::templateVertex("popops::PermuteRow", values.elementType()),
                        {{"in", rows[r]}, {"indices", indices[r]}, {"out", out[r]}});
    const auto mapping = graph.getTileMapping(out[r]);
    for (unsigned tile = 0; tile != mapping.size(); ++tile)
      if (!mapping[tile].empty())
        graph.setTileMapping(v, tile);
  }
  prog.add(poplar::program::Execute(cs, debugContext));
  return out;
}

} // namespace

Tensor createTopKInput(Graph& graph, const poplar::Type& type,
                       const std::vector<std::size_t>& shape, const TopKParams&,
                       const DebugContext& debugContext) {
  const auto t = graph.addVariable(type, shape, debugContext);
  const auto rowSize = shape.empty() ? std::size_t{1} : shape.back();
  const auto numTiles = graph.getTarget().getNumTiles();
  if (t.numElements() / std::max<std::size_t>(rowSize, 1) >= numTiles)
    poputil::mapTensorLinearly(graph, t, 1, static_cast<unsigned>(rowSize));
  else
    poputil::mapTensorLinearly(graph, t);
  return t;
}

std::pair<Tensor, Tensor> topKWithPermutation(Graph& graph, Sequence& prog, const Tensor& t,
                                              const TopKParams& params,
                                              const DebugContext& debugContext) {
  const auto rows = asRows(t);
  if (params.k > rows.dim(1))
    throw poputil::poplibs_error("topK: k is " + std::to_string(params.k) +
                                 ", the innermost dimension has " + std::to_string(rows.dim(1)) +
                                 " elements");
  poputil::PoplibsOpDebugInfo di(debugContext);
  const DebugContext context{di, "topK"};
  const auto keys = createResult(graph, t.elementType(), rows, params.k, context);
  const auto indices = createResult(graph, poplar::UNSIGNED_INT, rows, params.k, context);
  if (params.k > 0) {
    Selection selection(graph, params, context);
    for (std::size_t r = 0; r != rows.dim(0); ++r)
      selection.addRow(rows[r], keys[r], indices[r]);
    selection.execute(prog);
  }
  auto shape = t.shape();
  if (!shape.empty())
    shape.back() = params.k;
  return {keys.reshape(shape), indices.reshape(shape)};
}

Tensor topK(Graph& graph, Sequence& prog, const Tensor& t, const TopKParams& params,
            const DebugContext& debugContext) {
  return topKWithPermutation(graph, prog, t, params, debugContext).first;
}

std::pair<Tensor, Tensor> topKKeyValue(Graph& graph, Sequence& prog, const Tensor& keys,
                                       const Tensor& values, const TopKParams& params,
                                       const DebugContext& debugContext) {
  if (keys.shape() != values.shape())
    throw poputil::poplibs_error("topKKeyValue: keys of shape " + keys.shapeToString() +
                                 ", values of shape " + values.shapeToString());
  poputil::PoplibsOpDebugInfo di(debugContext);
  const auto best = topKWithPermutation(graph, prog, keys, params, {di});
  const auto permuted =
      permute(graph, values, asRows(best.second), prog, {di, "values"}).reshape(best.first.shape());
  return {best.first, permuted};
}

Tensor sort(Graph& graph, const Tensor& t, unsigned dim, Sequence& prog,
            const DebugContext& debugContext) {
  const auto inner = t.dimRoll(dim, t.rank() - 1);
  const TopKParams all(static_cast<unsigned>(t.dim(dim)), false, SortOrder::ASCENDING);
  return topK(graph, prog, inner, all, debugContext).dimRoll(t.rank() - 1, dim);
}

void sortInPlace(Graph& graph, const Tensor& t, unsigned dim, Sequence& prog,
                 const DebugContext& debugContext) {
  prog.add(poplar::program::Copy(sort(graph, t, dim, prog, debugContext), t, false, debugContext));
}

namespace {

std::pair<Tensor, Tensor> sortBoth(Graph& graph, const Tensor& k, const Tensor& v, unsigned dim,
                                   Sequence& prog, const DebugContext& debugContext) {
  const TopKParams all(static_cast<unsigned>(k.dim(dim)), false, SortOrder::ASCENDING);
  const auto last = k.rank() - 1;
  const auto sorted =
      topKKeyValue(graph, prog, k.dimRoll(dim, last), v.dimRoll(dim, last), all, debugContext);
  return {sorted.first.dimRoll(last, dim), sorted.second.dimRoll(last, dim)};
}

} // namespace

Tensor sortKeyValue(Graph& graph, const Tensor& k, const Tensor& v, unsigned dim, Sequence& prog,
                    const DebugContext& debugContext) {
  return sortBoth(graph, k, v, dim, prog, debugContext).second;
}

void sortKeyValueInPlace(Graph& graph, const Tensor& k, const Tensor& v, unsigned dim,
                         Sequence& prog, const DebugContext& debugContext) {
  const auto sorted = sortBoth(graph, k, v, dim, prog, debugContext);
  prog.add(poplar::program::Copy(sorted.first, k, false, debugContext));
  prog.add(poplar::program::Copy(sorted.second, v, false, debugContext));
}

} // namespace popops
