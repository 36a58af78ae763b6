#include "plan/LiteralStrategies.hpp"

#include "plan/ScheduleBuilder.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

Step ceilDiv(Step a, Step b) {
  return a / b + (a % b != 0);
}
Slot asSlot(Step n) {
  return static_cast<Slot>(n);
}

// Runs the chunk [start, end) again from its checkpoint in slot `source` into the chunk buffer,
// which begins at slot `buffer`, and reverses it.
void reverseChunk(ScheduleBuilder& out, Step start, Step end, Slot source, Slot buffer) {
  out.run(ActionKind::Light, start, end, Keep::All, source, buffer);
  out.backwardOfStates(start + 1, end, buffer);
}

// From checkpoint 0 in slot 0 at state `start`, lays checkpoints into the slots that follow and
// runs on to `end`; then re-runs and reverses chunk by chunk.
void standardFrom(ScheduleBuilder& out, Step start, Step end, Step chunk, Slot buffer,
                  ActionKind first) {
  const Step numChunks = ceilDiv(end - start, chunk);
  for (Step i = 0; i < numChunks; ++i) {
    const bool isLast = i + 1 == numChunks;
    out.run(first, start + i * chunk, isLast ? end : start + (i + 1) * chunk, Keep::Last, asSlot(i),
            isLast ? buffer : asSlot(i) + 1);
  }
  for (Step i = numChunks; i-- > 0;)
    reverseChunk(out, start + i * chunk, std::min(start + (i + 1) * chunk, end), asSlot(i), buffer);
}

// Writes a remote checkpoint every `chunk` steps, the initial state first, and runs on to the end.
void forwardToRemote(ScheduleBuilder& out, Step numSteps, Step chunk) {
  out.copyInitialState(0);
  for (Step i = 0; i < ceilDiv(numSteps, chunk); ++i) {
    out.write(0, i, 1);
    out.run(ActionKind::Forward, i * chunk, std::min((i + 1) * chunk, numSteps), Keep::Last, 0, 0);
  }
}

} // namespace

Schedule literalStandard(Step numSteps, Step chunk) {
  ScheduleBuilder out;
  out.copyInitialState(0);
  standardFrom(out, 0, numSteps, chunk, asSlot(ceilDiv(numSteps, chunk)), ActionKind::Forward);
  return std::move(out).finish(numSteps);
}

Schedule literalRemote(Step numSteps, Step chunk) {
  ScheduleBuilder out;
  forwardToRemote(out, numSteps, chunk);
  for (Step i = ceilDiv(numSteps, chunk); i-- > 0;) {
    out.read(0, i, 1);
    reverseChunk(out, i * chunk, std::min((i + 1) * chunk, numSteps), 0, 1);
  }
  return std::move(out).finish(numSteps);
}

Schedule literalHierarchical(Step numSteps, Step chunk, Step numLocal) {
  const Step numCheckpoints = ceilDiv(numSteps, chunk);
  const Step numRemoteBatches = ceilDiv(numCheckpoints, numLocal) - 1;
  const auto slotOf = [&](Step i) { return asSlot(i % numLocal); };
  // Checkpoint i is the last of a batch that goes to Streaming Memory.
  const auto closesRemoteBatch = [&](Step i) {
    return (i + 1) % numLocal == 0 && i / numLocal < numRemoteBatches;
  };
  const Slot buffer = asSlot(numLocal);
  ScheduleBuilder out;

  out.copyInitialState(0);
  for (Step i = 0; i < numCheckpoints; ++i) {
    if (closesRemoteBatch(i))
      out.write(0, i + 1 - numLocal, numLocal);
    const bool isLast = i + 1 == numCheckpoints;
    out.run(ActionKind::Forward, i * chunk, isLast ? numSteps : (i + 1) * chunk, Keep::Last,
            slotOf(i), isLast ? buffer : slotOf(i + 1));
  }
  for (Step i = numCheckpoints; i-- > 0;) {
    if (closesRemoteBatch(i))
      out.read(0, i + 1 - numLocal, numLocal);
    reverseChunk(out, i * chunk, std::min((i + 1) * chunk, numSteps), slotOf(i), buffer);
  }
  return std::move(out).finish(numSteps);
}

Schedule literalDouble(Step numSteps, Step remoteChunk, Step chunk) {
  const Slot buffer = asSlot(ceilDiv(remoteChunk, chunk));
  ScheduleBuilder out;
  forwardToRemote(out, numSteps, remoteChunk);
  for (Step j = ceilDiv(numSteps, remoteChunk); j-- > 0;) {
    out.read(0, j, 1);
    standardFrom(out, j * remoteChunk, std::min((j + 1) * remoteChunk, numSteps), chunk, buffer,
                 ActionKind::Light);
  }
  return std::move(out).finish(numSteps);
}

} // namespace spillway::plan
