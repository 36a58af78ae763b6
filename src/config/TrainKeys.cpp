#include "config/Keys.hpp"

namespace spillway {
namespace {

Keys<OptimiserSpec> optimiserKeys() {
  using Spec = OptimiserSpec;
  return {
      choice("kind", &Spec::kind,
             {{"adam", OptimiserKind::Adam},
              {"adamw", OptimiserKind::AdamW},
              {"sgd", OptimiserKind::Sgd}},
             "The rule by which weights follow gradients."),
      real("momentum", &Spec::momentum, Interval::fromBelow(0, 1), "", "Momentum (sgd)."),
      real("beta1", &Spec::beta1, Interval::fromBelow(0, 1), "",
           "Decay of the first moment (adam, adamw)."),
      real("beta2", &Spec::beta2, Interval::fromBelow(0, 1), "",
           "Decay of the second moment (adam, adamw)."),
      real("epsilon", &Spec::epsilon, Interval::above(0), "",
           "Added to the root of the second moment (adam, adamw)."),
      real("weightDecay", &Spec::weightDecay, Interval::atLeast(0), "",
           "Added to the gradient (sgd, adam) or decoupled from it (adamw)."),
      real("clipNorm", &Spec::clipNorm, Interval::atLeast(0), "",
           "Largest norm of the whole gradient: longer ones are scaled down, and one that is not "
           "finite counts as 0. 0: no clipping."),
  };
}

Keys<LearningRateSettings> learningRateKeys() {
  using Rate = LearningRateSettings;
  return {
      real("peak", &Rate::peak, Interval::above(0), "", "The rate after the warm-up."),
      whole("warmupSteps", &Rate::warmupSteps, 0, UINT64_MAX, "updates",
            "Updates during which the rate rises linearly to the peak."),
      choice("decay", &Rate::decay,
             {{"constant", DecayKind::Constant},
              {"cosine", DecayKind::Cosine},
              {"step", DecayKind::Step}},
             "What follows the warm-up."),
      real("finalFraction", &Rate::finalFraction, Interval::between(0, 1), "of the peak",
           "The rate at the last update (cosine)."),
      whole("decayEpochs", &Rate::decayEpochs, 1, 1000000, "epochs",
            "Epochs between two decays (step)."),
      real("decayFactor", &Rate::decayFactor, Interval::between(0, 1), "",
           "What each decay multiplies the rate by (step)."),
  };
}

Keys<TrainSettings> loopKeys() {
  using Train = TrainSettings;
  return {
      whole("epochs", &Train::epochs, 1, 1000000, "epochs", "Passes over the training data."),
      whole("batchSize", &Train::batchSize, 1, 65535, "samples", "Samples per update."),
      whole(
          "microBatch", &Train::microBatch, 0, 65535, "samples",
          "Samples that run at once; it divides batchSize. Gradients of micro-batches are summed "
          "in "
          "an order of their own, so that any number of ranks gets the same weights. 0: the whole "
          "batch."),
      whole("seed", &Train::seed, 0, UINT64_MAX, "",
            "Seed of the initial weights and of the order of the data."),
      text("weights", &Train::weights, "a file",
           "Parameters to begin with, in HDF5: a snapshot, or what `spillway nir import` wrote. "
           "Empty: "
           "drawn from the seed."),
      real("weightScale", &Train::weightScale, Interval::above(0), "",
           "Factor on the initial weights, which are uniform in +-sqrt(6/fan-in)."),
      whole("maxBatches", &Train::maxBatches, 0, UINT32_MAX, "batches",
            "Batches per epoch. 0: all."),
      whole("evaluateEvery", &Train::evaluateEvery, 0, 1000000, "epochs",
            "Epochs between two evaluations on the test data. 0: only at the end."),
      whole("logEvery", &Train::logEvery, 1, UINT32_MAX, "updates",
            "Updates between two records in the metrics files."),
      whole("snapshotEvery", &Train::snapshotEvery, 0, UINT32_MAX, "updates",
            "Updates between two snapshots; the end of an epoch always makes one. 0: only there."),
      whole("keepSnapshots", &Train::keepSnapshots, 1, 1000000, "snapshots",
            "How many of the latest snapshots are kept."),
      flag("tensorboard", &Train::tensorboard, "Also write a TensorBoard event file."),
  };
}

} // namespace

Keys<Settings> trainKeys() {
  Keys<Settings> keys = lift("optimiser.", &Settings::optimiser, optimiserKeys());
  append(keys, lift("learningRate.", &Settings::learningRate, learningRateKeys()));
  append(keys, lift("train.", &Settings::train, loopKeys()));
  return keys;
}

} // namespace spillway
