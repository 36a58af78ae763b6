#include "config/Keys.hpp"
#include "config/LayerSizes.hpp"

namespace spillway {
namespace {

Keys<Surrogate> surrogateKeys() {
  return {
      choice("surrogate", &Surrogate::kind,
             {{"superspike", SurrogateKind::Superspike},
              {"triangle", SurrogateKind::Triangle},
              {"box", SurrogateKind::Box},
              {"arctan", SurrogateKind::Arctan}},
             "The function that stands for the derivative of a spike in the backward pass."),
      real("surrogateWidth", &Surrogate::width, Interval::above(0), "units of u",
           "Its width; superspike's beta is 1/width."),
      real("surrogateScale", &Surrogate::scale, Interval::above(0), "",
           "Its height at the threshold."),
  };
}

Keys<GatedSpec> gatedKeys() {
  return {
      choice("convention", &GatedSpec::convention,
             {{"code", GatedConvention::Code}, {"paper", GatedConvention::Paper}},
             "Where the reset gate acts and what an event takes off the state: as in the EGRU "
             "authors' library, or as in their paper (egru)."),
      flag("recurrentBias", &GatedSpec::recurrentBias,
           "A second trainable bias, inside the recurrent product (egru, gru)."),
      real(
          "keepBias", &GatedSpec::keepBias, Interval::between(-20, 20), "",
          "Initial bias of the gate that keeps the state: about exp(keepBias) steps are remembered "
          "at first (egru, gru)."),
      real("zoneout", &GatedSpec::zoneout, Interval::fromBelow(0, 1), "",
           "Probability that a unit keeps its state in a training step (egru, gru)."),
      real("dropconnect", &GatedSpec::dropconnect, Interval::fromBelow(0, 1), "",
           "Probability that a recurrent weight is left out of a training batch (egru, gru)."),
      real("dropout", &GatedSpec::dropout, Interval::fromBelow(0, 1), "",
           "Probability that a value the layer receives is left out of a sample, at all steps of a "
           "training batch (egru, gru)."),
      real("thresholdMean", &GatedSpec::thresholdMean, Interval::inside(0, 1), "units of c",
           "Mean of the initial thresholds (egru)."),
      flag("trainThreshold", &GatedSpec::trainThreshold,
           "Thresholds are trained, else they stay as drawn (egru)."),
      real("dampening", &GatedSpec::dampening, Interval::above(0), "",
           "Height of the pseudo-derivative of an event at the threshold (egru)."),
      real("pseudoWidth", &GatedSpec::pseudoWidth, Interval::above(0), "units of c",
           "Its half-width: units further from their threshold need no backward products (egru)."),
      real("eventPenalty", &GatedSpec::eventPenalty, Interval::atLeast(0), "",
           "Factor of the mean share of the layer's units that fire, added to the loss in training "
           "(egru)."),
  };
}

// "48" ids, or "5%" of the layer's size (at least one).
Key<LayerSpec> maxActiveKey() {
  return {"maxActive",
          "ids or %",
          "0 to the layer's size, or such as 5%",
          "Most active neurons kept per sample and step; the rest is dropped and counted. 0: all.",
          [](LayerSpec& layer, std::string_view text) {
            if (!text.ends_with('%')) {
              layer.maxActive = static_cast<std::uint32_t>(parseWhole(text, 0, UINT32_MAX));
              return;
            }
            const double percent = parseReal(text.substr(0, text.size() - 1));
            if (!(percent > 0.0 && percent <= 100.0)) {
              throw std::invalid_argument("must be above 0% and at most 100%");
            }
            const auto share = static_cast<std::uint32_t>(percent / 100.0 * layer.size);
            layer.maxActive = std::max<std::uint32_t>(share, 1);
          },
          [](const LayerSpec& layer) { return std::to_string(layer.maxActive); }};
}

Keys<LayerSpec> makeLayerKeys() {
  Keys<LayerSpec> keys{
      choice(
          "kind", &LayerSpec::kind,
          {{"spiking", LayerKind::Spiking}, {"egru", LayerKind::Egru}, {"gru", LayerKind::Gru}},
          "Spiking neurons, event-based gated recurrent units, or dense ones; see docs/egru.md."),
      choice("neuron", &LayerSpec::neuron, {{"lif", NeuronKind::Lif}, {"alif", NeuronKind::Alif}},
             "Leaky integrate-and-fire, or the same with an adaptive threshold."),
      flag("recurrent", &LayerSpec::recurrent,
           "The layer also receives its own spikes of the step before."),
      flag("bias", &LayerSpec::bias, "A trainable bias per neuron."),
      real("alpha", &LayerSpec::alpha, Interval::fromBelow(0, 1), "per step",
           "Membrane decay: exp(-step length / time constant)."),
      real("kappa", &LayerSpec::kappa, Interval::above(0), "", "Input gain."),
      real("theta", &LayerSpec::theta, Interval::above(0), "units of u", "Threshold at rest."),
      real("gradientTheta", &LayerSpec::gradientTheta, Interval::anyOrMinusInfinity(), "units of u",
           "Silent neurons above this receive a gradient too; at most theta. -inf: all do."),
      choice("reset", &LayerSpec::reset,
             {{"zero", ResetMode::ToZero}, {"subtract", ResetMode::Subtract}},
             "What a spike does to the membrane: set it to zero, or subtract the threshold."),
      choice("resetGradient", &LayerSpec::resetGradient,
             {{"pass", ResetGradient::Pass}, {"gate", ResetGradient::Gate}},
             "Gradient through a reset: passed on, or stopped where the neuron spiked."),
  };
  append(keys, lift("", &LayerSpec::surrogate, surrogateKeys()));
  append(keys, {real("rho", &LayerSpec::rho, Interval::fromBelow(0, 1), "per step",
                     "Decay of the adaptation (alif)."),
                real("beta", &LayerSpec::beta, Interval::atLeast(0), "units of u",
                     "Strength of the adaptation (alif)."),
                maxActiveKey()});
  append(keys, lift("", &LayerSpec::gated, gatedKeys()));
  return keys;
}

Key<NetworkSpec> layersKey() {
  return {"layers",
          "neurons",
          "such as 256,256,128 or 3x256",
          "Sizes of the layers, from the input to the readout; NxS is N layers of size S.",
          [](NetworkSpec& network, std::string_view text) {
            network.layers.clear();
            for (const std::uint32_t size : parseLayerSizes(text)) {
              network.layers.emplace_back().size = size;
            }
          },
          [](const NetworkSpec& network) { return formatLayerSizes(network); }};
}

Keys<ReadoutSpec> readoutKeys() {
  return {
      choice("kind", &ReadoutSpec::kind,
             {{"leaky", ReadoutKind::LeakyIntegrator},
              {"count", ReadoutKind::SpikeCount},
              {"tied", ReadoutKind::TiedSoftmax}},
             "A layer of leaky integrators with weights of its own, the last layer's spike "
             "counts, or a softmax over words whose weights also embed them; see "
             "docs/language.md."),
      choice("reduction", &ReadoutSpec::reduction,
             {{"mean", ReadoutReduction::Mean},
              {"max", ReadoutReduction::Max},
              {"last", ReadoutReduction::Last},
              {"step", ReadoutReduction::PerStep}},
             "What the loss sees of the integrators: their mean, maximum or last value over the "
             "steps, or every step with a label of its own (leaky; tied takes step)."),
      whole("outputs", &ReadoutSpec::numOutputs, 0, 65535, "",
            "Number of outputs. 0: as the data set has classes."),
      flag("bias", &ReadoutSpec::bias, "A trainable bias per output (leaky, tied)."),
      real("alpha", &ReadoutSpec::alpha, Interval::fromBelow(0, 1), "per step",
           "Decay of the integrators (leaky)."),
      real("kappa", &ReadoutSpec::kappa, Interval::above(0), "", "Input gain (leaky)."),
  };
}

Keys<LanguageSpec> languageKeys() {
  return {
      real("wordDropout", &LanguageSpec::wordDropout, Interval::fromBelow(0, 1), "",
           "Probability that a word's embedding is left out of a training batch."),
      real("outputDropout", &LanguageSpec::outputDropout, Interval::fromBelow(0, 1), "",
           "Probability that the softmax does not receive a unit of a sample, at all steps of a "
           "training batch."),
      real("activityPenalty", &LanguageSpec::activityPenalty, Interval::atLeast(0), "",
           "Factor of the mean square of what the softmax receives, added to the loss."),
      real("slownessPenalty", &LanguageSpec::slownessPenalty, Interval::atLeast(0), "",
           "Factor of the mean square of its change from step to step, added to the loss."),
  };
}

Keys<RateRegularisation> rateKeys() {
  return {
      real("rateLower", &RateRegularisation::lower, Interval::atLeast(0), "",
           "Strength of the penalty on neurons that fire too little. 0: off."),
      real("rateLowerTarget", &RateRegularisation::lowerRate, Interval::between(0, 1),
           "spikes per step", "Rate below which it acts."),
      real("rateUpper", &RateRegularisation::upper, Interval::atLeast(0), "",
           "Strength of the penalty on neurons that fire too much. 0: off."),
      real("rateUpperTarget", &RateRegularisation::upperRate, Interval::between(0, 1),
           "spikes per step", "Rate above which it acts."),
  };
}

} // namespace

const Keys<LayerSpec>& layerKeys() {
  static const Keys<LayerSpec> keys = makeLayerKeys();
  return keys;
}

Keys<Settings> networkKeys() {
  Keys<NetworkSpec> keys{
      layersKey(),
      whole("inputs", &NetworkSpec::numInputs, 0, 65535, "",
            "Number of inputs. 0: as the data set has."),
      whole("maxInputEvents", &NetworkSpec::maxInputEvents, 0, 65535, "ids",
            "Most input events kept per sample and step; the rest is dropped and counted. 0: all."),
  };
  Keys<LossSpec> loss{
      choice("kind", &LossSpec::kind,
             {{"crossEntropy", LossKind::CrossEntropy}, {"meanSquared", LossKind::MeanSquared}},
             "Softmax cross-entropy on classes, or mean-squared error on targets.")};
  append(loss, lift("", &LossSpec::rate, rateKeys()));
  Keys<Settings> all = lift("network.", &Settings::network, keys);
  append(all, lift("readout.", &Settings::network, lift("", &NetworkSpec::readout, readoutKeys())));
  append(all, lift("loss.", &Settings::network, lift("", &NetworkSpec::loss, loss)));
  append(all,
         lift("language.", &Settings::network, lift("", &NetworkSpec::language, languageKeys())));
  return all;
}

} // namespace spillway
