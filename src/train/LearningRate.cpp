#include "train/LearningRate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace spillway {

double learningRate(const LearningRateSettings& settings, std::uint64_t update,
                    std::uint64_t updatesPerEpoch, std::uint64_t totalUpdates) {
  if (update < settings.warmupSteps) {
    return settings.peak * static_cast<double>(update + 1) /
           static_cast<double>(settings.warmupSteps);
  }
  switch (settings.decay) {
  case DecayKind::Constant:
    return settings.peak;
  case DecayKind::Cosine: {
    const std::uint64_t last = std::max(totalUpdates, settings.warmupSteps + 2) - 1;
    const double progress = std::min(1.0, static_cast<double>(update - settings.warmupSteps) /
                                              static_cast<double>(last - settings.warmupSteps));
    const double fraction = 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
    return settings.peak * (settings.finalFraction + (1.0 - settings.finalFraction) * fraction);
  }
  case DecayKind::Step: {
    const std::uint64_t epoch = update / std::max<std::uint64_t>(updatesPerEpoch, 1);
    const auto decays = static_cast<double>(epoch / settings.decayEpochs);
    return settings.peak * std::pow(settings.decayFactor, decays);
  }
  }
  return settings.peak;
}

} // namespace spillway
