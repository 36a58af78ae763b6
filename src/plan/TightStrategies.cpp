#include "plan/LiteralStrategies.hpp"
#include "plan/PaperStrategies.hpp"
#include "plan/Require.hpp"
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

// Reverses the n states after state `base`, which sits in slot `baseSlot` and stays there.
// Checkpoint i takes slot baseSlot+i and the chunk after it the slots from there on: the slots are
// a stack, so every chunk is one run and, with its checkpoint, one backward range. `first` is the
// kind of the pass that lays the checkpoints.
void standardFrom(ScheduleBuilder& out, Step base, Slot baseSlot, Step n, Step chunk,
                  ActionKind first) {
  if (n == 0)
    return;
  const Step numChunks = ceilDiv(n, chunk);
  const Step lastChunk = numChunks - 1;
  for (Step i = 0; i < lastChunk; ++i)
    out.run(first, base + i * chunk, base + (i + 1) * chunk, Keep::Last, baseSlot + asSlot(i),
            baseSlot + asSlot(i) + 1);
  out.run(first, base + lastChunk * chunk, base + n, Keep::All, baseSlot + asSlot(lastChunk),
          baseSlot + asSlot(lastChunk) + 1);
  for (Step i = numChunks; i-- > 0;) {
    const Step start = base + i * chunk;
    const Slot slot = baseSlot + asSlot(i);
    const Step last = i == lastChunk ? base + n : start + chunk - 1;
    if (i != lastChunk)
      out.run(ActionKind::Light, start, last, Keep::All, slot, slot + 1);
    out.backwardOfStates(start + 1, last, slot + 1);
    if (i > 0)
      out.backwardOfStates(start, start, slot);
  }
}

Schedule tightHierarchical(Step numSteps, Step chunk, Step numLocal) {
  const Step numCheckpoints = ceilDiv(numSteps, chunk) - 1;
  const Step numBatches = ceilDiv(numCheckpoints, numLocal);
  const auto isRemote = [&](Step i) { return (i - 1) / numLocal + 1 < numBatches; };
  // Checkpoint i = 1, 2, ... is state i*chunk; checkpoint 0 is the initial state.
  const auto slotOf = [&](Step i) { return i == 0 ? kInitialState : asSlot((i - 1) % numLocal); };
  ScheduleBuilder out;

  for (Step i = 1; i <= numCheckpoints; ++i) {
    out.run(ActionKind::Forward, (i - 1) * chunk, i * chunk, Keep::Last, slotOf(i - 1), slotOf(i));
    if (i % numLocal == 0 && isRemote(i))
      out.write(0, i - numLocal, numLocal);
  }
  const Slot tail = slotOf(numCheckpoints);
  out.run(ActionKind::Forward, numCheckpoints * chunk, numSteps, Keep::All, tail, tail + 1);

  for (Step i = numCheckpoints + 1; i-- > 0;) {
    const Step start = i * chunk;
    const Step last = i == numCheckpoints ? numSteps : start + chunk - 1;
    const Slot slot = slotOf(i);
    if (i != numCheckpoints) {
      if (i > 0 && i % numLocal == 0 && isRemote(i))
        out.read(0, i - numLocal, numLocal);
      out.run(ActionKind::Light, start, last, Keep::All, slot, slot + 1);
    }
    out.backwardOfStates(start + 1, last, slot + 1);
    if (i > 0)
      out.backwardOfStates(start, start, slot);
  }
  return std::move(out).finish(numSteps);
}

Schedule tightDouble(Step numSteps, Step remoteChunk, Step chunk) {
  const Step numSegments = ceilDiv(numSteps, remoteChunk);
  const Step lastSegment = numSegments - 1;
  const auto slotOf = [](Step segment) { return segment == 0 ? kInitialState : Slot{0}; };
  ScheduleBuilder out;

  for (Step j = 1; j <= lastSegment; ++j) {
    out.run(ActionKind::Forward, (j - 1) * remoteChunk, j * remoteChunk, Keep::Last, slotOf(j - 1),
            0);
    if (j < lastSegment)
      out.write(0, j - 1, 1);
  }
  for (Step j = numSegments; j-- > 0;) {
    const Step start = j * remoteChunk;
    const Step length = j == lastSegment ? numSteps - start : remoteChunk - 1;
    if (j > 0 && j < lastSegment)
      out.read(0, j - 1, 1);
    standardFrom(out, start, slotOf(j), length, chunk,
                 j == lastSegment ? ActionKind::Forward : ActionKind::Light);
    if (j > 0)
      out.backwardOfStates(start, start, 0);
  }
  return std::move(out).finish(numSteps);
}

} // namespace

Schedule base(Step numSteps) {
  return standard(numSteps, numSteps);
}

Schedule surrogateCached(Step numSteps) {
  requireAtLeastOne("T", numSteps);
  ScheduleBuilder out;
  out.run(ActionKind::Forward, 0, numSteps, Keep::Last, kInitialState, 0);
  Schedule schedule = std::move(out).finish(numSteps);
  Action backward;
  backward.kind = ActionKind::Backward;
  backward.end = numSteps;
  backward.slot = kInitialState;
  schedule.actions.push_back(backward);
  schedule.cachesSurrogate = true;
  return schedule;
}

Schedule standard(Step numSteps, Step chunk, Form form) {
  requireAtLeastOne("T", numSteps);
  requireAtLeastOne("chunk", chunk);
  chunk = std::min(chunk, numSteps);
  if (form == Form::Literal)
    return literalStandard(numSteps, chunk);
  ScheduleBuilder out;
  standardFrom(out, 0, kInitialState, numSteps, chunk, ActionKind::Forward);
  return std::move(out).finish(numSteps);
}

Schedule remote(Step numSteps, Step chunk, Form form) {
  requireAtLeastOne("T", numSteps);
  requireAtLeastOne("chunk", chunk);
  chunk = std::min(chunk, numSteps);
  return form == Form::Literal ? literalRemote(numSteps, chunk)
                               : tightHierarchical(numSteps, chunk, 1);
}

Schedule hierarchical(Step numSteps, Step chunk, Step numLocal, Form form) {
  requireAtLeastOne("T", numSteps);
  requireAtLeastOne("chunk", chunk);
  requireAtLeastOne("numLocal", numLocal);
  chunk = std::min(chunk, numSteps);
  numLocal = std::min(numLocal, ceilDiv(numSteps, chunk));
  return form == Form::Literal ? literalHierarchical(numSteps, chunk, numLocal)
                               : tightHierarchical(numSteps, chunk, numLocal);
}

Schedule doubleCheckpointing(Step numSteps, Step remoteChunk, Step chunk, Form form) {
  requireAtLeastOne("T", numSteps);
  requireAtLeastOne("remoteChunk", remoteChunk);
  requireAtLeastOne("chunk", chunk);
  remoteChunk = std::min(remoteChunk, numSteps);
  chunk = std::min(chunk, remoteChunk);
  return form == Form::Literal ? literalDouble(numSteps, remoteChunk, chunk)
                               : tightDouble(numSteps, remoteChunk, chunk);
}

} // namespace spillway::plan
