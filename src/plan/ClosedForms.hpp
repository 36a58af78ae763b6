// What the paper's strategies do, in closed form: docs/checkpointing.md derives each. Equal to
// simulate() of the schedule of the same name, for every T and every parameter.
#pragma once

#include "plan/PaperStrategies.hpp"
#include "plan/ScheduleCounts.hpp"

namespace spillway::plan {

ScheduleCounts baseCounts(Step numSteps);
ScheduleCounts standardCounts(Step numSteps, Step chunk, Form form = Form::Tight);
ScheduleCounts remoteCounts(Step numSteps, Step chunk, Form form = Form::Tight);
ScheduleCounts hierarchicalCounts(Step numSteps, Step chunk, Step numLocal,
                                  Form form = Form::Tight);
ScheduleCounts doubleCounts(Step numSteps, Step remoteChunk, Step chunk, Form form = Form::Tight);

} // namespace spillway::plan
