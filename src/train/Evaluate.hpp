// The loss and accuracy of a session on one split of a data set.
#pragma once

#include "config/Settings.hpp"
#include "data/DataSet.hpp"
#include "train/RunningMean.hpp"

#include <span>

namespace spillway {

// The batch the session takes: events within the network's cap, and targets instead of labels where
// the loss is the mean-squared error.
EventBatch makeBatch(const Settings& settings, const DataSet& data, Split split,
                     std::span<const std::uint32_t> samples, std::uint64_t pass);

// Whether a batch goes on from where the one before it ended: samples follow one another, and the
// network has a state to carry.
bool carriesState(const Settings& settings, const DataSet& data);

// Every sample once; the last batch is filled up with kNoSample. Where targets are learnt, a last
// batch that is not full is left out, since a filler's target would count.
RunningMean evaluate(const Settings& settings, TrainingSession& session, const DataSet& data,
                     Split split);

} // namespace spillway
