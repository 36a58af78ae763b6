#include "nir/Import.hpp"

#include "network/UserError.hpp"
#include "network/Validate.hpp"
#include "nir/Chain.hpp"
#include "nir/Export.hpp"
#include "nir/Flatten.hpp"
#include "nir/LayerNotes.hpp"
#include "nir/NodeValues.hpp"

#include <fmt/format.h>

#include <cmath>

namespace spillway::nir {
namespace {

constexpr double kDefaultDt = 1e-4; // seconds: what most tools assume

class Importer {
public:
  Importer(const Graph& graph, const ImportOptions& options) : graph_(flatten(graph)) {
    const auto dt = graph.metadataNumbers.find("dt");
    dt_ = options.dt.value_or(dt != graph.metadataNumbers.end() ? dt->second : kDefaultDt);
    if (!std::isfinite(dt_) || dt_ <= 0.0) {
      throw UserError(fmt::format("a step of {} s: must be finite and above 0", dt_));
    }
    const auto kind = graph.metadata.find("integration");
    integration_ = options.integration.value_or(
        kind != graph.metadata.end() ? integrationNamed(kind->second) : Integration::Euler);
  }

  Imported run() {
    const std::vector<Stage> stages = findChain(graph_, dt_);
    const bool hasReadout = !stages.empty() && integrates(stages.back().neurons);
    if (stages.size() <= (hasReadout ? 1 : 0)) {
      throw UserError("the graph has no layer that spikes; it must have at least one LIF");
    }
    for (const Stage& stage : stages) {
      const bool last = &stage == &stages.back();
      if (integrates(stage.neurons) && !last) {
        refuse(stage.neurons, node(stage.neurons), "integrates, which here only a readout does");
      }
      if (last && hasReadout) {
        addReadout(stage);
      } else {
        addLayer(stage);
      }
    }
    if (!hasReadout) {
      out_.network.readout = {};
      out_.network.readout.kind = ReadoutKind::SpikeCount;
      out_.network.readout.numOutputs = out_.network.layers.back().size;
    }
    if (numRounded_ > 0) {
      note("{} weights were rounded to FLOAT", numRounded_);
    }
    validate(out_.network);
    return std::move(out_);
  }

private:
  bool integrates(const std::string& name) const {
    return node(name).type == "LI" || shared(name, node(name), "v_threshold") >= kNeverReached;
  }

  void addLayer(const Stage& stage) {
    const std::string prefix = "layer" + std::to_string(out_.network.layers.size());
    const Node& neurons = node(stage.neurons);
    LayerSpec layer;
    if (neurons.metadata.contains(kNotes)) {
      applyNotes(neurons.metadata.at(kNotes), layer);
    }
    layer.neuron = NeuronKind::Lif;
    layer.reset = ResetMode::ToZero;
    if (neurons.numbers.contains("v_reset") && shared(stage.neurons, neurons, "v_reset") != 0.0) {
      refuse(stage.neurons, neurons, "v_reset is not 0");
    }
    takeDynamics(stage.neurons, layer.alpha, layer.kappa);
    take(layer.theta, shared(stage.neurons, neurons, "v_threshold"), stage.neurons, "v_threshold");
    layer.gradientTheta = std::min(layer.gradientTheta, layer.theta);
    layer.size = addTensors(prefix, stage);
    layer.recurrent = stage.recurrence.has_value();
    layer.bias = out_.parameters.back().name == prefix + "/bias";
    layer.maxActive = std::min(layer.maxActive, layer.size);
    out_.network.layers.push_back(layer);
  }

  void addReadout(const Stage& stage) {
    ReadoutSpec& readout = out_.network.readout;
    const Node& neurons = node(stage.neurons);
    if (neurons.metadata.contains(kNotes)) {
      applyNotes(neurons.metadata.at(kNotes), readout);
    }
    if (stage.recurrence) {
      refuse(*stage.recurrence, node(*stage.recurrence), "is a recurrence of the readout");
    }
    readout.kind = ReadoutKind::LeakyIntegrator;
    takeDynamics(stage.neurons, readout.alpha, readout.kappa);
    readout.numOutputs = addTensors("readout", stage);
    readout.bias = out_.parameters.back().name == "readout/bias";
  }

  void takeDynamics(const std::string& name, double& alpha, double& kappa) {
    const Node& neurons = node(name);
    if (shared(name, neurons, "v_leak") != 0.0) {
      refuse(name, neurons, "v_leak is not 0; use a bias instead");
    }
    // tau says how much is lost per step, so that is what is compared.
    const double tau = shared(name, neurons, "tau");
    double loss = 1.0 - alpha;
    const double inFile = 1.0 - decayPerStep(tau, dt_, integration_, "node " + name + ": tau");
    if (take(loss, inFile, name, "tau")) {
      alpha = 1.0 - loss;
    }
    take(kappa, shared(name, neurons, "r"), name, "r");
  }

  // NIR holds FLOATs; where they agree with our own note of the value, the note is more exact.
  // Otherwise takes the file's and returns true.
  bool take(double& value, double inFile, const std::string& name, const std::string& field) {
    if (same(value, inFile)) {
      return false;
    }
    if (node(name).metadata.contains(kNotes)) {
      note("node {}: {} was changed after Spillway exported it; the changed value is used", name,
           field);
    }
    value = inFile;
    return true;
  }

  // The stage's weights, recurrence and bias, in the order of parameterShapes(); its size.
  std::uint32_t addTensors(const std::string& prefix, const Stage& stage) {
    const NumberArray& weight = matrix(stage.weights);
    const std::size_t size = weight.shape[0], from = weight.shape[1];
    if (out_.parameters.empty()) {
      out_.network.numInputs = static_cast<std::uint32_t>(from);
    } else if (from != fanIn_) {
      refuse(stage.weights, node(stage.weights),
             fmt::format("weight takes {} inputs; it must take {}", from, fanIn_));
    }
    fanIn_ = size;
    const NumberArray& tau = numbers(stage.neurons, node(stage.neurons), "tau");
    if (tau.values.size() != 1 && tau.values.size() != size) {
      refuse(stage.neurons, node(stage.neurons),
             fmt::format("has {} neurons; {} feeds {}", tau.values.size(), stage.weights, size));
    }
    addMatrix(prefix + "/weight", stage.weights, weight);
    // Biases of a layer's input and of its recurrence act alike and are added up.
    std::vector<double> bias = biasOf(stage.weights, size);
    if (stage.recurrence) {
      const NumberArray& recurrence = matrix(*stage.recurrence);
      if (recurrence.shape != std::vector<std::size_t>{size, size}) {
        refuse(*stage.recurrence, node(*stage.recurrence),
               fmt::format("weight must be [{0}, {0}]", size));
      }
      addMatrix(prefix + "/recurrent", *stage.recurrence, recurrence);
      const std::vector<double> more = biasOf(*stage.recurrence, size);
      bias.resize(std::max(bias.size(), more.size()), 0.0);
      for (std::size_t i = 0; i < more.size(); ++i) {
        bias[i] += more[i];
      }
    }
    if (!bias.empty()) {
      ParameterTensor tensor{prefix + "/bias", {size}, {}};
      for (const double value : bias) {
        tensor.values.push_back(toFloat(stage.weights, "bias", value));
      }
      out_.parameters.push_back(std::move(tensor));
    }
    return static_cast<std::uint32_t>(size);
  }

  const NumberArray& matrix(const std::string& name) const {
    const NumberArray& weight = numbers(name, node(name), "weight");
    if (weight.shape.size() != 2 || weight.shape[0] > kMaxIds || weight.shape[1] > kMaxIds) {
      refuse(name, node(name), fmt::format("weight must be a matrix of 1 to {} per side", kMaxIds));
    }
    return weight;
  }

  // Transposes: [to, from] there, [from, to] here.
  void addMatrix(const std::string& tensorName, const std::string& name,
                 const NumberArray& weight) {
    const std::size_t to = weight.shape[0], from = weight.shape[1];
    ParameterTensor tensor{tensorName, {from, to}, std::vector<float>(weight.values.size())};
    for (std::size_t i = 0; i < to; ++i) {
      for (std::size_t j = 0; j < from; ++j) {
        tensor.values[j * to + i] = toFloat(name, "weight", weight.values[i * from + j]);
      }
    }
    out_.parameters.push_back(std::move(tensor));
  }

  std::vector<double> biasOf(const std::string& name, std::size_t size) const {
    if (node(name).type != "Affine") {
      return {};
    }
    const std::vector<double>& bias = numbers(name, node(name), "bias").values;
    if (bias.size() != size) {
      refuse(name, node(name),
             fmt::format("bias has {} values; it must have {}", bias.size(), size));
    }
    return bias;
  }

  float toFloat(const std::string& name, const std::string& field, double value) {
    const auto rounded = static_cast<float>(value);
    if (!std::isfinite(rounded)) {
      refuse(name, node(name), fmt::format("{} holds {}, which is no finite FLOAT", field, value));
    }
    numRounded_ += rounded != value ? 1 : 0;
    return rounded;
  }

  template <typename... Values>
  void note(fmt::format_string<Values...> text, Values&&... values) {
    out_.notes.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  const Node& node(const std::string& name) const { return graph_.nodes.at(name); }

  Graph graph_;
  double dt_ = kDefaultDt;
  Integration integration_ = Integration::Euler;
  std::size_t fanIn_ = 0;
  std::size_t numRounded_ = 0;
  Imported out_;
};

} // namespace

Imported importNetwork(const Graph& graph, const ImportOptions& options) {
  return Importer(graph, options).run();
}

} // namespace spillway::nir
