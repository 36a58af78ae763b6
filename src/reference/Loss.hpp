// Losses of one sample as its share of the batch's loss, with their derivatives.
#pragma once

#include "data/EventBatch.hpp"
#include "network/NetworkSpec.hpp"
#include "reference/Trace.hpp"

#include <cstdint>
#include <vector>

namespace spillway::reference {

struct LossShare {
  double loss = 0.0;            // already divided by the batch's normaliser
  std::vector<double> gradient; // d loss / d logits, of the logits' shape
  std::uint64_t numCorrect = 0, numLabels = 0;
};

// What the batch's task loss is divided by: labels other than kNoLabel, or target values.
double lossNormaliser(const NetworkSpec& network, const EventBatch& batch);

LossShare taskLoss(const NetworkSpec& network, const EventBatch& batch, std::size_t sample,
                   const std::vector<double>& logits);

struct RateShare {
  double loss = 0.0;
  std::vector<std::vector<double>>
      gradient; // [layer][neuron]: d loss / d z[t], the same for every t
};

RateShare rateLoss(const NetworkSpec& network, const EventBatch& batch, const SampleTrace& trace);

} // namespace spillway::reference
