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
    : team_(team),
      numWorkers_(program.numWorkerContexts),
      numShares_(team.size() == 1 ? 1 : team.size() * kSharesPerThread),
      taken_(team.size()) {
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
    cutIntoShares(lowered, set);
    sets_.push_back(std::move(set));
  }
}

// Cuts the vertices, taken in tile order over all groups, into shares of about equal weight.
void ComputeSetRunner::cutIntoShares(const LoweredComputeSet& lowered, Set& set) const {
  for (Group& group : set.groups)
    group.bounds.assign(numShares_ + 1, 0);
  using Next = std::pair<std::uint32_t, std::size_t>; // tile, group
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  std::vector<std::size_t> done(lowered.groups.size(), 0);
  for (std::size_t g = 0; g < lowered.groups.size(); ++g)
    if (lowered.groups[g].count())
      next.emplace(lowered.groups[g].tiles[0], g);
  std::uint64_t weight = 0;
  unsigned share = 1;
  const auto endShare = [&] {
    for (std::size_t g = 0; g < done.size(); ++g)
      set.groups[g].bounds[share] = done[g];
    ++share;
  };
  while (!next.empty()) {
    const std::size_t g = next.top().second;
    next.pop();
    while (share < numShares_ && weight * numShares_ >= lowered.weight * share)
      endShare();
    const VertexGroup& group = lowered.groups[g];
    weight += group.weight[done[g]++];
    if (done[g] < group.count())
      next.emplace(group.tiles[done[g]], g);
  }
  while (share <= numShares_)
    endShare();
  unsigned busyShares = 0;
  for (unsigned i = 0; i < numShares_; ++i)
    busyShares += std::any_of(set.groups.begin(), set.groups.end(), [i](const Group& group) {
      return group.bounds[i] != group.bounds[i + 1];
    });
  set.isShareable = busyShares > 1;
}

bool ComputeSetRunner::runRange(const Group& group, std::size_t first, std::size_t last,
                                std::byte* image, std::uint64_t* answers) const {
  if (group.type->context)
    *group.type->context() = {step_, group.firstVertex + first, group.tiles + first};
  std::byte* const vertices = image + group.offset + first * group.stride;
  const bool allTrue = group.type->run(vertices, group.stride, last - first, numWorkers_);
  // No other vertex of the set may change what these have read and written.
  if (answers)
    group.type->cost(vertices, group.stride, last - first, answers + first);
  return allTrue;
}

bool ComputeSetRunner::runShare(const Set& set, unsigned share, std::byte* image,
                                Answers answers) const {
  bool allTrue = true;
  for (std::size_t g = 0; g < set.groups.size(); ++g) {
    const std::size_t first = set.groups[g].bounds[share], last = set.groups[g].bounds[share + 1];
    if (first != last)
      allTrue &=
          runRange(set.groups[g], first, last, image, answers.empty() ? nullptr : answers[g]);
  }
  return allTrue;
}

bool ComputeSetRunner::run(std::uint32_t computeSet, const Replica& replica, Answers answers) {
  Set& set = sets_[computeSet];
  ++step_;
  if (set.gather)
    runMoves(*set.gather, replica.variables.data(), replica.scratch.data(), team_);
  std::byte* const image = replica.image.data();
  bool allTrue = true;
  double measured;
  if (!set.isShareable || set.serialNanoseconds < kWorthSharingNanoseconds) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t g = 0; g < set.groups.size(); ++g)
      allTrue &= runRange(set.groups[g], 0, set.groups[g].bounds.back(), image,
                          answers.empty() ? nullptr : answers[g]);
    measured = nanosecondsSince(start);
  } else {
    std::atomic<bool> sharesAreTrue{true};
    std::atomic<double> nanoseconds{0};
    for (Taken& taken : taken_)
      taken.shares.store(0, std::memory_order_relaxed);
    auto job = [&](unsigned thread) {
      const auto start = std::chrono::steady_clock::now();
      // First its own shares, so that a tile's data stay with one core; then what others have not
      // begun.
      for (unsigned i = 0; i < team_.size(); ++i) {
        const unsigned owner = (thread + i) % team_.size();
        std::atomic<unsigned>& taken = taken_[owner].shares;
        for (unsigned share = taken.fetch_add(1, std::memory_order_relaxed);
             share < kSharesPerThread; share = taken.fetch_add(1, std::memory_order_relaxed))
          if (!runShare(set, owner * kSharesPerThread + share, image, answers))
            sharesAreTrue.store(false, std::memory_order_relaxed);
      }
      nanoseconds.fetch_add(nanosecondsSince(start), std::memory_order_relaxed);
    };
    team_.run(job);
    allTrue = sharesAreTrue.load(std::memory_order_relaxed);
    measured = nanoseconds.load(std::memory_order_relaxed);
  }
  set.serialNanoseconds += kSmoothing * (measured - set.serialNanoseconds);
  if (set.scatter)
    runMoves(*set.scatter, replica.scratch.data(), replica.variables.data(), team_);
  return allTrue;
}

} // namespace ipumodel
