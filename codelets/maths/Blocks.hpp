// Which steps each unit runs in a superstep of an action.
//
// Units are the layers in order, then the readout. Spikes arrive a step after they were made. So in
// blocks of one step all units run the same step; with longer ones unit u works, forward, one block
// behind unit u-1, whose spikes it needs, and backward one block behind unit u+1. Light steps need
// no such wait, since all lists are stored, and have a block length of their own. Where units see
// what the one below sends in the same step (gated layers), they follow one another by a step. At
// the end of an action every unit has run every step of it.
#pragma once

#include "maths/Control.hpp"

namespace spillway {

enum CursorWord : unsigned {
  kCursorAction,    // index of the next action
  kCursorSuperstep, // within the current action
  kCursorCarryRow,  // the slab row of the last list made by the forward pass so far; 0 before the
                    // first
  kCursorCurrent,   // the current action, kActionWords
  kCursorWords = kCursorCurrent + kActionWords
};

struct BlockShape {
  unsigned numUnits;
  unsigned blockSteps;
  unsigned lightSteps;   // likewise of light steps
  unsigned historySteps; // steps of a history block; an action lies within one
  unsigned errorSteps;   // whose errors wait for the weight gradients
  bool sameStep; // lists are received in the step they are made in; blocks are one step long
};

// done, left: steps of the action before this one and from it on, in the order in which they run.
inline void keepTogether(const BlockShape& shape, unsigned done, unsigned left, unsigned* control) {
  const unsigned place = done % shape.errorSteps;
  control[kErrorPlace] = place;
  control[kAheadSteps] = place != 0 ? 0 : (left < shape.errorSteps ? left : shape.errorSteps);
}

inline void planForward(const unsigned* cursor, const BlockShape& shape, unsigned first,
                        bool isFirstUnit, unsigned* control) {
  const unsigned* action = cursor + kCursorCurrent;
  const unsigned begin = action[kActionBegin];
  const bool keepAll = action[kActionKeepAll] != 0;
  const bool light = action[kActionKind] == kLightForward;
  const unsigned slot = action[kActionSlot];
  control[kReadSlot] =
      first == begin ? action[kActionSource] : (keepAll ? slot + (first - begin) : slot + 1);
  control[kWriteSlot] = keepAll ? slot + (first - begin) : slot;
  control[kKeepAll] = keepAll ? 1 : 0;
  control[kLight] = light ? 1 : 0;
  control[kCarryRow] = light ? 0 : (first == begin ? cursor[kCursorCarryRow] : shape.blockSteps);
  // The unit below has not moved the list of the step before to row 0 yet where it runs the same
  // step.
  control[kListRow] = shape.blockSteps == 1 && !isFirstUnit ? control[kCarryRow] : 0;
  if (shape.sameStep) {
    control[kListRow] = isFirstUnit ? 0 : 1;
  }
  keepTogether(shape, first - begin, action[kActionEnd] - first, control);
}

// Of what the unit above sends for a block's steps. Where both run together, what it sent for its
// step before is still in the first row.
constexpr unsigned firstGradientRow(unsigned blockSteps) {
  return blockSteps == 1 ? 0 : 1;
}

inline void planBackward(const unsigned* cursor, const BlockShape& shape, unsigned first,
                         bool isFirstUnit, unsigned* control) {
  const unsigned* action = cursor + kCursorCurrent;
  control[kReadSlot] = action[kActionSlot] + (first - action[kActionBegin]) + 1;
  control[kListRow] = shape.sameStep && !isFirstUnit ? 1 : 0;
  control[kGradientRow] = firstGradientRow(shape.blockSteps);
  // None wait beyond an action: the next one may be of steps before or after.
  keepTogether(shape, action[kActionEnd] - 1 - first, first - action[kActionBegin] + 1, control);
  const bool last = control[kErrorPlace] + 1 == shape.errorSteps || first == action[kActionBegin];
  control[kErrorCount] = last ? control[kErrorPlace] + 1 : 0;
}

// Fills the control words of every unit for the cursor's superstep; false when the action is done.
inline bool planBlocks(unsigned* cursor, const BlockShape& shape, unsigned* control) {
  const unsigned* action = cursor + kCursorCurrent;
  const unsigned kind = action[kActionKind];
  const bool backward = kind == kBackward;
  const bool steps = kind == kForward || kind == kLightForward || backward;
  const unsigned length = steps ? action[kActionEnd] - action[kActionBegin] : 0;
  const unsigned blockSteps = kind == kLightForward ? shape.lightSteps : shape.blockSteps;
  const unsigned numBlocks = steps ? (length + blockSteps - 1) / blockSteps : 0;
  const unsigned superstep = cursor[kCursorSuperstep];
  const unsigned historyBegin = action[kActionBegin] / shape.historySteps * shape.historySteps;
  const bool together = kind == kLightForward || (shape.blockSteps == 1 && !shape.sameStep);
  bool any = false;
  for (unsigned unit = 0; unit < shape.numUnits; ++unit) {
    const unsigned lag = together ? 0 : (backward ? shape.numUnits - 1 - unit : unit);
    unsigned* words = control + unit * kControlWords;
    const bool active = superstep >= lag && superstep - lag < numBlocks;
    words[kNumSteps] = 0;
    if (active) {
      const unsigned block = backward ? numBlocks - 1 - (superstep - lag) : superstep - lag;
      const unsigned first = action[kActionBegin] + block * blockSteps;
      const unsigned left = action[kActionEnd] - first;
      words[kFirstStep] = first;
      words[kNumSteps] = left < blockSteps ? left : blockSteps;
      words[kHistoryOffset] = action[kActionSpikes] * (shape.historySteps + 1) - historyBegin;
      words[kOpensHistory] = first == historyBegin ? 1 : 0;
      if (backward) {
        planBackward(cursor, shape, first, unit == 0, words);
      } else {
        planForward(cursor, shape, first, unit == 0, words);
      }
      any = true;
    }
  }
  if (kind == kForward && !any && length != 0) {
    cursor[kCursorCarryRow] = length - (numBlocks - 1) * shape.blockSteps;
  }
  return any;
}

} // namespace spillway
