// Runs compute sets: vertices of one type in a tight loop, large sets shared between threads.
#pragma once

#include "engine/Replica.hpp"
#include "engine/ThreadTeam.hpp"
#include "lower/LoweredProgram.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace ipumodel {

class ComputeSetRunner {
public:
  // REQUIRES: program and team outlive the runner, and every group has its type.
  ComputeSetRunner(const LoweredProgram& program, ThreadTeam& team);

  // By group, where its vertices say what they cost, or null; empty: none is asked.
  using Answers = std::span<std::uint64_t* const>;
  // Returns whether every compute() returned true.
  bool run(std::uint32_t computeSet, const Replica& replica, Answers answers = {});

private:
  struct Group {
    const VertexType* type;
    std::uint64_t offset;
    std::uint64_t stride;
    const std::uint32_t* tiles;      // of each vertex
    std::uint64_t firstVertex;       // counted over all sets
    std::vector<std::size_t> bounds; // share i is vertices [bounds[i], bounds[i+1])
  };
  struct Set {
    std::vector<Group> groups;
    const MoveList* gather = nullptr;
    const MoveList* scatter = nullptr;
    bool isShareable = false;     // more than one share has vertices
    double serialNanoseconds = 0; // of recent executions, as if on one thread
  };

  void cutIntoShares(const LoweredComputeSet& lowered, Set& set) const;
  bool runShare(const Set& set, unsigned share, std::byte* image, Answers answers) const;
  bool runRange(const Group& group, std::size_t first, std::size_t last, std::byte* image,
                std::uint64_t* answers) const;

  // Shares t * kSharesPerThread ... belong to thread t, which others may help. So many because all
  // work of an execution may be in a few neighbouring vertices, the others having nothing to do.
  static constexpr unsigned kSharesPerThread = 16;
  struct alignas(64) Taken {
    std::atomic<unsigned> shares{0}; // of a thread's own, by whomever
  };

  ThreadTeam& team_;
  unsigned numWorkers_;
  unsigned numShares_;
  std::vector<Taken> taken_; // by thread
  std::vector<Set> sets_;
  std::uint64_t step_ = 0; // executions so far
};

} // namespace ipumodel
