// What `spillway check` found, as HDF5: docs/data-formats.md.
#pragma once

#include "cli/CheckFiles.hpp"
#include "reference/Reference.hpp"
#include "train/TrainingSession.hpp"

#include <optional>
#include <string>

namespace spillway {

struct CheckOutcome {
  BatchResult result;
  ParameterSet gradients;
  ScheduleCounts counts;
  std::optional<DeviceTrace> trace;                    // where the schedule keeps every state
  std::optional<reference::ReferenceResult> reference; // where it was run
};

// The configuration, parameters and batch as they were used; the device's loss, gradients, spikes,
// states and counts; the reference's below reference/. The file that was read may be the one
// written.
void writeDump(const std::string& path, const CheckCase& task, const CheckOutcome& outcome);

} // namespace spillway
