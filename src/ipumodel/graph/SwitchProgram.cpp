#include "graph/Access.hpp"

#include <poplar/Program.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>

namespace poplar {
namespace program {
namespace {

using ipumodel::ProgramNode;
namespace node = ipumodel::node;

std::shared_ptr<ProgramNode> makeSwitch(const Tensor& control,
                                        const std::vector<std::pair<std::int32_t, Program>>& cases,
                                        const Program& defaultCase,
                                        const DebugContext& debugContext) {
  if (control.numElements() != 1 ||
      (control.elementType() != INT && control.elementType() != UNSIGNED_INT))
    throw control_program_error("Switch '" + debugContext.getPathName() +
                                "' takes one INT or UNSIGNED_INT as control, not " +
                                control.getDebugStr());
  node::Switch op{ipumodel::viewOf(control), {}, defaultCase.getImpl(), false};
  for (const auto& [value, body] : cases)
    op.cases.emplace_back(value, body.getImpl());
  const std::string name = debugContext.getPathName();
  return std::make_shared<ProgramNode>(
      ProgramNode{name, std::move(op), ipumodel::originOf("Switch", name, {&control})});
}

void requireUnique(const node::Switch& op, const std::string& name) {
  std::vector<std::int32_t> values;
  for (const auto& [value, body] : op.cases)
    values.push_back(value);
  std::sort(values.begin(), values.end());
  const auto twice = std::adjacent_find(values.begin(), values.end());
  if (twice != values.end())
    throw control_program_error("Switch '" + name + "' has two cases for " +
                                std::to_string(*twice));
}

std::shared_ptr<ProgramNode> checked(std::shared_ptr<ProgramNode> switchNode) {
  requireUnique(std::get<node::Switch>(switchNode->op), switchNode->name);
  return switchNode;
}

} // namespace

Switch::Switch(std::shared_ptr<const ProgramNode> switchNode) : Program(std::move(switchNode)) {}
Switch::Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases,
               const DebugContext& debugContext)
    : Program(checked(makeSwitch(control, cases, Program(), debugContext))) {}
Switch::Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases,
               const Program& defaultCaseBody, const DebugContext& debugContext)
    : Program(checked(makeSwitch(control, cases, defaultCaseBody, debugContext))) {}
Switch::Switch(Tensor control, const DebugContext& debugContext)
    : Program(makeSwitch(control, {}, Program(), debugContext)) {}
Switch::Switch(Tensor control, const Program& defaultCaseBody, const DebugContext& debugContext)
    : Program(makeSwitch(control, {}, defaultCaseBody, debugContext)) {}

Switch Switch::switchWithBoundsChecking(Tensor control,
                                        const std::vector<std::pair<std::int32_t, Program>>& cases,
                                        const DebugContext& debugContext) {
  auto switchNode = checked(makeSwitch(control, cases, Program(), debugContext));
  std::get<node::Switch>(switchNode->op).boundsChecked = true;
  return Switch(std::shared_ptr<const ProgramNode>(std::move(switchNode)));
}

Switch Switch::switchWithUnreachableDefault(Tensor control, const DebugContext& debugContext) {
  return Switch(control, debugContext);
}

Switch& Switch::add(std::int32_t value, const Program& body) {
  auto changed = std::make_shared<ProgramNode>(*node_);
  auto& op = std::get<node::Switch>(changed->op);
  op.cases.emplace_back(value, body.getImpl());
  node_ = checked(std::move(changed));
  return *this;
}

} // namespace program
} // namespace poplar
