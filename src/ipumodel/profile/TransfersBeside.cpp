#include "profile/TransfersBeside.hpp"

#include "profile/CostTable.hpp"
#include "profile/Pieces.hpp"

#include <unordered_map>
#include <variant>

namespace ipumodel {
namespace {

std::vector<bool> tilesWithoutVertices(const GraphData& graph) {
  std::vector<bool> isIo(std::size_t{graph.target.getTilesPerIPU()} * graph.target.getNumIPUs(),
                         true);
  for (const Vertex& vertex : graph.vertices)
    isIo[vertex.tile.value] = false;
  return isIo;
}

// The view of a copy to or from a remote buffer; null for any other step.
const View* remoteView(const ProgramNode& node) {
  if (const auto* copy = std::get_if<node::CopyFromRemote>(&node.op))
    return &copy->destination;
  if (const auto* copy = std::get_if<node::CopyToRemote>(&node.op))
    return &copy->source;
  return nullptr;
}

class Marker {
public:
  Marker(const GraphData& graph, const StepTable& steps, std::vector<StepCost>& costs)
      : graph_(graph), steps_(steps), costs_(costs), isIo_(tilesWithoutVertices(graph)) {}

  void mark() {
    for (std::uint32_t i = 0; i < costs_.size(); ++i)
      costs_[i].link = useOf(steps_.node(StepId{i}), costs_[i]);
  }

private:
  LinkUse useOf(const ProgramNode& node, const StepCost& cost) {
    for (const StepPart& part : cost.parts)
      if (part.kind == PartKind::RemoteCopy && onIoTilesAlone(part))
        return LinkUse::Starts;
    for (const StepPart& part : cost.parts)
      if (part.offChip != nullptr || part.kind == PartKind::GlobalExchange)
        return LinkUse::Waits;
    if (std::holds_alternative<node::Sync>(node.op) ||
        std::holds_alternative<node::AbortOnCondition>(node.op))
      return LinkUse::Waits;
    const bool decides = std::holds_alternative<node::RepeatWhile>(node.op) ||
                         std::holds_alternative<node::If>(node.op) ||
                         std::holds_alternative<node::Switch>(node.op);
    const bool moves = !cost.parts.empty() && !decides;
    return (decides && involvesIo(node)) || (moves && touchesIo(cost)) ? LinkUse::Waits
                                                                       : LinkUse::None;
  }

  bool onIoTilesAlone(const StepPart& part) const {
    return !part.offChip->empty() &&
           std::all_of(part.offChip->begin(), part.offChip->end(),
                       [&](const auto& entry) { return isIo_[entry.first]; });
  }

  // By its own data.
  bool touchesIo(const StepCost& cost) const {
    for (const StepPart& part : cost.parts) {
      if (part.offChip != nullptr)
        for (const auto& [tile, bytes] : *part.offChip)
          if (isIo_[tile])
            return true;
      if (part.traffic == nullptr)
        continue;
      for (const TileTraffic& tile : part.traffic->exchange.tiles)
        if (isIo_[tile.tile])
          return true;
      for (const auto& [tile, bytes] : part.traffic->onTileCopy)
        if (isIo_[tile])
          return true;
    }
    return false;
  }

  // By its own data or that of anything inside it.
  bool involvesIo(const ProgramNode& node) {
    const auto [known, isNew] = involves_.try_emplace(&node, false);
    if (!isNew)
      return known->second;
    bool result = touchesIo(costs_[steps_.of(node).value]);
    for (const ProgramPtr& child : childrenOf(node))
      result = involvesIo(*child) || result;
    if (const auto* call = std::get_if<node::CallFunction>(&node.op))
      if (const ProgramPtr& body = graph_.functions[call->function.value])
        result = involvesIo(*body) || result;
    return involves_[&node] = result;
  }

  const GraphData& graph_;
  const StepTable& steps_;
  std::vector<StepCost>& costs_;
  std::vector<bool> isIo_;
  std::unordered_map<const ProgramNode*, bool> involves_;
};

} // namespace

bool hasTransfersBeside(const GraphData& graph, const StepTable& steps) {
  if (graph.remoteBuffers.empty())
    return false;
  const std::vector<bool> isIo = tilesWithoutVertices(graph);
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const View* const view = remoteView(steps.node(StepId{i}));
    if (view == nullptr)
      continue;
    const std::vector<Piece> pieces = piecesOf(graph, *view);
    if (!pieces.empty() && std::all_of(pieces.begin(), pieces.end(),
                                       [&](const Piece& piece) { return isIo[piece.tile.value]; }))
      return true;
  }
  return false;
}

void markLinkUse(const GraphData& graph, const StepTable& steps, std::vector<StepCost>& costs) {
  if (hasTransfersBeside(graph, steps))
    Marker(graph, steps, costs).mark();
}

} // namespace ipumodel
