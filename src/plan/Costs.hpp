// What the actions of a schedule cost. Any unit of time (cycles, seconds, full forward steps).
#pragma once

namespace spillway::plan {

struct Costs {
  double forward = 1.0;  // one full step
  double light = 0.1;    // one light step
  double backward = 2.0; // one backward step
  // A transfer of m states in one operation: latency + m * perState.
  double writePerState = 0.0, writeLatency = 0.0;
  double readPerState = 0.0, readLatency = 0.0;
  // What compute itself spends on an overlapped transfer: a state to the outgoing buffer, and from
  // the incoming one.
  double stageOut = 0.0, stageIn = 0.0;
  // The next overlapped transfer is started, and compute goes on, when the one before is done: IO
  // tiles hear of it only then. Else transfers wait for one another on the channel.
  bool meetsTransfers = false;
  bool waitsForTransfers = false; // compute waits for every transfer, overlapped or not
  // One block of a spilled spike history.
  double spikeWrite = 0.0, spikeRead = 0.0;
  double perAction = 0.0;  // fixed cost of starting any action: table read, sync, launch
  double actionPage = 0.0; // reading a page of a table of actions that is longer than one

  // Steps run in blocks, each layer of a stack one block after the layer below. What a block costs
  // however few its steps, a part of f or b where it is full; and what filling and draining the
  // layers adds to every range.
  double blockSteps = 1.0;
  double forwardBlock = 0.0, backwardBlock = 0.0;
  double forwardFill = 0.0, backwardFill = 0.0;

  double write() const { return writePerState + writeLatency; }
  double read() const { return readPerState + readLatency; }
};

// Where the time of one training step goes. The parts add up to `total`.
struct TimeSplit {
  double forward = 0.0, backward = 0.0, recompute = 0.0;
  double transfer = 0.0; // transfers that compute waits for, spikes included
  double sync = 0.0;     // their latency, and the fixed cost of actions, filling layers included
  double stall = 0.0;    // compute waiting for overlapped transfers
  double total = 0.0;
  double hidden = 0.0; // overlapped transfers' time that compute did not wait for; not in total
};

} // namespace spillway::plan
