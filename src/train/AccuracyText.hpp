// What a person is told of a mean over batches, beside its loss.
#pragma once

#include "train/RunningMean.hpp"

#include <string>

namespace spillway {

// "accuracy 97.50 %" behind `before`; nothing where there are no classes.
std::string accuracyText(const RunningMean& mean, const std::string& before);

} // namespace spillway
