#include "network/Validate.hpp"

#include "network/SettingError.hpp"

#include <cmath>
#include <sstream>
#include <string>

namespace spillway {

namespace {

template <typename T>
void require(bool legal, const std::string& name, const T& value, const std::string& range) {
  if (!legal) {
    std::ostringstream message;
    message << name << " = " << value << " is out of range; it must be " << range;
    throw SettingError(name, message.str());
  }
}

void validateCap(const std::string& name, std::uint32_t cap, std::uint32_t size) {
  require(cap <= size, name, cap, "0 (no cap) to " + std::to_string(size));
}

void validateSize(const std::string& name, std::uint32_t size) {
  require(size >= 1 && size <= kMaxIds, name, size, "1 to " + std::to_string(kMaxIds));
}

void validateDecay(const std::string& name, double decay) {
  require(decay >= 0.0 && decay < 1.0, name, decay, "at least 0 and below 1");
}

void validatePositive(const std::string& name, double value) {
  require(std::isfinite(value) && value > 0.0, name, value, "finite and above 0");
}

void validateNotNegative(const std::string& name, double value) {
  require(std::isfinite(value) && value >= 0.0, name, value, "finite and at least 0");
}

void validateLayer(const std::string& prefix, const LayerSpec& layer) {
  validateSize(prefix + "size", layer.size);
  validateDecay(prefix + "alpha", layer.alpha);
  validatePositive(prefix + "kappa", layer.kappa);
  validatePositive(prefix + "theta", layer.theta);
  require(layer.gradientTheta <= layer.theta, prefix + "gradientTheta", layer.gradientTheta,
          "at most theta = " + std::to_string(layer.theta));
  validatePositive(prefix + "surrogateWidth", layer.surrogate.width);
  validatePositive(prefix + "surrogateScale", layer.surrogate.scale);
  if (layer.neuron == NeuronKind::Alif) {
    validateDecay(prefix + "rho", layer.rho);
    validateNotNegative(prefix + "beta", layer.beta);
  }
  validateCap(prefix + "maxActive", layer.maxActive, layer.size);
}

void validateGatedLayer(const std::string& prefix, const LayerSpec& layer) {
  const GatedSpec& gated = layer.gated;
  validateSize(prefix + "size", layer.size);
  require(layer.maxActive == 0, prefix + "maxActive", layer.maxActive,
          "0: a gated layer sends all its events");
  require(layer.bias || gated.keepBias == 0.0, prefix + "keepBias", gated.keepBias,
          "0 where bias is false");
  validateDecay(prefix + "zoneout", gated.zoneout);
  validateDecay(prefix + "dropconnect", gated.dropconnect);
  validateDecay(prefix + "dropout", gated.dropout);
  const bool paper = gated.convention == GatedConvention::Paper;
  require(!paper || layer.kind == LayerKind::Egru, prefix + "convention", "paper",
          "code where kind is gru");
  require(!paper || gated.zoneout == 0.0, prefix + "zoneout", gated.zoneout,
          "0 where convention is paper");
  require(!paper || !gated.recurrentBias, prefix + "recurrentBias", "true",
          "false where convention is paper");
  require(gated.thresholdMean > 0.0 && gated.thresholdMean < 1.0, prefix + "thresholdMean",
          gated.thresholdMean, "above 0 and below 1");
  validatePositive(prefix + "dampening", gated.dampening);
  validatePositive(prefix + "pseudoWidth", gated.pseudoWidth);
  validateNotNegative(prefix + "eventPenalty", gated.eventPenalty);
}

// What spiking layers have and gated ones have not got.
void validateGatedNetwork(const NetworkSpec& network) {
  require(network.readout.kind != ReadoutKind::SpikeCount, "readout.kind", "count",
          "leaky or tied where layers are gated");
  const RateRegularisation& rate = network.loss.rate;
  require(rate.lower == 0.0, "loss.rateLower", rate.lower, "0 where layers are gated");
  require(rate.upper == 0.0, "loss.rateUpper", rate.upper, "0 where layers are gated");
}

void validateLanguage(const NetworkSpec& network) {
  const LanguageSpec& language = network.language;
  require(network.isGated(), "readout.kind", "tied", "leaky or count where layers are spiking");
  require(network.readout.reduction == ReadoutReduction::PerStep, "readout.reduction",
          static_cast<int>(network.readout.reduction), "step where readout.kind is tied");
  require(network.loss.kind == LossKind::CrossEntropy, "loss.kind", "meanSquared",
          "crossEntropy where readout.kind is tied");
  require(network.numInputs == network.layers.back().size, "network.inputs", network.numInputs,
          "the last layer's size " + std::to_string(network.layers.back().size) +
              " where one matrix is embedding and softmax");
  validateCap("maxInputEvents", network.maxInputEvents, 0);
  validateDecay("language.wordDropout", language.wordDropout);
  validateDecay("language.outputDropout", language.outputDropout);
  validateNotNegative("language.activityPenalty", language.activityPenalty);
  validateNotNegative("language.slownessPenalty", language.slownessPenalty);
}

void validateReadout(const NetworkSpec& network) {
  const ReadoutSpec& readout = network.readout;
  validateSize("readout.outputs", readout.numOutputs);
  if (network.readsWords()) {
    validateLanguage(network);
    return;
  }
  if (readout.kind == ReadoutKind::LeakyIntegrator) {
    validateDecay("readout.alpha", readout.alpha);
    validatePositive("readout.kappa", readout.kappa);
    return;
  }
  const std::uint32_t size = network.layers.back().size;
  require(readout.numOutputs == size, "readout.outputs", readout.numOutputs,
          "the last layer's size " + std::to_string(size) + " when spikes are counted");
  require(readout.reduction == ReadoutReduction::Mean, "readout.reduction", "(other)",
          "mean when spikes are counted");
}

} // namespace

void validate(const NetworkSpec& network) {
  validateSize("network.inputs", network.numInputs);
  validateCap("network.maxInputEvents", network.maxInputEvents, network.numInputs);
  require(!network.layers.empty(), "network.layers", "(none)", "sizes such as 256,256 or 3x256");
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const LayerSpec& layer = network.layers[l];
    const std::string prefix = "layer" + std::to_string(l) + ".";
    require(layer.isGated() == network.isGated(), prefix + "kind",
            layer.isGated() ? "egru or gru" : "spiking",
            "of one sort in all layers: spiking, or egru and gru");
    layer.isGated() ? validateGatedLayer(prefix, layer) : validateLayer(prefix, layer);
  }
  if (network.isGated()) {
    validateGatedNetwork(network);
  }
  validateReadout(network);
  const RateRegularisation& rate = network.loss.rate;
  validateNotNegative("loss.rateLower", rate.lower);
  validateNotNegative("loss.rateUpper", rate.upper);
  require(rate.lowerRate >= 0.0 && rate.lowerRate <= 1.0, "loss.rateLowerTarget", rate.lowerRate,
          "0 to 1 spikes per step");
  require(rate.upperRate >= rate.lowerRate && rate.upperRate <= 1.0, "loss.rateUpperTarget",
          rate.upperRate,
          "loss.rateLowerTarget = " + std::to_string(rate.lowerRate) + " to 1 spikes per step");
}

} // namespace spillway
