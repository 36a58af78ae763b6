// Batches in HDF5, for those who check us with their own tools: docs/data-formats.md.
#pragma once

#include "data/EventBatch.hpp"
#include "data/Hdf5File.hpp"

namespace spillway {

// batch/ids, batch/counts, batch/numInputs, batch/values where events have them, batch/labels or
// batch/targets, batch/maskKey, and batch/carried where the batch brings states.
void writeBatch(Hdf5Writer& file, const EventBatch& batch, std::uint32_t numOutputs);

// Takes the ids and counts, or else batch/raster [numSteps, numSamples, numInputs], where
// everything but 0 is an event. maxEvents (0: numInputs) is the capacity the batch gets; a row with
// more events is an error. Whether labels, targets and carried states fit a network is for the
// caller to check.
//
// Values::Keep takes the raster's numbers or batch/values (as ids; 1 where there are none) with the
// events; Values::Drop leaves them.
enum class Values { Drop, Keep };
EventBatch readBatch(const Hdf5Reader& file, std::uint32_t maxEvents, Values values = Values::Drop);

} // namespace spillway
