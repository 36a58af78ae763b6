#include "nir/Chain.hpp"

#include "network/UserError.hpp"
#include "nir/NodeValues.hpp"

#include <fmt/format.h>

#include <set>

namespace spillway::nir {
namespace {

bool isLinear(const Node& node) {
  return node.type == "Linear" || node.type == "Affine";
}
bool isNeuron(const Node& node) {
  return node.type == "LIF" || node.type == "LI";
}

class Walk {
public:
  Walk(const Graph& graph, double dt) : graph_(graph), dt_(dt) {}

  std::vector<Stage> run() {
    std::string at = only("Input");
    only("Output");
    visited_.insert(at);
    while (node(at).type != "Output") {
      const std::string next = successor(at);
      if (!visited_.insert(next).second) {
        refuse(next, node(next),
               "closes a loop over more than one layer; here only a layer's own is possible");
      }
      step(at, next);
      at = next;
    }
    for (const auto& [name, node] : graph_.nodes) {
      if (!visited_.contains(name)) {
        refuse(name, node, "is not on the way from the input to the output");
      }
    }
    return std::move(stages_);
  }

private:
  void step(const std::string& from, const std::string& to) {
    const Node& before = node(from);
    const Node& next = node(to);
    if (isLinear(next)) {
      if (isLinear(before)) {
        refuse(to, next, "follows " + from + " without neurons between them");
      }
      stages_.push_back({to, "", std::nullopt});
    } else if (isNeuron(next)) {
      if (!isLinear(before)) {
        refuse(to, next, "has no Linear or Affine before it");
      }
      addNeurons(from, to);
    } else if (next.type == "Delay") {
      passDelay(from, to);
    } else if (next.type == "Output") {
      if (!isNeuron(before)) {
        refuse(to, next, "does not follow neurons but " + from);
      }
    } else if (next.type != "Flatten" || before.type != "Input") {
      refuse(to, next, "has no counterpart here; legal are Linear, Affine, LIF, LI and Delay");
    }
  }

  void addNeurons(const std::string& weights, const std::string& name) {
    Stage& stage = stages_.back();
    stage.neurons = name;
    for (const std::string& source : neighbours(name, Side::Before)) {
      if (source == weights) {
        continue;
      }
      if (!isRecurrence(source, name) || stage.recurrence) {
        refuse(name, node(name),
               "also receives from " + source +
                   "; here a layer receives from one other and "
                   "through one recurrence");
      }
      stage.recurrence = source;
      visited_.insert(source);
    }
  }

  // Only a step between one layer's neurons and the next one's weights.
  void passDelay(const std::string& from, const std::string& name) const {
    const double delay = shared(name, node(name), "delay");
    if (!isNeuron(node(from)) || !isLinear(node(successor(name))) || !same(delay, dt_)) {
      refuse(name, node(name),
             fmt::format("delays by {:g} s; here there is a step of {:g} s between layers and no "
                         "other delay",
                         delay, dt_));
    }
  }

  std::string only(const std::string& type) const {
    std::vector<std::string> names;
    for (const auto& [name, node] : graph_.nodes) {
      if (node.type == type) {
        names.push_back(name);
      }
    }
    if (names.size() != 1) {
      throw UserError(
          fmt::format("the graph has {} nodes of type {}; it must have one", names.size(), type));
    }
    return names.front();
  }

  enum class Side { Before, After };

  // An edge given twice counts once.
  std::set<std::string> neighbours(const std::string& name, Side side) const {
    std::set<std::string> names;
    for (const auto& [from, to] : graph_.edges) {
      if ((side == Side::After ? from : to) == name) {
        names.insert(side == Side::After ? to : from);
      }
    }
    return names;
  }

  // From the neurons back to themselves, and from and to nothing else.
  bool isRecurrence(const std::string& name, const std::string& neurons) const {
    const std::set<std::string> self{neurons};
    return isLinear(node(name)) && neighbours(name, Side::After) == self &&
           neighbours(name, Side::Before) == self;
  }

  // The one node that follows, a recurrence aside.
  std::string successor(const std::string& name) const {
    std::set<std::string> next = neighbours(name, Side::After);
    std::erase_if(next, [&](const std::string& n) { return isRecurrence(n, name); });
    if (next.size() != 1) {
      refuse(name, node(name),
             fmt::format("leads to {} nodes; here each layer feeds one other", next.size()));
    }
    return *next.begin();
  }

  const Node& node(const std::string& name) const { return graph_.nodes.at(name); }

  const Graph& graph_;
  double dt_;
  std::set<std::string> visited_;
  std::vector<Stage> stages_;
};

} // namespace

std::vector<Stage> findChain(const Graph& graph, double dt) {
  return Walk(graph, dt).run();
}

} // namespace spillway::nir
