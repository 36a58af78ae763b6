// The learning rate as a function of the update alone.
#pragma once

#include "config/Settings.hpp"

#include <cstdint>

namespace spillway {

// Of update u = 0, 1, ...: linear from peak/warmupSteps to the peak over the warm-up, then
// constant; a half cosine that reaches finalFraction * peak at the last of totalUpdates; or a
// factor decayFactor every decayEpochs epochs.
double learningRate(const LearningRateSettings& settings, std::uint64_t update,
                    std::uint64_t updatesPerEpoch, std::uint64_t totalUpdates);

} // namespace spillway
