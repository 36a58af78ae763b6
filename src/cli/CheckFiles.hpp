// What `spillway check` reads and writes: docs/data-formats.md.
#pragma once

#include "config/Settings.hpp"
#include "data/EventBatch.hpp"
#include "network/Parameters.hpp"
#include "reference/Reference.hpp"
#include "train/TrainingSession.hpp"

#include <optional>
#include <string>

namespace spillway {

struct CheckCase {
  Settings settings; // network, steps and batch size as the files have them
  ParameterSet parameters;
  EventBatch batch;
};

// Empty file names: the parameters training begins with; the first samples of the training data.
// Throws UserError where files, data and network do not fit one another.
CheckCase makeCheckCase(Settings settings, const std::string& weightsFile,
                        const std::string& batchFile);

// loss, numCorrect, numLabels, gradients/..., parameters and batch as they were used, counts/... of
// the schedule; of the reference reference/loss, reference/gradients/..., reference/layerL/u
// [steps, samples, size], reference/layerL/spikes (the same shape, 0 or 1) and reference/logits
// [samples, outputs], or [samples, steps, outputs]. The file that is read may be the one written.
void writeDump(const std::string& file, const CheckCase& task, const BatchResult& result,
               const ParameterSet& gradients, const ScheduleCounts& counts,
               const std::optional<reference::ReferenceResult>& expected);

} // namespace spillway
