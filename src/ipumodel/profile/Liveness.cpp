#include "profile/Liveness.hpp"

#include "profile/Accesses.hpp"
#include "profile/Atoms.hpp"

#include <algorithm>
#include <optional>
#include <variant>

namespace ipumodel {
namespace {

// Backward data flow over a node: live before = needs + (live after - overwrites).
struct Flow {
  AtomSet needs, overwrites;

  AtomSet before(const AtomSet& after) const { return needs | (after - overwrites); }
};

class Analysis {
public:
  Analysis(const GraphData& graph, std::span<const ProgramPtr> programs, const StepTable& steps)
      : graph_(graph),
        steps_(steps),
        accesses_(steps.size()),
        flows_(steps.size()),
        after_(steps.size()) {
    ElementRanges all;
    const auto addAll = [&](const ElementRanges& ranges) {
      all.insert(all.end(), ranges.begin(), ranges.end());
    };
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
      accesses_[i] = accessesOf(graph, steps.node(StepId{i}));
      addAll(accesses_[i].reads);
      addAll(accesses_[i].writes);
    }
    for (const auto& [handle, access] : graph.hostAccess)
      addAll(rangesOf(access.view));
    table_.emplace(std::move(all));

    findAlwaysLive(programs);
    for (const ProgramPtr& program : programs)
      order(program.get());
    std::reverse(postorder_.begin(), postorder_.end());
    for (const ProgramPtr& program : programs)
      if (program)
        after(*program);
    for (const ProgramNode* node : postorder_)
      propagate(*node);
  }

  std::vector<Atom> takeAtoms() { return std::move(table_->atoms()); }

  void leaves(const ProgramPtr& node, std::vector<StepId>& result) {
    if (!node || isListed(*node))
      return;
    const std::vector<ProgramPtr> children = bodiesOf(*node);
    if (children.empty() && !isContainer(*node))
      result.push_back(steps_.of(*node));
    for (const ProgramPtr& child : children)
      leaves(child, result);
  }

  // What holds memory while the leaf is executed.
  AtomSet during(StepId leaf) {
    const Accesses& access = accesses_[leaf.value];
    AtomSet live = after_[leaf.value] ? *after_[leaf.value] : none();
    if (!std::holds_alternative<node::WriteUndef>(steps_.node(leaf).op)) {
      table_->addTouched(access.reads, live);
      table_->addTouched(access.writes, live);
    }
    return live - alwaysLive_;
  }

private:
  AtomSet none() const { return AtomSet(table_->size()); }

  static bool isContainer(const ProgramNode& node) {
    return std::holds_alternative<node::Sequence>(node.op) ||
           std::holds_alternative<node::Block>(node.op) ||
           std::holds_alternative<node::Repeat>(node.op) ||
           std::holds_alternative<node::RepeatWhile>(node.op) ||
           std::holds_alternative<node::If>(node.op) ||
           std::holds_alternative<node::Switch>(node.op) ||
           std::holds_alternative<node::CycleCount>(node.op) ||
           std::holds_alternative<node::CallFunction>(node.op);
  }

  std::vector<ProgramPtr> bodiesOf(const ProgramNode& node) const {
    if (const auto* call = std::get_if<node::CallFunction>(&node.op)) {
      const ProgramPtr& body = graph_.functions[call->function.value];
      return body ? std::vector<ProgramPtr>{body} : std::vector<ProgramPtr>{};
    }
    return childrenOf(node);
  }

  bool isListed(const ProgramNode& node) {
    const std::uint32_t step = steps_.of(node).value;
    if (listed_.empty())
      listed_.resize(steps_.size());
    const bool seen = listed_[step];
    listed_[step] = true;
    return seen;
  }

  void findAlwaysLive(std::span<const ProgramPtr> programs) {
    alwaysLive_ = none();
    for (const auto& [handle, access] : graph_.hostAccess)
      table_->addTouched(rangesOf(access.view), alwaysLive_);
    for (std::size_t i = 0; i < table_->size(); ++i) {
      const Variable& variable = graph_.variables[table_->atoms()[i].var.value];
      if (variable.kind != VariableKind::Variable || !variable.initial.empty())
        alwaysLive_.set(i);
    }
    // What a program needs on entry must have outlived the run before.
    for (const ProgramPtr& program : programs)
      if (program)
        alwaysLive_ |= flow(*program).needs;
    for (std::size_t i = 0; i < table_->size(); ++i)
      table_->atoms()[i].alwaysLive = alwaysLive_[i];
  }

  Flow leafFlow(const ProgramNode& node) const {
    const Accesses& access = accesses_[steps_.of(node).value];
    Flow flow{none(), none()};
    table_->addTouched(access.reads, flow.needs);
    table_->addCovered(access.writes, flow.overwrites);
    return flow;
  }

  // Leaves are worked out anew each time: there are many, and their sets are nearly empty.
  Flow flow(const ProgramNode& node) {
    if (!isContainer(node))
      return leafFlow(node);
    std::optional<Flow>& kept = flows_[steps_.of(node).value];
    if (!kept) {
      Flow computed = std::visit([&](const auto& op) { return containerFlow(node, op); }, node.op);
      flows_[steps_.of(node).value] = std::move(computed);
    }
    return *flows_[steps_.of(node).value];
  }
  Flow flow(const ProgramPtr& node) { return node ? flow(*node) : Flow{none(), none()}; }

  Flow containerFlow(const ProgramNode&, const node::Sequence& n) {
    Flow sum{none(), none()};
    for (auto it = n.steps.rbegin(); it != n.steps.rend(); ++it) {
      const Flow step = flow(*it);
      sum.needs = step.before(sum.needs);
      sum.overwrites |= step.overwrites;
    }
    return sum;
  }
  Flow containerFlow(const ProgramNode&, const node::Block& n) { return flow(n.body); }
  Flow containerFlow(const ProgramNode&, const node::Repeat& n) {
    Flow body = flow(n.body);
    if (n.count == 0)
      return {none(), none()};
    return body;
  }
  Flow containerFlow(const ProgramNode& node, const node::CycleCount& n) {
    const Flow body = flow(n.body), write = leafFlow(node);
    return {body.needs, body.overwrites | write.overwrites};
  }
  Flow containerFlow(const ProgramNode& node, const node::RepeatWhile& n) {
    const Flow condition = flow(n.condition);
    return {condition.before(leafFlow(node).needs | flow(n.body).needs), condition.overwrites};
  }
  Flow containerFlow(const ProgramNode& node, const node::If& n) {
    const Flow yes = flow(n.thenBody), no = flow(n.elseBody);
    return {leafFlow(node).needs | yes.needs | no.needs, yes.overwrites & no.overwrites};
  }
  Flow containerFlow(const ProgramNode& node, const node::Switch& n) {
    Flow sum = flow(n.defaultCase);
    for (const auto& [value, body] : n.cases) {
      const Flow branch = flow(body);
      sum.needs |= branch.needs;
      sum.overwrites &= branch.overwrites;
    }
    sum.needs |= leafFlow(node).needs;
    return sum;
  }
  Flow containerFlow(const ProgramNode&, const node::CallFunction& n) {
    return flow(graph_.functions[n.function.value]);
  }
  template <class Leaf>
  Flow containerFlow(const ProgramNode& node, const Leaf&) {
    return leafFlow(node);
  }

  // Children before parents, functions before their callers.
  void order(const ProgramNode* node) {
    if (!node)
      return;
    if (ordered_.empty())
      ordered_.resize(steps_.size());
    const std::uint32_t step = steps_.of(*node).value;
    if (ordered_[step])
      return;
    ordered_[step] = true;
    for (const ProgramPtr& child : bodiesOf(*node))
      order(child.get());
    postorder_.push_back(node);
  }

  AtomSet& after(const ProgramNode& node) {
    std::optional<AtomSet>& set = after_[steps_.of(node).value];
    if (!set)
      set = none();
    return *set;
  }

  // From what lives behind a node to what lives behind the nodes inside it. A node that stands in
  // several places gets the union.
  void propagate(const ProgramNode& node) {
    if (!isContainer(node))
      return;
    const AtomSet out = after(node);
    const auto give = [&](const ProgramPtr& child, const AtomSet& set) {
      if (child)
        after(*child) |= set;
    };
    if (const auto* sequence = std::get_if<node::Sequence>(&node.op)) {
      AtomSet live = out;
      for (auto it = sequence->steps.rbegin(); it != sequence->steps.rend(); ++it) {
        give(*it, live);
        live = flow(*it).before(live);
      }
    } else if (const auto* repeat = std::get_if<node::Repeat>(&node.op)) {
      give(repeat->body, out | flow(repeat->body).needs);
    } else if (const auto* loop = std::get_if<node::RepeatWhile>(&node.op)) {
      const Flow condition = flow(loop->condition), body = flow(loop->body);
      const AtomSet decided = leafFlow(node).needs | out | body.needs;
      const AtomSet again = condition.before(decided);
      give(loop->condition, decided | body.before(again));
      give(loop->body, again);
    } else {
      for (const ProgramPtr& child : bodiesOf(node))
        give(child, out);
    }
  }

  const GraphData& graph_;
  const StepTable& steps_;
  std::vector<Accesses> accesses_; // by step
  std::optional<AtomTable> table_;
  std::vector<std::optional<Flow>> flows_; // by step, containers only
  std::vector<std::optional<AtomSet>> after_;
  std::vector<const ProgramNode*> postorder_;
  std::vector<bool> ordered_, listed_;
  AtomSet alwaysLive_;
};

} // namespace

Liveness::Liveness(const GraphData& graph, std::span<const ProgramPtr> programs,
                   const StepTable& steps) {
  Analysis analysis(graph, programs, steps);
  for (const ProgramPtr& program : programs)
    analysis.leaves(program, leaves_);
  for (const StepId leaf : leaves_) {
    const AtomSet live = analysis.during(leaf);
    std::vector<std::uint32_t>& list = live_.emplace_back();
    for (auto i = live.find_first(); i != AtomSet::npos; i = live.find_next(i))
      list.push_back(static_cast<std::uint32_t>(i));
  }
  atoms_ = analysis.takeAtoms();
}

} // namespace ipumodel
