#include "nir/Export.hpp"

#include "config/Keys.hpp"
#include "network/UserError.hpp"
#include "nir/LayerNotes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace spillway::nir {
namespace {

NumberArray filled(std::size_t size, double value) {
  return {{size}, std::vector<double>(size, value)};
}

// As a configuration file would say it.
std::string valueOf(const LayerSpec& layer, const std::string& name) {
  for (const auto& key : layerKeys()) {
    if (key.name == name) {
      return key.get(layer);
    }
  }
  return {};
}

class Exporter {
public:
  Exporter(const NetworkSpec& network, const ParameterSet& parameters, const ExportOptions& options)
      : network_(network), parameters_(parameters), options_(options) {}

  Exported run() {
    add("input", {"Input", {{"shape", {{1}, {double(network_.numInputs)}}}}, {}, {}});
    std::string from = "input";
    for (std::size_t l = 0; l < network_.layers.size(); ++l) {
      from = addLayer(l, from);
    }
    if (network_.readout.kind == ReadoutKind::LeakyIntegrator) {
      from = addReadout(from);
    }
    add("output", {"Output", {{"shape", {{1}, {double(network_.readout.numOutputs)}}}}, {}, {}});
    connect(from, "output");
    out_.graph.metadataNumbers["dt"] = options_.dt;
    out_.graph.metadata["integration"] = nameOf(options_.integration);
    if (options_.delays == Delays::Absent) {
      note("a spike takes one step from layer to layer here and none along NIR's edges: elsewhere "
           "the readout acts {} step(s) earlier (--delays writes Delay nodes)",
           network_.layers.size() - (network_.readout.kind == ReadoutKind::SpikeCount ? 1 : 0));
    }
    return std::move(out_);
  }

private:
  std::string addLayer(std::size_t l, const std::string& from) {
    const std::string name = "layer" + std::to_string(l);
    LayerSpec layer = network_.layers[l];
    requireKnown(name, layer);
    const double factor = moveGain(layer.kappa, layer.alpha);
    addWeights(name, delayed(from, l), factor);
    Node node{"LIF", dynamics(name, layer.size, layer.alpha, layer.kappa), {}, {}};
    node.numbers["v_threshold"] = filled(layer.size, layer.theta);
    node.numbers["v_reset"] = filled(layer.size, 0.0);
    node.metadata[kNotes] = notesOf(layer);
    add(name, std::move(node));
    connect(name + "_weight", name);
    if (layer.recurrent) {
      add(name + "_recurrent",
          {"Linear", {{"weight", weights(name + "/recurrent", factor)}}, {}, {}});
      connect(name, name + "_recurrent");
      connect(name + "_recurrent", name);
    }
    return name;
  }

  std::string addReadout(const std::string& from) {
    ReadoutSpec readout = network_.readout;
    const double factor = moveGain(readout.kappa, readout.alpha);
    addWeights("readout", delayed(from, network_.layers.size()), factor);
    Node node{"LI", dynamics("readout", readout.numOutputs, readout.alpha, readout.kappa), {}, {}};
    if (options_.readout == ReadoutNode::Lif) {
      node.type = "LIF";
      node.numbers["v_threshold"] = filled(readout.numOutputs, kNeverReached);
      node.numbers["v_reset"] = filled(readout.numOutputs, 0.0);
    }
    node.metadata[kNotes] = notesOf(readout);
    add("readout", std::move(node));
    connect("readout_weight", "readout");
    return "readout";
  }

  void requireKnown(const std::string& name, const LayerSpec& layer) {
    if (layer.isGated()) {
      throw UserError(name + " cannot be written: NIR has no gated units");
    }
    if (layer.neuron != NeuronKind::Lif) {
      throw UserError(fmt::format("{}.neuron = {} cannot be written: NIR has no such neuron; it "
                                  "must be lif",
                                  name, valueOf(layer, "neuron")));
    }
    if (layer.reset == ResetMode::Subtract) {
      if (options_.subtract == SubtractingReset::Refuse) {
        throw UserError(fmt::format("{}.reset = subtract cannot be written: NIR's LIF resets to a "
                                    "value, so it must be zero (--subtract-as-zero writes that "
                                    "instead, which is another network)",
                                    name));
      }
      note("{} subtracts its threshold here and is set to zero elsewhere", name);
    }
    if (layer.maxActive != 0 && layer.maxActive < layer.size) {
      note("{} transmits at most {} spikes per step here and all of its {} neurons' elsewhere",
           name, layer.maxActive, layer.size);
    }
  }

  // Sets kappa to what r will be, and returns the factor that the weights take over from it.
  double moveGain(double& kappa, double alpha) const {
    switch (options_.gain) {
    case Gain::Resistance:
      return 1.0;
    case Gain::Weights:
      return std::exchange(kappa, 1.0);
    case Gain::Step:
      break;
    }
    const double factor = kappa * (1.0 - alpha);
    kappa = 1.0 / (1.0 - alpha);
    return factor;
  }

  std::map<std::string, NumberArray> dynamics(const std::string& name, std::size_t size,
                                              double alpha, double r) const {
    const double tau = timeConstant(alpha, options_.dt, options_.integration, name + ".alpha");
    return {{"tau", filled(size, tau)}, {"r", filled(size, r)}, {"v_leak", filled(size, 0.0)}};
  }

  void addWeights(const std::string& name, const std::string& from, double factor) {
    Node node{"Linear", {{"weight", weights(name + "/weight", factor)}}, {}, {}};
    if (const ParameterTensor* bias = find(name + "/bias")) {
      node.type = "Affine";
      node.numbers["bias"] = {{bias->values.size()}, scaled(*bias, factor)};
    }
    add(name + "_weight", std::move(node));
    connect(from, name + "_weight");
  }

  // [from, to] here, [to, from] there.
  NumberArray weights(const std::string& name, double factor) const {
    const ParameterTensor& tensor = *find(name);
    const std::size_t from = tensor.shape[0], to = tensor.shape[1];
    const std::vector<double> values = scaled(tensor, factor);
    NumberArray array{{to, from}, std::vector<double>(values.size())};
    for (std::size_t j = 0; j < from; ++j) {
      for (std::size_t i = 0; i < to; ++i) {
        array.values[i * from + j] = values[j * to + i];
      }
    }
    return array;
  }

  static std::vector<double> scaled(const ParameterTensor& tensor, double factor) {
    std::vector<double> values(tensor.values.begin(), tensor.values.end());
    std::for_each(values.begin(), values.end(), [&](double& value) { value *= factor; });
    return values;
  }

  const ParameterTensor* find(const std::string& name) const {
    const auto found = std::find_if(parameters_.begin(), parameters_.end(),
                                    [&](const ParameterTensor& t) { return t.name == name; });
    return found == parameters_.end() ? nullptr : &*found;
  }

  // `from`, or a Delay after it where it is a layer.
  std::string delayed(const std::string& from, std::size_t layer) {
    if (options_.delays == Delays::Absent || layer == 0) {
      return from;
    }
    const std::string name = from + "_delay";
    add(name, {"Delay", {{"delay", filled(network_.layers[layer - 1].size, options_.dt)}}, {}, {}});
    connect(from, name);
    return name;
  }

  void add(const std::string& name, Node node) { out_.graph.nodes[name] = std::move(node); }
  void connect(const std::string& from, const std::string& to) {
    out_.graph.edges.emplace_back(from, to);
  }
  template <typename... Values>
  void note(fmt::format_string<Values...> text, Values&&... values) {
    out_.notes.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  const NetworkSpec& network_;
  const ParameterSet& parameters_;
  const ExportOptions& options_;
  Exported out_;
};

} // namespace

Exported exportNetwork(const NetworkSpec& network, const ParameterSet& parameters,
                       const ExportOptions& options) {
  return Exporter(network, parameters, options).run();
}

} // namespace spillway::nir
