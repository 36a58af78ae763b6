// Where the host's time goes: seconds per instruction of a lowered program, measured.
#pragma once

#include "lower/LoweredProgram.hpp"

#include <chrono>
#include <cstdint>
#include <ostream>
#include <vector>

namespace ipumodel {

class StopWatch {
public:
  explicit StopWatch(std::size_t numInstructions) : laps_(numInstructions) {}

  void start() { last_ = Clock::now(); }
  // Everything since the last lap is charged to this instruction.
  void lap(std::uint32_t instruction) {
    const Clock::time_point now = Clock::now();
    laps_[instruction].time += now - last_;
    ++laps_[instruction].runs;
    last_ = now;
  }

  // JSON: an array of {"name", "runs", "seconds"}, the largest first; instructions with the same
  // name are one. nameOf(i) is the name of instruction i.
  template <class NameOf>
  void write(std::ostream& out, const NameOf& nameOf) const {
    std::vector<Named> all;
    for (std::size_t i = 0; i < laps_.size(); ++i)
      if (laps_[i].runs != 0)
        all.push_back({nameOf(i), laps_[i].runs, seconds(laps_[i])});
    writeNamed(out, all);
  }

private:
  using Clock = std::chrono::steady_clock;
  struct Lap {
    Clock::duration time{};
    std::uint64_t runs = 0;
  };
  struct Named {
    std::string name;
    std::uint64_t runs;
    double seconds;
  };
  static double seconds(const Lap& lap) { return std::chrono::duration<double>(lap.time).count(); }
  static void writeNamed(std::ostream& out, std::vector<Named> all);

  std::vector<Lap> laps_;
  Clock::time_point last_;
};

} // namespace ipumodel
