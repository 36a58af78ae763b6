#include "plan/ScheduleText.hpp"

#include "network/UserError.hpp"

#include <charconv>
#include <istream>
#include <ostream>
#include <sstream>

namespace spillway::plan {

namespace {

std::string slotName(Slot slot) {
  return slot == kInitialState ? "initial" : std::to_string(slot);
}

bool isStepRange(ActionKind kind) {
  return kind == ActionKind::Forward || kind == ActionKind::Light || kind == ActionKind::Backward;
}

// The words of one line, taken from left to right.
class Words {
public:
  Words(const std::string& line, std::size_t number) : in_(line), line_(line), number_(number) {}

  std::string word() {
    std::string text;
    if (!(in_ >> text))
      fail("the line ends too early");
    return text;
  }

  void expect(const char* wanted) {
    if (const std::string text = word(); text != wanted)
      fail("'" + text + "' where '" + wanted + "' was expected");
  }

  std::uint32_t number() { return parse<std::uint32_t>(word()); }

  Slot slot() {
    const std::string text = word();
    if (text == "initial")
      return kInitialState;
    const Slot value = parse<Slot>(text);
    if (value < 0)
      fail("slot " + text + " is negative");
    return value;
  }

  bool atEnd() {
    in_ >> std::ws;
    return in_.eof();
  }

  void expectEnd() {
    std::string text;
    if (in_ >> text)
      fail("'" + text + "' after the end of the action");
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw UserError("schedule, line " + std::to_string(number_) + " (" + line_ + "): " + why);
  }

private:
  template <class T>
  T parse(const std::string& text) const {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      fail("'" + text + "' is no number");
    return value;
  }

  std::istringstream in_;
  std::string line_;
  std::size_t number_;
};

void parseRun(Words& words, Action& action) {
  action.begin = words.number();
  action.end = words.number();
  const std::string keep = words.word();
  if (keep != "last" && keep != "all")
    words.fail("'" + keep + "' where 'last' or 'all' was expected");
  action.keep = keep == "all" ? Keep::All : Keep::Last;
  words.expect("from");
  action.source = words.slot();
  words.expect("to");
  action.slot = words.slot();
}

void parseTransfer(Words& words, Action& action) {
  if (action.kind != ActionKind::StartRead)
    action.slot = words.slot();
  words.expect("row");
  action.row = words.number();
  action.count = 1;
  if (action.kind == ActionKind::WriteRemote || action.kind == ActionKind::ReadRemote) {
    words.expect("count");
    action.count = words.number();
  }
}

Action parseAction(Words& words) {
  static constexpr std::pair<const char*, ActionKind> kNames[] = {
      {"forward", ActionKind::Forward},        {"light", ActionKind::Light},
      {"backward", ActionKind::Backward},      {"copy", ActionKind::Copy},
      {"write", ActionKind::WriteRemote},      {"read", ActionKind::ReadRemote},
      {"start-write", ActionKind::StartWrite}, {"start-read", ActionKind::StartRead},
      {"finish-read", ActionKind::FinishRead}, {"write-spikes", ActionKind::WriteSpikes},
      {"read-spikes", ActionKind::ReadSpikes}};
  const std::string name = words.word();
  Action action;
  bool known = false;
  for (const auto& [text, kind] : kNames)
    if (name == text) {
      action.kind = kind;
      known = true;
    }
  if (!known)
    words.fail("'" + name + "' is no action");
  switch (action.kind) {
  case ActionKind::Forward:
  case ActionKind::Light:
    parseRun(words, action);
    break;
  case ActionKind::Backward:
    action.begin = words.number();
    action.end = words.number();
    words.expect("at");
    action.slot = words.slot();
    break;
  case ActionKind::Copy:
    action.source = words.slot();
    words.expect("to");
    action.slot = words.slot();
    break;
  case ActionKind::WriteSpikes:
  case ActionKind::ReadSpikes:
    action.slot = words.slot();
    words.expect("block");
    action.row = words.number();
    break;
  default:
    parseTransfer(words, action);
  }
  if (isStepRange(action.kind) && !words.atEnd()) {
    words.expect("spikes");
    action.spikes = words.number();
  }
  words.expectEnd();
  return action;
}

Schedule parseHeader(Words& words) {
  Schedule schedule;
  words.expect("schedule");
  words.expect("steps");
  schedule.numSteps = words.number();
  words.expect("slots");
  schedule.numSlots = words.number();
  words.expect("rows");
  schedule.numRows = words.number();
  words.expect("staging");
  schedule.numStaging = words.number();
  while (!words.atEnd()) {
    const std::string what = words.word();
    if (what == "spikes" && schedule.spikeBlock == 0) {
      words.expect("block");
      schedule.spikeBlock = words.number();
      words.expect("buffers");
      schedule.numSpikeBuffers = words.number();
    } else if (what == "surrogate" && !schedule.cachesSurrogate) {
      words.expect("cached");
      schedule.cachesSurrogate = true;
    } else {
      words.fail("'" + what + "' where 'spikes' or 'surrogate' or the end was expected");
    }
  }
  words.expectEnd();
  return schedule;
}

} // namespace

std::string toText(const Action& action, ShowSpikes spikes) {
  std::ostringstream out;
  const auto run = [&](const char* name) {
    out << name << ' ' << action.begin << ' ' << action.end
        << (action.keep == Keep::All ? " all" : " last") << " from " << slotName(action.source)
        << " to " << slotName(action.slot);
  };
  switch (action.kind) {
  case ActionKind::Forward:
    run("forward");
    break;
  case ActionKind::Light:
    run("light");
    break;
  case ActionKind::Backward:
    out << "backward " << action.begin << ' ' << action.end << " at " << slotName(action.slot);
    break;
  case ActionKind::Copy:
    out << "copy " << slotName(action.source) << " to " << slotName(action.slot);
    break;
  case ActionKind::WriteRemote:
    out << "write " << slotName(action.slot) << " row " << action.row << " count " << action.count;
    break;
  case ActionKind::ReadRemote:
    out << "read " << slotName(action.slot) << " row " << action.row << " count " << action.count;
    break;
  case ActionKind::StartWrite:
    out << "start-write " << slotName(action.slot) << " row " << action.row;
    break;
  case ActionKind::StartRead:
    out << "start-read row " << action.row;
    break;
  case ActionKind::FinishRead:
    out << "finish-read " << slotName(action.slot) << " row " << action.row;
    break;
  case ActionKind::WriteSpikes:
    out << "write-spikes " << slotName(action.slot) << " block " << action.row;
    break;
  case ActionKind::ReadSpikes:
    out << "read-spikes " << slotName(action.slot) << " block " << action.row;
    break;
  }
  if (spikes == ShowSpikes::Yes && isStepRange(action.kind))
    out << " spikes " << action.spikes;
  return out.str();
}

void writeText(std::ostream& out, const Schedule& schedule) {
  out << "schedule steps " << schedule.numSteps << " slots " << schedule.numSlots << " rows "
      << schedule.numRows << " staging " << schedule.numStaging;
  if (schedule.spikeBlock != 0)
    out << " spikes block " << schedule.spikeBlock << " buffers " << schedule.numSpikeBuffers;
  if (schedule.cachesSurrogate)
    out << " surrogate cached";
  out << '\n';
  for (const Action& action : schedule.actions)
    out << toText(action, schedule.spikeBlock != 0 ? ShowSpikes::Yes : ShowSpikes::No) << '\n';
}

Schedule parseSchedule(std::istream& in) {
  Schedule schedule;
  bool haveHeader = false;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.front() == '#')
      continue;
    Words words(line, number);
    if (haveHeader)
      schedule.actions.push_back(parseAction(words));
    else
      schedule = parseHeader(words);
    haveHeader = true;
  }
  if (!haveHeader)
    throw UserError("schedule: no header line ('schedule steps T slots S rows R staging G')");
  return schedule;
}

} // namespace spillway::plan
