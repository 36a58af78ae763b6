#include "popops/ReduceStages.hpp"

#include "popops/OpInfo.hpp"
#include "popops/ReducePlan.hpp"

#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace popops {
namespace {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;
using poplar::Type;

// More partials than this for one output are combined in two steps, to spread the exchange.
constexpr std::size_t kMaxPartials = 32;

Type partialType(const Type& in, Operation op) {
  const bool accumulates = op != Operation::MIN && op != Operation::MAX;
  return in == poplar::HALF && accumulates ? poplar::FLOAT : in;
}

// Squares are summed once; later steps only add.
Operation afterFirst(Operation op) {
  return op == Operation::SQUARE_ADD ? Operation::ADD : op;
}

class Builder {
public:
  Builder(Graph& graph, Operation op, std::vector<ComputeSet>& css,
          const DebugContext& debugContext)
      : graph_(graph), op_(op), css_(css), debugContext_(debugContext) {}

  void setOperation(Operation op) { op_ = op; }

  ComputeSet step(std::size_t i) {
    while (css_.size() <= i)
      css_.push_back(graph_.addComputeSet({debugContext_}));
    return css_[i];
  }

  void addBlock(std::size_t i, const ReduceBlock& block, const Tensor& out) {
    const bool byRows = block.byRows || out.numElements() == 1;
    const auto name =
        poputil::templateVertex(byRows ? "popops::ReduceRows" : "popops::ReduceColumns",
                                block.input.elementType(), out.elementType());
    const auto v = graph_.addVertex(step(i), name, {{"in", block.input}, {"out", out}});
    if (byRows)
      graph_.setInitialValue(v["length"], static_cast<unsigned>(block.numPartials));
    graph_.setInitialValue(v["op"], static_cast<unsigned char>(op_));
    graph_.setTileMapping(v, block.tile);
  }

  // `out` has one element for each output of the scatter.
  void addScatter(std::size_t i, const ReduceScatter& scatter, const Tensor& out) {
    const auto numWorkers = graph_.getTarget().getNumWorkerContexts();
    const auto type = scatter.pieces[0][0].elementType();
    const auto name = poputil::templateVertex("popops::ReducePieces", type, out.elementType());
    for (const auto& share :
         poputil::splitRegions({Interval(0, scatter.outputs.size())}, 1, numWorkers)) {
      std::vector<Tensor> pieces;
      std::vector<unsigned> counts;
      for (auto k = share[0].begin(); k != share[0].end(); ++k) {
        pieces.insert(pieces.end(), scatter.pieces[k].begin(), scatter.pieces[k].end());
        counts.push_back(static_cast<unsigned>(scatter.pieces[k].size()));
      }
      const auto v = graph_.addVertex(step(i), name);
      graph_.connect(v["in"], pieces);
      graph_.connect(v["out"], out.slice(share[0]));
      graph_.setFieldSize(v["numPieces"], counts.size());
      graph_.setInitialValue(v["numPieces"], poplar::ArrayRef<unsigned>(counts));
      graph_.setInitialValue(v["op"], static_cast<unsigned char>(op_));
      graph_.setTileMapping(v, scatter.tile);
    }
  }

private:
  Graph& graph_;
  Operation op_;
  std::vector<ComputeSet>& css_;
  const DebugContext& debugContext_;
};

// How many tiles' parts each output has, and on which tile the first lies.
struct Coverage {
  std::vector<unsigned> parts, tile;

  Coverage(const ReducePlan& plan, std::size_t numOutputs) : parts(numOutputs), tile(numOutputs) {
    const auto count = [&](std::size_t output, unsigned onTile) {
      if (parts[output]++ == 0)
        tile[output] = onTile;
    };
    for (const auto& block : plan.blocks)
      for (auto i = block.outputs.begin(); i != block.outputs.end(); ++i)
        count(i, block.tile);
    for (const auto& scatter : plan.scatters)
      for (auto i : scatter.outputs)
        count(i, scatter.tile);
  }
  bool isComplete() const {
    return std::all_of(parts.begin(), parts.end(), [](unsigned n) { return n == 1; });
  }
};

bool isMapped(const Graph& graph, const Tensor& t) {
  bool complete = false;
  graph.getTileMapping(t, &complete);
  return complete;
}

// Where a single tile has all of an output's elements, the output stays there, with its neighbours
// in a word of four bytes; otherwise outputs are spread, since they come from everywhere.
void mapOutput(Graph& graph, const Tensor& out, const Coverage& coverage) {
  if (isMapped(graph, out))
    return;
  if (!coverage.isComplete() && out.numElements() > 1) {
    poputil::mapTensorLinearly(graph, out);
    return;
  }
  const std::size_t perWord =
      std::max<std::size_t>(1, 4 / graph.getTarget().getTypeSize(out.elementType()));
  for (std::size_t begin = 0; begin != out.numElements();) {
    auto end = std::min(begin + perWord, out.numElements());
    while (end != out.numElements() &&
           (end % perWord != 0 || coverage.tile[end] == coverage.tile[begin]))
      ++end;
    graph.setTileMapping(out.slice(begin, end), coverage.tile[begin]);
    begin = end;
  }
}

// Partial results of outputs [outputs.begin, outputs.end).
struct PartialBlock {
  Interval outputs;
  Tensor values;
};

// Outputs that have the same partials, and those.
struct Segment {
  Interval outputs;
  std::vector<Tensor> partials; // outputs.size() elements each
};

// Cuts the outputs where partial blocks begin or end, and at `furtherCuts`.
std::vector<Segment> segments(const std::vector<PartialBlock>& blocks,
                              std::vector<std::size_t> furtherCuts) {
  auto cuts = std::move(furtherCuts);
  for (const auto& block : blocks) {
    cuts.push_back(block.outputs.begin());
    cuts.push_back(block.outputs.end());
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<Segment> result;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
    result.push_back({Interval(cuts[i], cuts[i + 1]), {}});
  for (const auto& block : blocks) {
    auto i = static_cast<std::size_t>(
        std::lower_bound(cuts.begin(), cuts.end(), block.outputs.begin()) - cuts.begin());
    for (; i != result.size() && result[i].outputs.begin() != block.outputs.end(); ++i)
      result[i].partials.push_back(
          block.values.slice(result[i].outputs.begin() - block.outputs.begin(),
                             result[i].outputs.end() - block.outputs.begin()));
  }
  return result;
}

// Combines partials to `out` in one step, on the tiles of `out`.
void combine(Graph& graph, Builder& builder, std::size_t step,
             const std::vector<PartialBlock>& blocks, const Tensor& out) {
  const auto mapping = graph.getTileMapping(out);
  std::map<std::size_t, unsigned> tileFrom; // by first output of a region
  std::vector<std::size_t> cuts;
  for (unsigned tile = 0; tile != mapping.size(); ++tile)
    for (const auto& region : mapping[tile]) {
      tileFrom[region.begin()] = tile;
      cuts.push_back(region.begin());
    }
  for (const auto& segment : segments(blocks, std::move(cuts))) {
    const auto tile = std::prev(tileFrom.upper_bound(segment.outputs.begin()))->second;
    builder.addBlock(
        step,
        {tile, segment.outputs, false, segment.partials.size(), poplar::concat(segment.partials)},
        out.slice(segment.outputs));
  }
}

// One step after which every output has at most about the square root of its partials left, each
// group of them combined on a tile of its own.
std::vector<PartialBlock> combineSome(Graph& graph, Builder& builder, std::size_t step,
                                      const std::vector<PartialBlock>& blocks, const Type& type,
                                      const DebugContext& debugContext) {
  const auto numTiles = graph.getTarget().getNumTiles();
  std::vector<PartialBlock> fewer;
  unsigned tile = 0;
  for (const auto& segment : segments(blocks, {})) {
    const auto n = segment.partials.size();
    if (n <= kMaxPartials) {
      for (const auto& values : segment.partials)
        fewer.push_back({segment.outputs, values});
      continue;
    }
    const auto groups = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
    for (std::size_t g = 0; g != groups; ++g) {
      const std::vector<Tensor> group(
          segment.partials.begin() + static_cast<std::ptrdiff_t>(n * g / groups),
          segment.partials.begin() + static_cast<std::ptrdiff_t>(n * (g + 1) / groups));
      const auto out = graph.addVariable(type, {segment.outputs.size()}, debugContext);
      graph.setTileMapping(out, tile);
      builder.addBlock(step, {tile, segment.outputs, false, group.size(), poplar::concat(group)},
                       out);
      fewer.push_back({segment.outputs, out});
      tile = (tile + 1) % numTiles;
    }
  }
  return fewer;
}

void addFinish(Graph& graph, const Tensor& result, const Tensor& out, const ReduceParams& params,
               ComputeSet cs, const DebugContext& debugContext) {
  auto scale = params.useScale ? params.scale : Tensor();
  if (!params.useScale) {
    scale = graph.addConstant(poplar::FLOAT, {}, 1.0f, {debugContext});
    graph.setTileMapping(scale, 0);
  }
  const auto name =
      poputil::templateVertex("popops::ReduceFinish", result.elementType(), out.elementType());
  const auto mapping = graph.getTileMapping(out);
  for (unsigned tile = 0; tile != mapping.size(); ++tile) {
    if (mapping[tile].empty())
      continue;
    const auto v = graph.addVertex(cs, name,
                                   {{"in", poplar::concat(result.slices(mapping[tile]))},
                                    {"out", poplar::concat(out.slices(mapping[tile]))},
                                    {"scale", scale.reshape({})}});
    graph.setInitialValue(v["update"], params.update);
    graph.setInitialValue(v["op"], static_cast<unsigned char>(params.op));
    graph.setTileMapping(v, tile);
  }
}

// Nothing to reduce: every output is the operation's neutral element.
void addNeutral(Graph& graph, const Tensor& out, Operation op, ComputeSet cs) {
  const auto& target = graph.getTarget();
  const auto type = out.elementType();
  double value = 0;
  if (op == Operation::MUL || op == Operation::LOGICAL_AND)
    value = 1;
  else if (op == Operation::MIN)
    value = target.getTypeLimitsMaxAs<double>(type);
  else if (op == Operation::MAX || op == Operation::LOG_ADD)
    value = target.getTypeLimitsLowestAs<double>(type);
  const auto mapping = graph.getTileMapping(out);
  for (unsigned tile = 0; tile != mapping.size(); ++tile) {
    if (mapping[tile].empty())
      continue;
    const auto v = graph.addVertex(cs, poputil::templateVertex("popops::Fill1D", type),
                                   {{"out", poplar::concat(out.slices(mapping[tile]))}});
    graph.setInitialValue(v["in"], value);
    graph.setTileMapping(v, tile);
  }
}

} // namespace

void addReduction(Graph& graph, const Tensor& in, const Tensor& out, const ReduceParams& params,
                  std::vector<ComputeSet>& css, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const DebugContext context{di, ""};
  const auto numOutputs = out.numElements();
  if (numOutputs == 0)
    return;
  Builder builder(graph, params.op, css, context);
  if (in.dim(1) == 0) {
    if (!isMapped(graph, out))
      poputil::mapTensorLinearly(graph, out);
    return addNeutral(graph, out, params.op, builder.step(0));
  }

  const auto plan = planReduction(graph, in);
  const Coverage coverage(plan, numOutputs);
  mapOutput(graph, out, coverage);
  const bool finish = params.update || params.useScale;
  const auto accType = partialType(in.elementType(), params.op);
  const auto result = finish ? graph.clone(accType, out, {di, "unscaled"}) : out;

  std::size_t step = 0;
  if (coverage.isComplete()) {
    for (const auto& block : plan.blocks)
      builder.addBlock(step, block, result.slice(block.outputs));
    for (const auto& scatter : plan.scatters) {
      std::vector<Interval> outputs;
      for (auto i : scatter.outputs)
        outputs.emplace_back(i, i + 1);
      builder.addScatter(step, scatter, poplar::concat(result.slices(outputs)));
    }
  } else {
    std::vector<PartialBlock> partials;
    for (const auto& block : plan.blocks) {
      // A tile with one element of an output passes it on as it is.
      const bool passOn = block.numPartials == 1 && accType == in.elementType() &&
                          params.op == afterFirst(params.op);
      auto partial = block.input;
      if (!passOn) {
        partial = graph.addVariable(accType, {block.outputs.size()}, {di, "partials"});
        graph.setTileMapping(partial, block.tile);
        builder.addBlock(step, block, partial);
      }
      partials.push_back({block.outputs, partial});
    }
    for (const auto& scatter : plan.scatters) {
      const auto partial = graph.addVariable(accType, {scatter.outputs.size()}, {di, "partials"});
      graph.setTileMapping(partial, scatter.tile);
      builder.addScatter(step, scatter, partial);
      for (std::size_t k = 0; k != scatter.outputs.size(); ++k)
        partials.push_back(
            {Interval(scatter.outputs[k], scatter.outputs[k] + 1), partial.slice(k, k + 1)});
    }
    builder.setOperation(afterFirst(params.op));
    step = css.empty() ? 0 : step + 1;
    if (*std::max_element(coverage.parts.begin(), coverage.parts.end()) > kMaxPartials)
      partials = combineSome(graph, builder, step++, partials, accType, context);
    combine(graph, builder, step, partials, result);
  }
  if (finish)
    addFinish(graph, result, out, params, builder.step(step + 1), context);
}

} // namespace popops
