// When the variables of a graph hold a value that is still needed.
//
// A variable that no program may overwrite before reading it, or that the host can reach, is always
// live. Any other needs memory only from a write to the last read behind it, and shares memory with
// variables that live at other times. Pieces of variables are told apart where steps touch them
// differently.
#pragma once

#include "graph/GraphData.hpp"
#include "profile/StepTable.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace ipumodel {

// Elements [begin, end) of a variable that live and die together.
struct Atom {
  VarId var;
  std::uint64_t begin, end;
  bool alwaysLive = false;
};

class Liveness {
public:
  // REQUIRES: `steps` numbers exactly these programs and the graph's functions.
  Liveness(const GraphData& graph, std::span<const ProgramPtr> programs, const StepTable& steps);

  // Every piece of every variable that a program or the host touches.
  const std::vector<Atom>& atoms() const { return atoms_; }

  // The leaves of the programs in program order, each once.
  const std::vector<StepId>& leaves() const { return leaves_; }

  // Atoms that are not always live and hold memory while leaf `i` is executed, ascending.
  const std::vector<std::uint32_t>& liveDuring(std::size_t i) const { return live_[i]; }

private:
  std::vector<Atom> atoms_;
  std::vector<StepId> leaves_;
  std::vector<std::vector<std::uint32_t>> live_;
};

} // namespace ipumodel
