// Memory order: which parts of a tensor lie together, and rearranging tensors by it.
#include "graph/Access.hpp"
#include "graph/Rearrangement.hpp"
#include "graph/Reshape.hpp"
#include "graph/SameGraph.hpp"
#include "graph/ViewQueries.hpp"

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>

namespace poplar {
namespace {

using ipumodel::Region;
using ipumodel::View;
using ipumodel::viewOf;

bool byMemory(const Region& a, const Region& b) {
  return a.var != b.var       ? a.var < b.var
         : a.begin != b.begin ? a.begin < b.begin
                              : a.position < b.position;
}

// The parts of a flattened tensor's regions that lie in the intervals.
std::vector<Region> cutByIntervals(const std::vector<Region>& regions,
                                   ArrayRef<Interval> intervals) {
  std::vector<Region> out;
  for (const Interval& interval : intervals) {
    auto r = std::partition_point(regions.begin(), regions.end(), [&](const Region& x) {
      return x.position + x.count <= interval.begin();
    });
    for (; r != regions.end() && r->position < interval.end(); ++r) {
      const std::size_t first = std::max(r->position, interval.begin());
      const std::size_t last = std::min(r->position + r->count, interval.end());
      out.push_back({first, r->var, r->begin + first - r->position, last - first});
    }
  }
  return out;
}

// Cuts pieces where others begin or end, so that two that share elements are the same elements.
// REQUIRES: sorted by memory. The result is sorted too.
std::vector<Region> cutWhereTheyOverlap(const std::vector<Region>& pieces) {
  std::vector<Region> out;
  std::vector<std::size_t> cuts; // in the current variable
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i == 0 || pieces[i].var != pieces[i - 1].var) {
      cuts.clear();
      for (std::size_t j = i; j < pieces.size() && pieces[j].var == pieces[i].var; ++j) {
        cuts.push_back(pieces[j].begin);
        cuts.push_back(pieces[j].end());
      }
      std::sort(cuts.begin(), cuts.end());
    }
    Region rest = pieces[i];
    for (auto cut = std::upper_bound(cuts.begin(), cuts.end(), rest.begin); rest.count > 0;
         cut = std::upper_bound(cut, cuts.end(), rest.begin)) {
      const std::size_t n = *cut - rest.begin;
      out.push_back({rest.position, rest.var, rest.begin, n});
      rest = {rest.position + n, rest.var, rest.begin + n, rest.count - n};
    }
  }
  std::sort(out.begin(), out.end(), byMemory);
  return out;
}

} // namespace

std::vector<std::vector<Interval>>
Graph::getSortedContiguousRegions(const Tensor& t, ArrayRef<Interval> regions,
                                  bool removeAliasedIntervals,
                                  std::vector<std::size_t>* aliases) const {
  std::vector<Region> pieces =
      cutByIntervals(regionsOf(viewIn(*data_, t, "getSortedContiguousRegions")), regions);
  std::sort(pieces.begin(), pieces.end(), byMemory);
  if (aliases) {
    aliases->clear();
    pieces = cutWhereTheyOverlap(pieces);
  }
  std::vector<std::vector<Interval>> out;
  Region last;                  // the piece before
  std::size_t aliasedBegin = 0; // where the elements of the piece before occur first
  for (Region piece : pieces) {
    const bool sameVar = !out.empty() && last.var == piece.var;
    const bool isAlias = sameVar && piece.begin < last.end();
    if (removeAliasedIntervals && isAlias) {
      const std::size_t overlap = std::min(piece.count, last.end() - piece.begin);
      piece = {piece.position + overlap, piece.var, piece.begin + overlap, piece.count - overlap};
    }
    if (piece.count == 0)
      continue;
    const Interval interval(piece.position, piece.position + piece.count);
    if (aliases) {
      if (!isAlias)
        aliasedBegin = piece.position;
      aliases->push_back(aliasedBegin);
    }
    if (!sameVar || piece.begin != last.end())
      out.push_back({interval});
    else if (!aliases && out.back().back().end() == interval.begin())
      out.back().back() = Interval(out.back().back().begin(), interval.end());
    else
      out.back().push_back(interval);
    last = piece;
  }
  return out;
}

TensorRearranger Graph::getSimplifyingRearranger(const Tensor& t) const {
  std::vector<Region> regions = regionsOf(viewIn(*data_, t, "getSimplifyingRearranger"));
  std::sort(regions.begin(), regions.end(), byMemory);
  auto rearrangement = std::make_shared<ipumodel::Rearrangement>();
  rearrangement->numElements = t.numElements();
  for (const Region& r : regions)
    rearrangement->add(Interval(r.position, r.position + r.count));
  return TensorRearranger(std::move(rearrangement));
}

void Graph::reorderToSimplify(Tensor* t, ArrayRef<Tensor*> ts, bool requireSimplestOrder) const {
  viewIn(*data_, *t, "reorderToSimplify");
  for (const Tensor* other : ts) {
    viewIn(*data_, *other, "reorderToSimplify");
    if (other->numElements() != t->numElements())
      throw poplar_error("reorderToSimplify of tensor " + t->getDebugStr() + " together with " +
                         other->getDebugStr() + ": their numbers of elements differ");
  }
  const TensorRearranger rearranger = getSimplifyingRearranger(*t);
  const Tensor simplified = rearranger.rearrange(*t);
  const bool isSimpler =
      simplified.getContiguousRegions().size() < t->getContiguousRegions().size();
  if (!requireSimplestOrder && !isSimpler) {
    *t = t->flatten();
    for (Tensor* other : ts)
      *other = other->flatten();
    return;
  }
  *t = simplified;
  for (Tensor* other : ts)
    *other = rearranger.rearrange(*other);
}

Tensor Graph::findUnbroadcastTensor(const Tensor& t) const {
  viewIn(*data_, t, "findUnbroadcastTensor");
  Tensor out = t;
  for (unsigned d = 0; d < out.rank(); ++d) {
    const std::size_t extent = out.dim(d);
    const bool oneBox = viewOf(out).boxes.size() == 1;
    if (oneBox) {
      if (extent > 1 && viewOf(out).boxes.front().stride[d] == 0)
        out = out.slice(0, 1, d);
      continue;
    }
    // The shortest period that the slices along this dimension repeat with.
    for (std::size_t period = 1; period < extent; ++period) {
      if (extent % period != 0)
        continue;
      const Tensor head = out.slice(0, period, d);
      bool repeats = true;
      for (std::size_t at = period; repeats && at < extent; at += period)
        repeats = head == out.slice(at, at + period, d);
      if (repeats) {
        out = head;
        break;
      }
    }
  }
  return out;
}

} // namespace poplar
