#include "graphs/ScheduleLoop.hpp"

namespace spillway {

using poplar::program::Execute;
using poplar::program::Program;
using poplar::program::RepeatWhileTrue;
using poplar::program::Sequence;
using poplar::program::Switch;

ScheduleLoop::ScheduleLoop(const Geometry& geometry, const Sequencer& sequencer,
                           const poplar::DebugContext& debugContext)
    : geometry_(geometry),
      sequencer_(sequencer),
      name_(poplar::DebugInfo(debugContext, "spillway")),
      actions_(sequencer.code, {name_, "action"}) {}

void ScheduleLoop::add(unsigned code, const Program& program) {
  actions_.add(static_cast<std::int32_t>(code), program);
}

void ScheduleLoop::addTransfer(unsigned code, const Program& program) {
  transfers_.emplace_back(code, program);
}

Program ScheduleLoop::finish(poplar::Graph& graph) const {
  poplar::ComputeSet fetchAction = graph.addComputeSet({name_, "fetchAction"});
  sequencer_.addFetchAction(graph, geometry_, fetchAction);
  const Execute fetch(fetchAction);
  if (geometry_.ioTiles.empty()) {
    Switch all = actions_;
    for (const auto& [code, program] : transfers_) {
      all.add(static_cast<std::int32_t>(code), program);
    }
    return Sequence({sequencer_.loadFirstPage(),
                     RepeatWhileTrue(fetch, sequencer_.more, all, {name_, "schedule"})});
  }
  Switch transfers(sequencer_.code, Sequence(), {name_, "transfer"});
  for (const auto& [code, program] : transfers_) {
    transfers.add(static_cast<std::int32_t>(code), Sequence({program, fetch}));
  }
  const RepeatWhileTrue untilTransfer(Sequence(), sequencer_.computes, Sequence({actions_, fetch}),
                                      {name_, "untilTransfer"});
  return Sequence({sequencer_.loadFirstPage(), fetch,
                   RepeatWhileTrue(Sequence(), sequencer_.more,
                                   Sequence({transfers, untilTransfer}), {name_, "schedule"})});
}

} // namespace spillway
