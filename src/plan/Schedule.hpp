// A schedule: what one training step does to the chain of states, as an explicit list of actions.
//
// Step t (0-based) turns state t into state t+1; state 0 is the initial state, always at hand and
// in no slot. The backward of step t needs state t+1 in a local slot, and leaves that slot free. A
// local slot holds one state; the state being computed is itself in a slot, so that a step either
// overwrites its source or leaves it behind as a checkpoint.
#pragma once

#include <cstdint>
#include <vector>

namespace spillway::plan {

using Step = std::uint32_t;
using Slot = std::int32_t; // kInitialState or a local slot 0 ..
inline constexpr Slot kInitialState = -1;

enum class ActionKind : std::uint8_t {
  Forward,     // first execution: makes spikes and stores them
  Light,       // recomputation: reads the stored spikes, makes none
  Backward,    // steps end-1 down to begin
  Copy,        // the state of slot `source` (or the initial state) into `slot`
  WriteRemote, // local slots to Streaming Memory rows; compute waits
  ReadRemote,  // and back
  // Overlapped transfers, one state each, through one outgoing and one incoming staging buffer. One
  // channel serves them in the order they are started.
  StartWrite, // `slot` to the outgoing buffer (waits until that is free), which then goes to `row`
  StartRead,  // `row` on its way to the incoming buffer, which must be empty
  FinishRead, // waits for `row`, started last, and moves it from the incoming buffer to `slot`
  // Spilled spike history: block `row` (steps row * spikeBlock ..) between spike buffer `slot` and
  // Streaming Memory; compute waits.
  WriteSpikes,
  ReadSpikes
};

// Whether every state of a range is kept (in consecutive slots) or only the last.
enum class Keep : std::uint8_t { Last, All };

struct Action {
  ActionKind kind = ActionKind::Forward;
  Step begin = 0, end = 0;     // Forward, Light, Backward: the steps [begin, end), begin < end
  Keep keep = Keep::Last;      // Forward, Light
  Slot source = kInitialState; // Forward, Light: the slot of state `begin`; Copy: what is copied
  // Forward, Light: the slot of state `end` (Last), or of state begin+1, the others following (All;
  // `source` is then outside the slots written, or the first of them).
  // Backward: the slot of state begin+1, the others following. Copy, FinishRead: where to.
  // WriteRemote, ReadRemote: the first slot. StartWrite: the slot. StartRead: not used.
  Slot slot = 0;
  std::uint32_t row = 0;   // transfers: the first row
  std::uint32_t count = 0; // transfers: how many states, in one operation
  // Forward, Light, Backward: the buffer that holds the block of spikes of these steps (a range
  // lies in one block); 0 if the history is not spilled.
  std::uint32_t spikes = 0;

  friend bool operator==(const Action&, const Action&) = default;
};

struct Schedule {
  Step numSteps = 0;
  std::uint32_t numSlots = 0;   // local slots, counting the state in work
  std::uint32_t numRows = 0;    // Streaming Memory rows
  std::uint32_t numStaging = 0; // staging buffers per direction: 1 if transfers overlap, else 0
  // Spilled spike history: steps per block and blocks held at once. 0: the history of all T steps
  // stays on chip. A block holds all that its steps read, that is also the spikes of the step
  // before its first.
  Step spikeBlock = 0;
  std::uint32_t numSpikeBuffers = 0;
  // Forward keeps the surrogate's value beside every stored id. Backward then needs no state, and
  // its slot is kInitialState.
  bool cachesSurrogate = false;
  std::vector<Action> actions;

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

} // namespace spillway::plan
