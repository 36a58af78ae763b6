// Walks through a schedule on the device: one vertex fetches actions, another steps through the
// blocks of an action and tells every unit what to do next.
#include "maths/Blocks.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

// The next action, or none. The table ends with kEnd, a page of it with kNextPage.
class FetchAction : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> actions;  // [action][ActionWord]
  InOut<Vector<unsigned, VectorLayout::ONE_PTR>> cursor;   // CursorWord
  Output<Vector<unsigned, VectorLayout::ONE_PTR>> control; // [unit][ControlWord] of the first block
  Output<unsigned> code;                                   // ActionCode
  Output<unsigned> more;                                   // 0: the schedule is done
  Output<unsigned> computes; // 0: it is, or the action transfers a state
  Output<unsigned> running;  // 0: the action has no block
  Output<Vector<unsigned, VectorLayout::ONE_PTR>> transfer; // TransferWord
  Output<Vector<int, VectorLayout::SPAN>>
      remoteRows;                 // a row per staging state; unused ones the spare
  Output<unsigned> historyBuffer; // of the action's history block
  Output<Vector<int, VectorLayout::ONE_PTR>> blockRow;   // the block, or the page of actions
  InOut<Vector<unsigned, VectorLayout::ONE_PTR>> counts; // CountWord

  const unsigned numUnits;
  const unsigned blockSteps;
  const unsigned lightSteps;
  const unsigned historySteps;
  const unsigned errorSteps;
  const bool sameStep;
  const unsigned spareRow;

  bool compute() {
    const unsigned index = cursor[kCursorAction];
    const unsigned* action = &actions[index * kActionWords];
    *more = action[kActionKind] != kEnd ? 1 : 0;
    *running = 0;
    *computes = *more != 0 && !transfersState(action[kActionKind]) ? 1 : 0;
    if (*more == 0) {
      return true;
    }
    for (unsigned i = 0; i < kActionWords; ++i) {
      cursor[kCursorCurrent + i] = action[i];
    }
    cursor[kCursorAction] = action[kActionKind] == kNextPage ? 0 : index + 1;
    cursor[kCursorSuperstep] = 0;
    *code = action[kActionKind];
    transfer[kTransferSlot] = action[kActionSlot];
    transfer[kTransferCount] = action[kActionCount];
    transfer[kTransferSource] = action[kActionSource];
    locateHistory(action);
    for (unsigned i = 0; i < remoteRows.size(); ++i) {
      remoteRows[i] =
          static_cast<int>(i < action[kActionCount] ? action[kActionRow] + i : spareRow);
    }
    *running = planBlocks(&cursor[0],
                          {numUnits, blockSteps, lightSteps, historySteps, errorSteps, sameStep},
                          &control[0])
                   ? 1
                   : 0;
    count(action);
    return true;
  }

  unsigned long estimateCycles() const { return 60 + 30ul * numUnits; }

private:
  static bool transfersState(unsigned kind) {
    return kind == kWriteRemote || kind == kReadRemote || kind == kStartRead || kind == kFinishRead;
  }

  void locateHistory(const unsigned* action) {
    const unsigned kind = action[kActionKind];
    const bool moved = kind == kWriteSpikes || kind == kReadSpikes || kind == kNextPage;
    *historyBuffer = moved ? action[kActionSlot] : action[kActionSpikes];
    blockRow[0] =
        static_cast<int>(moved ? action[kActionRow] : action[kActionBegin] / historySteps);
  }

  void count(const unsigned* action) {
    const unsigned steps = action[kActionEnd] - action[kActionBegin];
    const unsigned kind = action[kActionKind];
    counts[kCountForward] += kind == kForward ? steps : 0;
    counts[kCountLight] += kind == kLightForward ? steps : 0;
    counts[kCountBackward] += kind == kBackward ? steps : 0;
    counts[kCountRemoteWrites] += kind == kWriteRemote ? action[kActionCount] : 0;
    const bool reads = kind == kReadRemote || kind == kStartRead;
    counts[kCountRemoteReads] += reads ? action[kActionCount] : 0;
    counts[kCountRemoteWriteOps] += kind == kWriteRemote ? 1 : 0;
    counts[kCountRemoteReadOps] += reads ? 1 : 0;
    counts[kCountSpikeWrites] += kind == kWriteSpikes ? 1 : 0;
    counts[kCountSpikeReads] += kind == kReadSpikes ? 1 : 0;
    unsigned slots = 0;
    if (kind == kForward || kind == kLightForward) {
      slots = action[kActionSlot] + (action[kActionKeepAll] != 0 ? steps : 1);
    } else if (kind == kReadRemote) {
      slots = action[kActionSlot] + action[kActionCount];
    } else if (kind == kFinishRead || kind == kCopySlot) {
      slots = action[kActionSlot] + 1;
    }
    counts[kCountSlots] = slots > counts[kCountSlots] ? slots : counts[kCountSlots];
  }
};

// The next blocks of the current action.
class NextBlocks : public Vertex {
public:
  InOut<Vector<unsigned, VectorLayout::ONE_PTR>> cursor;   // CursorWord
  Output<Vector<unsigned, VectorLayout::ONE_PTR>> control; // [unit][ControlWord]
  Output<unsigned> running;

  const unsigned numUnits;
  const unsigned blockSteps;
  const unsigned lightSteps;
  const unsigned historySteps;
  const unsigned errorSteps;
  const bool sameStep;

  bool compute() {
    ++cursor[kCursorSuperstep];
    *running = planBlocks(&cursor[0],
                          {numUnits, blockSteps, lightSteps, historySteps, errorSteps, sameStep},
                          &control[0])
                   ? 1
                   : 0;
    return true;
  }

  unsigned long estimateCycles() const { return 20 + 30ul * numUnits; }
};
