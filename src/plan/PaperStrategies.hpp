// The five strategies of the checkpointing paper as makers of schedules, each in two forms.
//
// Tight: the initial state costs no slot; a stored boundary serves its own backward, so a chunk of
// k states re-runs k-1 steps; what the first pass left in place at the end is used as it is.
// Literal: as the paper's equations count: the initial state is a checkpoint, every chunk is re-run
// whole, every remote checkpoint is written and read. Counts of both: plan/ClosedForms.hpp.
//
// REQUIRES of all: T >= 1, chunk >= 1, remoteChunk >= 1, numLocal >= 1, else UserError.
// None need divide another; a chunk longer than what it divides is cut to it.
#pragma once

#include "plan/Schedule.hpp"

namespace spillway::plan {

enum class Form { Tight, Literal };

// Every state kept: T slots, nothing recomputed.
Schedule base(Step numSteps);

// Not of the paper: no state kept. The sparse backward pass reads the state at the stored ids
// alone, so the surrogate's values are kept beside those. One slot, nothing recomputed;
// surrogateCacheIsExact() says where.
Schedule surrogateCached(Step numSteps);

// A checkpoint every `chunk` steps, on chip.
Schedule standard(Step numSteps, Step chunk, Form form = Form::Tight);

// A checkpoint every `chunk` steps, in Streaming Memory.
Schedule remote(Step numSteps, Step chunk, Form form = Form::Tight);

// As remote, moving `numLocal` checkpoints in one transfer; the last batch stays on chip.
Schedule hierarchical(Step numSteps, Step chunk, Step numLocal, Form form = Form::Tight);

// A remote checkpoint every `remoteChunk` steps; between two of them standard(chunk).
Schedule doubleCheckpointing(Step numSteps, Step remoteChunk, Step chunk, Form form = Form::Tight);

} // namespace spillway::plan
