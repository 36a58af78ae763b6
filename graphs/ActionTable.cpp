#include "graphs/ActionTable.hpp"

#include "codelets/maths/Control.hpp"
#include "plan/TileBytes.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace spillway {
namespace {

unsigned codeOf(plan::ActionKind kind) {
  switch (kind) {
  case plan::ActionKind::Forward:
    return kForward;
  case plan::ActionKind::Light:
    return kLightForward;
  case plan::ActionKind::Backward:
    return kBackward;
  case plan::ActionKind::Copy:
    return kCopySlot;
  case plan::ActionKind::WriteRemote:
  case plan::ActionKind::StartWrite: // the channel is busy until it is done; nobody waits for it
    return kWriteRemote;
  case plan::ActionKind::StartRead:
    return kStartRead;
  case plan::ActionKind::FinishRead:
    return kFinishRead;
  case plan::ActionKind::WriteSpikes:
    return kWriteSpikes;
  case plan::ActionKind::ReadSpikes:
    return kReadSpikes;
  case plan::ActionKind::ReadRemote:
    return kReadRemote;
  }
  throw std::logic_error("an action of unknown kind");
}

void append(std::vector<unsigned>& table, const plan::Action& action) {
  std::array<unsigned, kActionWords> words{};
  words[kActionKind] = codeOf(action.kind);
  words[kActionBegin] = action.begin;
  words[kActionEnd] = action.end;
  words[kActionKeepAll] = action.keep == plan::Keep::All ? 1 : 0;
  words[kActionSource] = static_cast<unsigned>(action.source + 1);
  words[kActionSlot] = static_cast<unsigned>(action.slot);
  words[kActionRow] = action.row;
  words[kActionCount] = action.count;
  words[kActionSpikes] = action.spikes;
  table.insert(table.end(), words.begin(), words.end());
}

void appendCode(std::vector<unsigned>& table, unsigned code, unsigned row = 0) {
  std::array<unsigned, kActionWords> words{};
  words[kActionKind] = code;
  words[kActionRow] = row;
  table.insert(table.end(), words.begin(), words.end());
}

} // namespace

std::vector<unsigned> encodeSchedule(const plan::Schedule& schedule) {
  std::vector<unsigned> table;
  plan::Step done = 0; // first executions so far
  for (const plan::Action& action : schedule.actions) {
    if (action.kind == plan::ActionKind::Forward && action.begin != done) {
      throw std::logic_error("first forward steps must follow one another");
    }
    append(table, action);
    if (action.kind == plan::ActionKind::Forward) {
      done = action.end;
      if (done == schedule.numSteps) {
        appendCode(table, kLoss);
      }
    } else if (done != schedule.numSteps && (action.kind == plan::ActionKind::Light ||
                                             action.kind == plan::ActionKind::Backward)) {
      throw std::logic_error("the forward pass must end before anything else begins");
    }
  }
  appendCode(table, kEnd);
  return table;
}

std::vector<unsigned> encodeForwardOnly(plan::Step numSteps, plan::Step historySteps) {
  std::vector<unsigned> table;
  for (plan::Step begin = 0; begin < numSteps; begin += historySteps) {
    plan::Action forward;
    forward.begin = begin;
    forward.end = std::min(numSteps, begin + historySteps);
    forward.source = begin == 0 ? plan::kInitialState : 0;
    append(table, forward);
  }
  appendCode(table, kLoss);
  appendCode(table, kEnd);
  return table;
}

std::vector<unsigned> inPages(const std::vector<unsigned>& table, std::uint32_t firstRow) {
  constexpr std::size_t kPageWords = std::size_t{plan::kActionsPerPage} * kActionWords;
  std::vector<unsigned> pages;
  auto at = table.begin();
  while (static_cast<std::size_t>(table.end() - at) > kPageWords) {
    const auto end = at + (kPageWords - kActionWords);
    pages.insert(pages.end(), at, end);
    appendCode(pages, kNextPage, ++firstRow);
    at = end;
  }
  pages.insert(pages.end(), at, table.end());
  pages.resize((pages.size() + kPageWords - 1) / kPageWords * kPageWords);
  return pages;
}

} // namespace spillway
