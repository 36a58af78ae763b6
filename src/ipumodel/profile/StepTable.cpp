#include "profile/StepTable.hpp"

namespace ipumodel {
namespace {

struct Children {
  std::vector<ProgramPtr> result;

  void add(const ProgramPtr& node) {
    if (node)
      result.push_back(node);
  }

  void operator()(const node::Sequence& n) {
    for (const ProgramPtr& step : n.steps)
      add(step);
  }
  void operator()(const node::Block& n) { add(n.body); }
  void operator()(const node::Repeat& n) { add(n.body); }
  void operator()(const node::CycleCount& n) { add(n.body); }
  void operator()(const node::RepeatWhile& n) {
    add(n.condition);
    add(n.body);
  }
  void operator()(const node::If& n) {
    add(n.thenBody);
    add(n.elseBody);
  }
  void operator()(const node::Switch& n) {
    for (const auto& [value, body] : n.cases)
      add(body);
    add(n.defaultCase);
  }
  template <class Leaf>
  void operator()(const Leaf&) {}
};

} // namespace

std::vector<ProgramPtr> childrenOf(const ProgramNode& node) {
  Children children;
  std::visit(children, node.op);
  return std::move(children.result);
}

StepTable::StepTable(std::span<const ProgramPtr> programs, std::span<const ProgramPtr> functions) {
  for (const ProgramPtr& program : programs)
    add(program);
  for (const ProgramPtr& function : functions)
    add(function);
}

void StepTable::add(const ProgramPtr& node) {
  if (!node)
    return;
  const StepId next{static_cast<std::uint32_t>(nodes_.size())};
  if (!ids_.try_emplace(node.get(), next).second)
    return;
  nodes_.push_back(node);
  for (const ProgramPtr& child : childrenOf(*node))
    add(child);
}

} // namespace ipumodel
