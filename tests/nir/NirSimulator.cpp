#include "NirSimulator.hpp"

#include <cmath>

namespace spillway::nir {
namespace {

using Signals = std::map<std::string, Signal>;

class Simulator {
public:
  Simulator(const Graph& graph, double dt) : graph_(graph), dt_(dt) { order("input"); }

  Signals step(const Signal& input) {
    Signals out = {{"input", input}};
    for (const std::string& name : order_) {
      if (name != "input") {
        out[name] = run(name, received(name, out));
      }
    }
    last_ = out;
    return out;
  }

private:
  // Depth first from the input, so that only edges that close a cycle point backwards.
  void order(const std::string& name) {
    std::vector<std::string> reversed;
    std::map<std::string, bool> seen;
    visit(name, seen, reversed);
    order_.assign(reversed.rbegin(), reversed.rend());
  }
  void visit(const std::string& name, std::map<std::string, bool>& seen,
             std::vector<std::string>& done) {
    seen[name] = true;
    for (const auto& [from, to] : graph_.edges) {
      if (from == name && !seen[to]) {
        visit(to, seen, done);
      }
    }
    done.push_back(name);
  }

  Signal received(const std::string& name, const Signals& now) const {
    Signal sum;
    for (const auto& [from, to] : graph_.edges) {
      if (to != name) {
        continue;
      }
      const auto found = now.find(from);
      const Signal* signal = found != now.end() ? &found->second : nullptr;
      if (signal == nullptr && last_.contains(from)) {
        signal = &last_.at(from);
      }
      if (signal != nullptr) {
        sum.resize(signal->size(), 0.0);
        for (std::size_t i = 0; i < sum.size(); ++i) {
          sum[i] += (*signal)[i];
        }
      }
    }
    return sum;
  }

  Signal run(const std::string& name, const Signal& in) {
    const Node& node = graph_.nodes.at(name);
    if (node.type == "Linear" || node.type == "Affine") {
      const NumberArray& weight = node.numbers.at("weight");
      Signal out(weight.shape[0], 0.0);
      for (std::size_t i = 0; i < out.size(); ++i) {
        for (std::size_t j = 0; j < weight.shape[1]; ++j) {
          out[i] += weight.values[i * weight.shape[1] + j] * in[j];
        }
        out[i] += node.type == "Affine" ? node.numbers.at("bias").values[i] : 0.0;
      }
      return out;
    }
    if (node.type == "Delay") {
      Signal& waiting = state_[name];
      waiting.resize(in.size(), 0.0);
      return std::exchange(waiting, in);
    }
    if (node.type != "LIF" && node.type != "LI") {
      return in; // Output
    }
    Signal& v = state_[name];
    v.resize(in.size(), 0.0);
    Signal out = v;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const auto value = [&](const char* field) { return node.numbers.at(field).values[i]; };
      v[i] += dt_ / value("tau") * (value("v_leak") - v[i] + value("r") * in[i]);
      out[i] = v[i];
      if (node.type == "LIF") {
        out[i] = v[i] > value("v_threshold") ? 1.0 : 0.0;
        v[i] = out[i] == 1.0 ? value("v_reset") : v[i];
      }
    }
    return out;
  }

  const Graph& graph_;
  double dt_;
  std::vector<std::string> order_;
  std::map<std::string, Signal> state_;
  Signals last_;
};

} // namespace

std::vector<std::map<std::string, Signal>> simulate(const Graph& graph,
                                                    const std::vector<Signal>& inputs, double dt) {
  Simulator simulator(graph, dt);
  std::vector<std::map<std::string, Signal>> all;
  for (const Signal& input : inputs) {
    all.push_back(simulator.step(input));
  }
  return all;
}

} // namespace spillway::nir
