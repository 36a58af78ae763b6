#include "reference/Loss.hpp"

#include "reference/Forward.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::reference {

namespace {

// Cross-entropy of one row of logits; adds loss and gradient, both times weight.
void crossEntropyRow(const double* logits, std::size_t numOutputs, std::size_t label, double weight,
                     LossShare& share, double* gradient) {
  const double* largest = std::max_element(logits, logits + numOutputs);
  double sum = 0.0;
  for (std::size_t k = 0; k < numOutputs; ++k) {
    sum += std::exp(logits[k] - *largest);
  }
  share.loss += weight * (std::log(sum) - (logits[label] - *largest));
  for (std::size_t k = 0; k < numOutputs; ++k) {
    const double probability = std::exp(logits[k] - *largest) / sum;
    gradient[k] += weight * (probability - (k == label ? 1.0 : 0.0));
  }
  ++share.numLabels;
  share.numCorrect += static_cast<std::size_t>(largest - logits) == label ? 1 : 0;
}

} // namespace

double lossNormaliser(const NetworkSpec& network, const EventBatch& batch) {
  const auto numValues = network.loss.kind == LossKind::MeanSquared
                             ? static_cast<std::ptrdiff_t>(batch.targets.size())
                             : std::count_if(batch.labels.begin(), batch.labels.end(),
                                             [](auto x) { return x != EventBatch::kNoLabel; });
  return static_cast<double>(numValues);
}

LossShare taskLoss(const NetworkSpec& network, const EventBatch& batch, std::size_t sample,
                   const std::vector<double>& logits) {
  LossShare share;
  share.gradient.resize(logits.size());
  const std::size_t numOutputs = network.readout.numOutputs;
  const double normaliser = lossNormaliser(network, batch);
  // With logits per step, labels and targets are step-major like the events.
  for (std::size_t t = 0; t < logits.size() / numOutputs; ++t) {
    const std::size_t row = t * batch.numSamples + sample;
    const double* logit = logits.data() + t * numOutputs;
    double* gradient = share.gradient.data() + t * numOutputs;
    if (network.loss.kind == LossKind::MeanSquared) {
      for (std::size_t k = 0; k < numOutputs; ++k) {
        const double error = logit[k] - double{batch.targets[row * numOutputs + k]};
        share.loss += error * error / normaliser;
        gradient[k] = 2.0 * error / normaliser;
      }
    } else if (batch.labels[row] != EventBatch::kNoLabel) {
      crossEntropyRow(logit, numOutputs, static_cast<std::size_t>(batch.labels[row]),
                      1.0 / normaliser, share, gradient);
    }
  }
  return share;
}

RateShare rateLoss(const NetworkSpec& network, const EventBatch& batch, const SampleTrace& trace) {
  const RateRegularisation& rate = network.loss.rate;
  const double numSteps = batch.numSteps, numSamples = batch.numSamples;
  RateShare share;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const std::vector<double> count = spikeCounts(trace.layers[l], network.layers[l].size);
    std::vector<double> gradient(count.size());
    for (std::size_t i = 0; i < count.size(); ++i) {
      const double r = count[i] / numSteps;
      const double tooLow = std::max(0.0, rate.lowerRate - r);
      const double tooHigh = std::max(0.0, r - rate.upperRate);
      share.loss += (rate.lower * tooLow * tooLow + rate.upper * tooHigh * tooHigh) / numSamples;
      gradient[i] = 2.0 * (rate.upper * tooHigh - rate.lower * tooLow) / (numSteps * numSamples);
    }
    share.gradient.push_back(std::move(gradient));
  }
  return share;
}

} // namespace spillway::reference
