#include "engine/RemoteWaits.hpp"

#include <algorithm>
#include <cstring>

namespace ipumodel {

namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

class Waits {
public:
  explicit Waits(const LoweredProgram& program)
      : program_(program), readsInto_(program.variables.size()) {
    for (const LoweredVariable& variable : program.variables)
      offsets_.push_back(variable.offset);
    for (const Instruction& in : program.code)
      if (in.op == Op::RemoteIn)
        for (const MoveList& row : program.remoteCopies[in.a].rows)
          for (const Move& move : row.moves)
            readsInto_[variableAt(move.dst)] |= std::uint64_t{1} << in.a;
    makeComputeSets();
  }

  std::uint64_t of(const Instruction& in) const {
    switch (in.op) {
    case Op::Execute:
      return computeSets_[in.a] | (in.b == kNoScalar ? 0 : scalar(in.b));
    case Op::Copy:
      return sources(in.a) | destinations(in.a);
    case Op::CopyOverlapping:
      return sources(in.a) | destinations(in.b);
    case Op::StreamIn:
      return destinations(in.b);
    case Op::StreamOut:
      return sources(in.b);
    case Op::JumpIfTrue:
    case Op::JumpIfFalse:
    case Op::AbortIf:
      return scalar(in.a);
    case Op::Switch:
      return scalar(program_.switches[in.a].scalar);
    case Op::RemoteIn: // one read at a time
    case Op::RemoteOut:
    case Op::CrossReplicaCopy:
    case Op::HostCall:
    case Op::Print:
    case Op::NoSwitchCase:
    case Op::CycleEnd:
    case Op::CycleStamp:
      return kAll;
    default:
      return 0;
    }
  }

private:
  std::size_t variableAt(std::uint64_t offset) const {
    return static_cast<std::size_t>(std::upper_bound(offsets_.begin(), offsets_.end(), offset) -
                                    offsets_.begin()) -
           1;
  }
  std::uint64_t at(std::uint64_t offset) const { return readsInto_[variableAt(offset)]; }
  std::uint64_t scalar(std::uint32_t index) const { return at(program_.scalars[index].offset); }

  std::uint64_t sources(std::uint32_t list) const {
    std::uint64_t bits = 0;
    if (list != kNoMoves)
      for (const Move& move : program_.moveLists[list].moves)
        bits |= at(move.src);
    return bits;
  }
  std::uint64_t destinations(std::uint32_t list) const {
    std::uint64_t bits = 0;
    if (list != kNoMoves)
      for (const Move& move : program_.moveLists[list].moves)
        bits |= at(move.dst);
    return bits;
  }

  // Vertices and their tables lie in the image in the order of their compute sets, so a pointer
  // belongs to the last set that begins before it.
  void makeComputeSets() {
    std::vector<std::pair<std::uint64_t, std::size_t>> begins;
    for (std::size_t set = 0; set < program_.computeSets.size(); ++set) {
      const LoweredComputeSet& lowered = program_.computeSets[set];
      computeSets_.push_back(sources(lowered.gather) | destinations(lowered.scatter));
      if (!lowered.groups.empty())
        begins.emplace_back(lowered.groups.front().offset, set);
    }
    for (const std::uint64_t place : program_.pointersToVariables) {
      const auto next = std::upper_bound(
          begins.begin(), begins.end(), place,
          [](std::uint64_t value, const auto& begin) { return value < begin.first; });
      std::uint64_t offset = 0;
      std::memcpy(&offset, program_.image.data() + place, sizeof offset);
      computeSets_[std::prev(next)->second] |= at(offset);
    }
  }

  const LoweredProgram& program_;
  std::vector<std::uint64_t> offsets_;   // of variables, ascending
  std::vector<std::uint64_t> readsInto_; // by variable
  std::vector<std::uint64_t> computeSets_;
};

} // namespace

std::vector<std::uint64_t> remoteWaits(const LoweredProgram& program) {
  if (program.remoteCopies.size() > 64)
    return {};
  const Waits waits(program);
  std::vector<std::uint64_t> result;
  result.reserve(program.code.size());
  for (const Instruction& in : program.code)
    result.push_back(waits.of(in));
  return result;
}

} // namespace ipumodel
