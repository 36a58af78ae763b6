// summary.json: how a run ended. A run that has one for its last update is finished.
#pragma once

#include "config/Settings.hpp"
#include "train/RunFolder.hpp"
#include "train/Snapshot.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace spillway {

// REQUIRES: `end` is where the run stands after its last epoch, evaluated, its totals up to date.
void writeSummary(const RunFolder& folder, const Settings& settings, const Snapshot& end,
                  unsigned numRanks, const std::string& deviceName); // throws IoError

// The updates after which the run ended by its summary; nothing where there is none that is whole.
std::optional<std::uint64_t> summarisedUpdates(const RunFolder& folder);

// For a run that goes on. Throws IoError.
void removeSummary(const RunFolder& folder);

} // namespace spillway
