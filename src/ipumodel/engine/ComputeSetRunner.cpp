#include "engine/ComputeSetRunner.hpp"

#include "engine/CopyKernel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <queue>

namespace ipumodel {

namespace {

// Waking the team and meeting again costs a few microseconds; below this a set stays on the caller.
constexpr double kWorthSharingNanoseconds = 12'000;
// Before a set has run, assume one nanosecond per this many bytes of its edges.
constexpr double kAssumedBytesPerNanosecond = 4;
// Weight of the newest measurement.
constexpr double kSmoothing = 0.25;

double nanosecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

ComputeSetRunner::ComputeSetRunner(const LoweredProgram& program, ThreadTeam& team)
    : team_(team), numWorkers_(program.numWorkerContexts) {
  sets_.reserve(program.computeSets.size());
  std::uint64_t numVertices = 0;
  for (const LoweredComputeSet& lowered : program.computeSets) {
    Set set;
    for (const VertexGroup& group : lowered.groups) {
      set.groups.push_back(
          {group.type, group.offset, group.stride, group.tiles.data(), numVertices, {}});
      numVertices += group.count();
    }
    if (lowered.gather != kNoMoves)
      set.gather = &program.moveLists[lowered.gather];
    if (lowered.scatter != kNoMoves)
      set.scatter = &program.moveLists[lowered.scatter];
    set.serialNanoseconds = static_cast<double>(lowered.weight) / kAssumedBytesPerNanosecond;
    share(lowered, set);
    sets_.push_back(std::move(set));
  }
}

// Cuts the vertices, taken in tile order over all groups, into stretches of about equal weight, so
// that neighbouring tiles stay on one thread from one compute set to the next.
void ComputeSetRunner::share(const LoweredComputeSet& lowered, Set& set) const {
  for (Group& group : set.groups)
    group.bounds.assign(team_.size() + 1, 0);
  using Next = std::pair<std::uint32_t, std::size_t>; // tile, group
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::vector<std::size_t> taken(lowered.groups.size(), 0);
  for (std::size_t g = 0; g < lowered.groups.size(); ++g)
    if (lowered.groups[g].count())
      next.emplace(lowered.groups[g].tiles[0], g);
  std::uint64_t weight = 0;
  unsigned thread = 1;
  while (!next.empty()) {
    const std::size_t g = next.top().second;
    next.pop();
    const VertexGroup& group = lowered.groups[g];
    while (thread < team_.size() && weight * team_.size() >= lowered.weight * thread) {
      for (std::size_t i = 0; i < taken.size(); ++i)
        set.groups[i].bounds[thread] = taken[i];
      ++thread;
    }
    weight += group.weight[taken[g]++];
    if (taken[g] < group.count())
      next.emplace(group.tiles[taken[g]], g);
  }
  for (; thread <= team_.size(); ++thread)
    for (std::size_t i = 0; i < taken.size(); ++i)
      set.groups[i].bounds[thread] = taken[i];
  unsigned busyThreads = 0;
  for (unsigned t = 0; t < team_.size(); ++t)
    busyThreads += std::any_of(set.groups.begin(), set.groups.end(), [t](const Group& group) {
      return group.bounds[t] != group.bounds[t + 1];
    });
  set.isShareable = busyThreads > 1;
}

bool ComputeSetRunner::runRange(const Group& group, std::size_t first, std::size_t last,
                                std::byte* image) const {
  if (group.type->context)
    *group.type->context() = {step_, group.firstVertex + first, group.tiles + first};
  return group.type->run(image + group.offset + first * group.stride, group.stride, last - first,
                         numWorkers_);
}

bool ComputeSetRunner::runShare(const Set& set, unsigned thread, std::byte* image) const {
  bool allTrue = true;
  for (const Group& group : set.groups) {
    const std::size_t first = group.bounds[thread], last = group.bounds[thread + 1];
    if (first != last)
      allTrue &= runRange(group, first, last, image);
  }
  return allTrue;
}

bool ComputeSetRunner::run(std::uint32_t computeSet, const Replica& replica) {
  Set& set = sets_[computeSet];
  ++step_;
  if (set.gather)
    runMoves(*set.gather, replica.variables.data(), replica.scratch.data(), team_);
  std::byte* const image = replica.image.data();
  bool allTrue = true;
  double measured;
  if (!set.isShareable || set.serialNanoseconds < kWorthSharingNanoseconds) {
    const auto start = std::chrono::steady_clock::now();
    for (const Group& group : set.groups)
      allTrue &= runRange(group, 0, group.bounds.back(), image);
    measured = nanosecondsSince(start);
  } else {
    std::atomic<bool> shared{true};
    double callerNanoseconds = 0;
    auto job = [&](unsigned thread) {
      const auto start = std::chrono::steady_clock::now();
      if (!runShare(set, thread, image))
        shared.store(false, std::memory_order_relaxed);
      if (thread == 0)
        callerNanoseconds = nanosecondsSince(start);
    };
    team_.run(job);
    allTrue = shared.load(std::memory_order_relaxed);
    measured = callerNanoseconds * team_.size();
  }
  set.serialNanoseconds += kSmoothing * (measured - set.serialNanoseconds);
  if (set.scatter)
    runMoves(*set.scatter, replica.scratch.data(), replica.variables.data(), team_);
  return allTrue;
}

} // namespace ipumodel
