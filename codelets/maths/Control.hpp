// What the sequencer tells a unit (a spiking layer or the readout) about the block it is to run:
// kControlWords unsigned words per unit. Shared with the host, which lays out the tensors.
#pragma once

namespace spillway {

enum ControlWord : unsigned {
  kFirstStep,   // first step of the block
  kNumSteps,    // 0: nothing to do
  kReadSlot,    // forward: slot of the state before the block, plus 1; 0 is the initial state
                // backward: slot of the state after the first step, plus 1
  kWriteSlot,   // forward: slot of the state after the block's first step (kKeepAll) or last step
  kKeepAll,     // 1: every state is kept, in consecutive slots
  kLight,       // 1: recompute from stored spikes, make none
  kCarryRow,    // forward: the slab row that holds the list of step firstStep - 1
  kListRow,     // the slab row of the list the unit receives for the block's first step
  kGradientRow, // backward: the row of the gradients for the unit's list of the block's first step
  kErrorPlace,  // where what is kept of the step lies: products formed ahead and, backward, errors
                // that wait for the weight gradients
  kAheadSteps,  // for how many steps from this one on products are to be formed ahead; mostly 0
  kErrorCount,  // backward: how many of those that wait are to be added now; 0: not yet
  kHistoryOffset, // added to a history index gives its place in the history kept on chip
  kOpensHistory,  // forward: 1 where the block is the first of a history block, which then also
                  // keeps the list of the step before
  kControlWords
};

// Where the errors of a step wait that has room for those of `room` steps, and how many steps are
// to be added once it has run. With room for one, every step is.
template <class Control>
inline unsigned errorPlace(Control& control, unsigned room) {
  return room == 1 ? 0 : control[kErrorPlace];
}
template <class Control>
inline unsigned errorCount(Control& control, unsigned room) {
  return control[kNumSteps] == 0 ? 0 : (room == 1 ? 1 : control[kErrorCount]);
}

// One action of a schedule as the device reads it.
enum ActionWord : unsigned {
  kActionKind,
  kActionBegin,
  kActionEnd,
  kActionKeepAll,
  kActionSource, // slot plus 1; 0 is the initial state
  kActionSlot,
  kActionRow,
  kActionCount,
  kActionSpikes, // the buffer of the history block of these steps
  kActionWords
};

enum ActionCode : unsigned {
  kForward,
  kLightForward,
  kBackward,
  kWriteRemote,
  kReadRemote,
  kStartRead,  // remote row to the incoming staging buffer
  kFinishRead, // and from there to its slot
  kCopySlot,
  kWriteSpikes, // a history block to Streaming Memory
  kReadSpikes,  // and back
  kLoss,        // between the last forward and the first backward step
  kNextPage,    // the next page of a long table of actions, whose row is kActionRow
  kEnd,         // the schedule is done
  kNumActionCodes
};

// What the vertices that move states read.
enum TransferWord : unsigned {
  kTransferSlot,   // the first slot
  kTransferCount,  // states
  kTransferSource, // of a copy: slot plus 1; 0 is the initial state
  kTransferWords
};

// What the sequencer counts while it runs.
enum CountWord : unsigned {
  kCountForward,
  kCountLight,
  kCountBackward,
  kCountRemoteWrites,
  kCountRemoteReads,
  kCountRemoteWriteOps,
  kCountRemoteReadOps,
  kCountSpikeWrites, // history blocks
  kCountSpikeReads,
  kCountSlots,
  kCountWords
};

} // namespace spillway
