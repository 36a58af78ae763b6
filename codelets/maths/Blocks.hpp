// Which steps each unit runs in a superstep of an action.
//
// Units are the layers in order, then the readout. Forward, unit u works one block behind unit u-1,
// whose spikes it needs; backward it works one block behind unit u+1; light steps need no such
// wait, since all lists are stored. At the end of an action every unit has run every step of it.
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
  unsigned historySteps; // steps of a history block; an action lies within one
};

inline void planForward(const unsigned* cursor, const BlockShape& shape, unsigned block,
                        unsigned* control) {
  const unsigned* action = cursor + kCursorCurrent;
  const unsigned begin = action[kActionBegin];
  const unsigned first = begin + block * shape.blockSteps;
  const bool keepAll = action[kActionKeepAll] != 0;
  const bool light = action[kActionKind] == kLightForward;
  const unsigned slot = action[kActionSlot];
  control[kReadSlot] =
      first == begin ? action[kActionSource] : (keepAll ? slot + (first - begin) : slot + 1);
  control[kWriteSlot] = keepAll ? slot + (first - begin) : slot;
  control[kKeepAll] = keepAll ? 1 : 0;
  control[kLight] = light ? 1 : 0;
  control[kCarryRow] = light ? 0 : (block == 0 ? cursor[kCursorCarryRow] : shape.blockSteps);
}

inline void planBackward(const unsigned* cursor, unsigned first, bool aboveIsActive, bool hasAbove,
                         unsigned* control) {
  const unsigned* action = cursor + kCursorCurrent;
  control[kReadSlot] = action[kActionSlot] + (first - action[kActionBegin]) + 1;
  control[kGradientRow] = !hasAbove || aboveIsActive ? 1 : 0;
}

// Fills the control words of every unit for the cursor's superstep; false when the action is done.
inline bool planBlocks(unsigned* cursor, const BlockShape& shape, unsigned* control) {
  const unsigned* action = cursor + kCursorCurrent;
  const unsigned kind = action[kActionKind];
  const bool backward = kind == kBackward;
  const bool steps = kind == kForward || kind == kLightForward || backward;
  const unsigned length = steps ? action[kActionEnd] - action[kActionBegin] : 0;
  const unsigned numBlocks = (length + shape.blockSteps - 1) / shape.blockSteps;
  const unsigned superstep = cursor[kCursorSuperstep];
  const unsigned historyBegin = action[kActionBegin] / shape.historySteps * shape.historySteps;
  bool any = false;
  bool aboveIsActive = false;
  for (unsigned i = 0; i < shape.numUnits; ++i) {
    const unsigned unit =
        shape.numUnits - 1 - i; // from the top, so that a unit knows the one above
    const unsigned lag = kind == kLightForward ? 0 : (backward ? i : unit);
    unsigned* words = control + unit * kControlWords;
    const bool active = superstep >= lag && superstep - lag < numBlocks;
    words[kNumSteps] = 0;
    if (active) {
      const unsigned block = backward ? numBlocks - 1 - (superstep - lag) : superstep - lag;
      const unsigned first = action[kActionBegin] + block * shape.blockSteps;
      const unsigned left = action[kActionEnd] - first;
      words[kFirstStep] = first;
      words[kNumSteps] = left < shape.blockSteps ? left : shape.blockSteps;
      words[kHistoryOffset] = action[kActionSpikes] * (shape.historySteps + 1) - historyBegin;
      words[kOpensHistory] = first == historyBegin ? 1 : 0;
      if (backward) {
        planBackward(cursor, first, aboveIsActive, i != 0, words);
      } else {
        planForward(cursor, shape, block, words);
      }
      any = true;
    }
    aboveIsActive = active;
  }
  if (kind == kForward && !any && length != 0) {
    cursor[kCursorCarryRow] = length - (numBlocks - 1) * shape.blockSteps;
  }
  return any;
}

} // namespace spillway
