#include "profile/ChromeTrace.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <unordered_map>

namespace ipumodel {
namespace {

using nlohmann::json;

const char* colourOf(ProgramType type) { // names of the viewers' own palette
  switch (type) {
  case ProgramType::OnTileExecute:
    return "good";
  case ProgramType::DoExchange:
    return "thread_state_running";
  case ProgramType::Sync:
    return "grey";
  case ProgramType::StreamCopy:
  case ProgramType::RemoteCopy:
    return "terrible";
  default:
    return "generic_work";
  }
}

const char* kindOf(ProgramType type) {
  switch (type) {
  case ProgramType::OnTileExecute:
    return "compute";
  case ProgramType::DoExchange:
    return "exchange";
  case ProgramType::GlobalExchange:
    return "global exchange";
  case ProgramType::Sync:
    return "sync";
  case ProgramType::StreamCopy:
    return "stream";
  case ProgramType::RemoteCopy:
    return "remote";
  default:
    return "control";
  }
}

class Writer {
public:
  Writer(std::ostream& out, const ProfileData& profile) : out_(out), p_(profile) {}

  void write(std::size_t mostSteps) {
    out_ << "{\"displayTimeUnit\":\"ns\",\"otherData\":"
         << json{{"producer", p_.producer}, {"figures", "modelled"}}.dump()
         << ",\"traceEvents\":[\n";
    name("process_name", 0, p_.target.architecture + " (modelled)");
    name("thread_name", 0, "all tiles");
    const std::vector<std::uint32_t> tiles = chosenTiles(p_);
    for (std::size_t i = 0; i < tiles.size(); ++i)
      name("thread_name", i + 1,
           std::string(roleOf(i, tiles.size())) + " tile " + std::to_string(tiles[i]));
    const std::size_t steps = std::min(p_.execution.steps.size(), mostSteps);
    for (std::size_t i = 0; i < steps; ++i)
      addStep(p_.execution.steps[i], tiles);
    const std::size_t lane = tiles.size() + 1, numBeside = p_.execution.beside.size();
    if (numBeside > 0)
      name("thread_name", lane, "Streaming Memory, beside compute");
    for (std::size_t i = 0; i < std::min(numBeside, mostSteps); ++i) {
      const ExecutedStep& copy = p_.execution.beside[i];
      slice(lane, p_.programs[copy.program], copy.from, copy.cycles);
    }
    out_ << "\n]}\n";
  }

private:
  static const char* roleOf(std::size_t i, std::size_t count) {
    return i == 0 ? "busiest" : i + 1 == count ? "idlest" : "median";
  }

  void event(const json& e) {
    out_ << (isFirst_ ? "" : ",\n") << e.dump();
    isFirst_ = false;
  }

  void name(const char* what, std::size_t thread, const std::string& text) {
    event({{"ph", "M"}, {"name", what}, {"pid", 0}, {"tid", thread}, {"args", {{"name", text}}}});
  }

  double microseconds(std::uint64_t cycles) const {
    return 1e6 * static_cast<double>(cycles) / p_.target.clockHz;
  }

  void slice(std::size_t thread, const ProgramInfo& program, std::uint64_t from,
             std::uint64_t cycles) {
    event({{"ph", "X"},
           {"name", program.name.empty() ? kindOf(program.type) : program.name},
           {"cat", kindOf(program.type)},
           {"cname", colourOf(program.type)},
           {"pid", 0},
           {"tid", thread},
           {"ts", microseconds(from)},
           {"dur", microseconds(cycles)},
           {"args", {{"cycles", cycles}, {"bytes", program.bytes}}}});
  }

  void addStep(const ExecutedStep& step, const std::vector<std::uint32_t>& tiles) {
    const ProgramInfo& program = p_.programs[step.program];
    if (step.cycles == 0)
      return;
    slice(0, program, step.from, step.cycles);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const std::uint64_t busy = std::min(step.cycles, busyCycles(program, tiles[i], step.cycles));
      if (busy > 0)
        slice(i + 1, program, step.from, busy);
    }
    const std::uint64_t live = liveBytes(step.program);
    if (live != lastLive_) {
      event({{"ph", "C"},
             {"name", "live bytes"},
             {"pid", 0},
             {"ts", microseconds(step.from)},
             {"args", {{"not always live", live}, {"always live", alwaysLive()}}}});
      lastLive_ = live;
    }
  }

  // Of one execution; the mean where the vertices said what they cost.
  std::uint64_t busyCycles(const ProgramInfo& program, std::uint32_t tile,
                           std::uint64_t whole) const {
    if (program.type == ProgramType::DoExchange)
      return at(program.bytesReceived, tile) + at(program.bytesSent, tile) > 0 ? whole : 0;
    if (program.computeSet < 0)
      return whole;
    const ComputeSetInfo& set = p_.computeSets[static_cast<std::size_t>(program.computeSet)];
    return set.measuredExecutions > 0 ? at(set.measuredCycles, tile) / set.measuredExecutions
                                      : at(set.estimatedCycles, tile);
  }

  static std::uint64_t at(const ByTile& values, std::uint32_t tile) {
    const auto it = std::lower_bound(values.begin(), values.end(), tile,
                                     [](const auto& v, std::uint32_t t) { return v.first < t; });
    return it != values.end() && it->first == tile ? it->second : 0;
  }

  std::uint64_t alwaysLive() {
    if (alwaysLive_ == 0)
      for (const TileMemory& tile : p_.tiles)
        alwaysLive_ += tile.alwaysLive.total();
    return alwaysLive_;
  }

  // A phase belongs to the step whose liveness was worked out: its own program or its parent's.
  std::uint64_t liveBytes(std::uint32_t program) {
    if (live_.empty()) {
      for (const LivenessStep& step : p_.livenessSteps) {
        live_[step.program] = step.bytes;
        for (const std::uint32_t child : p_.programs[step.program].children)
          live_[child] = step.bytes;
      }
    }
    const auto it = live_.find(program);
    return it != live_.end() ? it->second : lastLive_;
  }

  std::ostream& out_;
  const ProfileData& p_;
  bool isFirst_ = true;
  std::unordered_map<std::uint32_t, std::uint64_t> live_;
  std::uint64_t lastLive_ = 0;
  std::uint64_t alwaysLive_ = 0;
};

} // namespace

std::vector<std::uint32_t> chosenTiles(const ProfileData& profile) {
  std::vector<std::uint64_t> busy(profile.tiles.size());
  for (std::size_t i = 0; i < profile.execution.programs.size(); ++i) {
    const std::int32_t index = profile.programs[i].computeSet;
    const std::uint64_t executions = profile.execution.programs[i].executions;
    if (index < 0 || executions == 0)
      continue;
    const ComputeSetInfo& set = profile.computeSets[static_cast<std::size_t>(index)];
    if (set.measuredExecutions > 0) {
      for (const auto& [tile, cycles] : set.measuredCycles)
        busy[tile] += cycles / set.measuredExecutions * executions;
    } else {
      for (const auto& [tile, cycles] : set.estimatedCycles)
        busy[tile] += cycles * executions;
    }
  }
  std::vector<std::uint32_t> order(busy.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return busy[a] > busy[b]; });
  if (order.size() <= 3)
    return order;
  return {order.front(), order[order.size() / 2], order.back()};
}

void writeChromeTrace(std::ostream& out, const ProfileData& profile, std::size_t mostSteps) {
  Writer(out, profile).write(mostSteps);
}

} // namespace ipumodel
