// The literal forms of plan/PaperStrategies.hpp.
// REQUIRES of all: 1 <= chunk <= remoteChunk <= T, 1 <= numLocal <= number of chunks.
#pragma once

#include "plan/Schedule.hpp"

namespace spillway::plan {

Schedule literalStandard(Step numSteps, Step chunk);
Schedule literalRemote(Step numSteps, Step chunk);
Schedule literalHierarchical(Step numSteps, Step chunk, Step numLocal);
Schedule literalDouble(Step numSteps, Step remoteChunk, Step chunk);

} // namespace spillway::plan
