// The batch that a session takes.
#pragma once

#include "config/Settings.hpp"
#include "data/DataSet.hpp"

#include <span>

namespace spillway {

// Events within the network's cap, and targets instead of labels where the loss is the mean-squared
// error.
EventBatch makeBatch(const Settings& settings, const DataSet& data, Split split,
                     std::span<const std::uint32_t> samples, std::uint64_t pass);

// Whether a batch goes on from where the one before it ended: samples follow one another, and the
// network has a state to carry.
bool carriesState(const Settings& settings, const DataSet& data);

} // namespace spillway
