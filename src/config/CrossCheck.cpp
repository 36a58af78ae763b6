#include "config/Config.hpp"
#include "config/Keys.hpp"
#include "config/WorkForAll.hpp"
#include "network/SettingError.hpp"
#include "network/Validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace spillway {
namespace {

constexpr std::uint32_t kWorkersPerTile = 6; // of an IPU

class Checker {
public:
  Checker(const Settings& settings, const Origins& origins, const std::string& file)
      : settings_(settings), origins_(origins), file_(file) {}

  Findings check() {
    layers();
    readoutAndLoss();
    data();
    optimiser();
    loop();
    machine();
    checkpoint();
    if (findings_.problems.empty()) {
      network();
    }
    return std::move(findings_);
  }

private:
  bool given(const std::string& key) const { return origins_.contains(key); }

  // A key that says what holds anyway contradicts nothing, so that a fully written-out
  // configuration stays legal.
  bool isDefault(const std::string& name) const {
    const Settings defaults;
    for (const auto& key : settingsKeys()) {
      if (key.name == name) {
        return key.get(settings_) == key.get(defaults);
      }
    }
    const std::size_t dot = name.find('.');
    const std::string number = name.substr(5, dot - 5); // of "layer7.alpha"; empty: all layers
    const auto& layers = settings_.network.layers;
    for (const auto& key : layerKeys()) {
      const auto same = [&](const LayerSpec& layer) {
        return key.get(layer) == key.get(LayerSpec{});
      };
      if (key.name == name.substr(dot + 1)) {
        return number.empty() ? std::all_of(layers.begin(), layers.end(), same)
                              : same(layers.at(std::stoul(number)));
      }
    }
    return false;
  }

  // A contradiction seen at `key`, or at the file as a whole where the key was not given.
  void problem(const std::string& key, const std::string& message) {
    const auto origin = origins_.find(key);
    const std::string place = origin == origins_.end() ? file_ : origin->second.text();
    findings_.problems.push_back(place.empty() ? message : place + ": " + message);
  }

  // `key` was given although `chooser` (with the value `choice`) does not use it.
  void unused(const std::string& key, const std::string& chooser, const std::string& choice) {
    if (!given(key) || isDefault(key)) {
      return;
    }
    const Origin& origin = origins_.at(key);
    const std::string place = placeOf(chooser, origins_);
    const std::string message =
        fmt::format("{}: {} has no meaning with {} = {}{}", origin.text(), key, chooser, choice,
                    place.empty() ? ", the default" : " (" + place + ")");
    const bool chosenLater = given(chooser) && origins_.at(chooser).depth < origin.depth;
    if (chosenLater) {
      findings_.unused.push_back(key);
      findings_.notes.push_back(message + "; it is left out");
    } else if (origin.fromCommandLine()) {
      findings_.problems.push_back(message + "; leave it out");
    } else {
      findings_.problems.push_back(fmt::format("{}; delete line {}", message, origin.line));
    }
  }

  // Where layer l got its `key` from: [layerN], else [layer].
  std::string layerKey(std::size_t l, const std::string& key) const {
    const std::string own = fmt::format("layer{}.{}", l, key);
    return given(own) ? own : "layer." + key;
  }

  // The network's own rules, with sizes that leave room where the data set will give them.
  void network() {
    NetworkSpec network = settings_.network;
    ReadoutSpec& readout = network.readout;
    if (network.numInputs == 0) {
      network.numInputs = network.readsWords() ? network.layers.back().size : kMaxIds;
    }
    if (readout.numOutputs == 0) {
      readout.numOutputs = readout.kind == ReadoutKind::SpikeCount ? network.layers.back().size : 1;
    }
    try {
      validate(network);
    } catch (const SettingError& error) {
      const std::string place = placeOf(error.key(), origins_);
      findings_.problems.push_back(place.empty() ? error.what() : place + ": " + error.what());
    }
    if (network.isGated() && settings_.data.batchMemoryBytes != 0) {
      problem("data.batchMemory",
              "data.batchMemory = " + formatBytes(settings_.data.batchMemoryBytes) +
                  ": gated layers take a batch from memory alone; it must be 0");
    }
  }

  void layers() {
    const std::vector<LayerSpec>& all = settings_.network.layers;
    if (all.empty()) {
      problem("network.layers", "network.layers is missing: give the sizes of the layers, such as "
                                "256,256 or 3x256");
    }
    for (std::size_t l = 0; l < all.size(); ++l) {
      const LayerSpec& layer = all[l];
      if (layer.gradientTheta > layer.theta) {
        problem(layerKey(l, "gradientTheta"),
                fmt::format("layer{}.gradientTheta = {} must be at most layer{}.theta = {}", l,
                            layer.gradientTheta, l, layer.theta));
      }
      if (layer.maxActive > layer.size) {
        problem(layerKey(l, "maxActive"),
                fmt::format("layer{}.maxActive = {} must be at most the layer's size, {}", l,
                            layer.maxActive, layer.size));
      }
      if (layer.isRecurrent() && settings_.machine.timeBlock > 1) {
        problem("machine.timeBlock",
                fmt::format("machine.timeBlock = {} needs feed-forward layers, but layer{} is "
                            "recurrent: it must be 1",
                            settings_.machine.timeBlock, l));
      }
    }
    layerKinds();
  }

  // Keys that only another kind of layer has: of one layer, or of all where none is of that kind.
  void layerKinds() {
    const std::vector<LayerSpec>& all = settings_.network.layers;
    for (const auto& key : layerKeys()) {
      const auto uses = [&](const LayerSpec& layer) { return layerUses(layer, key.name); };
      for (std::size_t l = 0; l < all.size(); ++l) {
        if (!uses(all[l])) {
          const auto [chooser, choice] = chooserOf(all[l], key.name);
          unused(fmt::format("layer{}.{}", l, key.name), layerKey(l, chooser), choice);
        }
      }
      if (!all.empty() && std::none_of(all.begin(), all.end(), uses)) {
        const auto [chooser, choice] = chooserOf(all.front(), key.name);
        unused("layer." + key.name, "layer." + chooser, choice);
      }
    }
  }

  // What decided that the layer has no use for the key, and how.
  static std::pair<std::string, std::string> chooserOf(const LayerSpec& layer,
                                                       const std::string& key) {
    LayerSpec alif = layer;
    alif.neuron = NeuronKind::Alif;
    return layerUses(alif, key) ? std::pair("neuron", "lif")
                                : std::pair("kind", kindName(layer.kind));
  }

  static const char* kindName(LayerKind kind) {
    return kind == LayerKind::Spiking ? "spiking" : kind == LayerKind::Egru ? "egru" : "gru";
  }

  void readoutAndLoss() {
    const ReadoutSpec& readout = settings_.network.readout;
    if (readout.kind == ReadoutKind::SpikeCount) {
      for (const char* key :
           {"readout.reduction", "readout.bias", "readout.alpha", "readout.kappa"}) {
        unused(key, "readout.kind", "count");
      }
      const auto& layers = settings_.network.layers;
      if (!layers.empty() && readout.numOutputs != 0 && readout.numOutputs != layers.back().size) {
        problem("readout.outputs",
                fmt::format("readout.outputs = {} must be the last layer's size, {}, when spikes "
                            "are counted",
                            readout.numOutputs, layers.back().size));
      }
    }
    if (readout.kind == ReadoutKind::TiedSoftmax) {
      unused("readout.alpha", "readout.kind", "tied");
      unused("readout.kappa", "readout.kind", "tied");
    } else {
      for (const char* key :
           {"wordDropout", "outputDropout", "activityPenalty", "slownessPenalty"}) {
        unused(std::string("language.") + key, "readout.kind",
               readout.kind == ReadoutKind::SpikeCount ? "count" : "leaky");
      }
    }
    const RateRegularisation& rate = settings_.network.loss.rate;
    if (rate.upper > 0.0 && rate.lower > 0.0 && rate.lowerRate > rate.upperRate) {
      problem("loss.rateLowerTarget",
              fmt::format("loss.rateLowerTarget = {} must be at most loss.rateUpperTarget = {}",
                          rate.lowerRate, rate.upperRate));
    }
  }

  void data() {
    using Sets = std::initializer_list<std::string_view>;
    const std::string& set = settings_.data.set;
    const auto only = [&](Sets users, std::initializer_list<const char*> keys) {
      if (std::find(users.begin(), users.end(), set) == users.end()) {
        for (const std::string key : keys) {
          unused("data." + key, "data.set", set);
        }
      }
    };
    only({"randman"}, {"manifoldDimension", "smoothness"});
    only({"poisson", "recall"}, {"activity"});
    only({"randman", "poisson", "recall"}, {"inputs"});
    only({"randman", "poisson", "recall", "copy", "mnist", "fashion-mnist"}, {"classes"});
    only({"randman", "poisson", "recall", "copy", "adding"}, {"samplesPerClass"});
    only({"mnist", "fashion-mnist"}, {"encoding", "pixelOrder", "levels"});
    only({"shd", "ssc", "nmnist", "dvsgesture"}, {"stepMs"});
    only({"mnist", "fashion-mnist", "shd", "ssc", "nmnist", "dvsgesture"}, {"downsample"});
    only({"mnist", "fashion-mnist", "shd", "ssc", "nmnist", "dvsgesture", "qtdb", "raster", "text"},
         {"path"});
    only({"qtdb"}, {"unlabelled"});
    if (settings_.data.numDelays == 1) {
      unused("data.delaySteps", "data.delays", "1");
    }
  }

  void optimiser() {
    const bool sgd = settings_.optimiser.kind == OptimiserKind::Sgd;
    if (sgd) {
      for (const char* key : {"optimiser.beta1", "optimiser.beta2", "optimiser.epsilon"}) {
        unused(key, "optimiser.kind", "sgd");
      }
    } else {
      unused("optimiser.momentum", "optimiser.kind", "adam");
    }
    const DecayKind decay = settings_.learningRate.decay;
    const std::string name = decay == DecayKind::Cosine ? "cosine"
                             : decay == DecayKind::Step ? "step"
                                                        : "constant";
    if (decay != DecayKind::Cosine) {
      unused("learningRate.finalFraction", "learningRate.decay", name);
    }
    if (decay != DecayKind::Step) {
      unused("learningRate.decayEpochs", "learningRate.decay", name);
      unused("learningRate.decayFactor", "learningRate.decay", name);
    }
  }

  void loop() {
    const TrainSettings& train = settings_.train;
    if (train.batchSize % train.numAtOnce() != 0) {
      problem("train.microBatch",
              fmt::format("train.microBatch = {} must divide train.batchSize = {}",
                          train.microBatch, train.batchSize));
    } else if (const std::string lack = lackOfWork(settings_, 1); !lack.empty()) {
      problem(given("train.microBatch") ? "train.microBatch" : "machine.replicas", lack);
    }
  }

  void machine() {
    const MachineSettings& machine = settings_.machine;
    const std::string preset = choiceName(presetNames(), machine.preset);
    if (machine.device == DeviceKind::Cpu && machine.preset != MachinePreset::Auto &&
        machine.preset != MachinePreset::Cpu) {
      problem("machine.preset", fmt::format("machine.preset = {} needs machine.device = model; the "
                                            "device cpu takes auto or cpu",
                                            preset));
    }
    if (kWorkersPerTile % machine.gradientCopies != 0) {
      problem(
          "machine.gradientCopies",
          fmt::format("machine.gradientCopies = {} must divide the six workers of a tile: 1, 2, "
                      "3 or 6",
                      machine.gradientCopies));
    } else if (machine.gradientCopies != 1 &&
               (machine.device == DeviceKind::Cpu || machine.preset == MachinePreset::Cpu)) {
      problem("machine.gradientCopies",
              fmt::format("machine.gradientCopies = {} needs tiles with six workers, those of "
                          "machine.device = model or ipu; a tile of the cpu has one: it must be 1",
                          machine.gradientCopies));
    } else if (machine.gradientCopies != 1 && settings_.network.isGated()) {
      problem(
          "machine.gradientCopies",
          fmt::format("machine.gradientCopies = {} needs spiking layers; the gradients of gated "
                      "ones are in one copy: it must be 1",
                      machine.gradientCopies));
    }
    if (machine.device == DeviceKind::Cpu) { // as many tiles as the layers take
      unused("machine.tiles", "machine.device", "cpu");
      unused("machine.numIpus", "machine.device", "cpu");
    }
    if (machine.device == DeviceKind::Ipu && machine.preset != MachinePreset::Auto) {
      unused("machine.preset", "machine.device", "ipu");
    }
  }

  void checkpoint() {
    using enum StrategyKind;
    const CheckpointSettings& check = settings_.checkpoint;
    const std::string name = choiceName(strategyNames(), check.strategy);
    const auto only = [&](const std::string& key, std::initializer_list<StrategyKind> users) {
      if (std::find(users.begin(), users.end(), check.strategy) == users.end()) {
        unused("checkpoint." + key, "checkpoint.strategy", name);
      }
    };
    only("chunk", {Standard, Remote, Hierarchical, Double});
    only("remoteChunk", {Double});
    only("numLocal", {Hierarchical, Revolve, Optimal, Streamed});
    only("literal", {Base, Standard, Remote, Hierarchical, Double});
    if (check.remoteStore == RemoteStore::File && settings_.machine.device == DeviceKind::Ipu) {
      problem("checkpoint.remoteStore",
              "checkpoint.remoteStore = file: an IPU's remote memory is Streaming Memory; only "
              "machine.device = cpu or model can keep it in a file");
    }
    if (check.remoteStore == RemoteStore::Memory) {
      unused("checkpoint.remotePath", "checkpoint.remoteStore", "memory");
    }
    if (check.keepGates == KeepGates::Yes && settings_.machine.device != DeviceKind::Cpu) {
      problem("checkpoint.keepGates",
              "checkpoint.keepGates = true: only machine.device = cpu keeps gates");
    }
    if (check.spikeBlock != 0 && check.strategy == Auto) {
      unused("checkpoint.spikeBlock", "checkpoint.strategy", "auto");
    }
  }

  const Settings& settings_;
  const Origins& origins_;
  const std::string& file_;
  Findings findings_;
};

} // namespace

bool layerUses(const LayerSpec& layer, std::string_view key) {
  const auto isOneOf = [&](std::initializer_list<std::string_view> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  if (isOneOf({"rho", "beta"})) {
    return !layer.isGated() && layer.neuron == NeuronKind::Alif;
  }
  if (isOneOf({"neuron", "recurrent", "alpha", "kappa", "theta", "gradientTheta", "reset",
               "resetGradient", "surrogate", "surrogateWidth", "surrogateScale", "maxActive"})) {
    return !layer.isGated();
  }
  if (isOneOf({"recurrentBias", "keepBias", "zoneout", "dropconnect", "dropout"})) {
    return layer.isGated();
  }
  if (isOneOf({"convention", "thresholdMean", "trainThreshold", "dampening", "pseudoWidth",
               "eventPenalty"})) {
    return layer.kind == LayerKind::Egru;
  }
  return true;
}

Findings crossCheck(const Settings& settings, const Origins& origins, const std::string& file) {
  return Checker(settings, origins, file).check();
}

} // namespace spillway
