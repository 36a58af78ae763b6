// The processes that train one network together, as one of them sees them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace spillway {

// How long a rank may be silent before the others are ended.
inline constexpr unsigned kSilentRankSeconds = 10;

// All members but rank(), size() and abort() are collective: every rank calls them, in one order.
class Ranks {
public:
  virtual ~Ranks() = default;

  virtual unsigned rank() const = 0;
  virtual unsigned size() const = 0;
  bool isFirst() const { return rank() == 0; }

  // Cuts `mine` at `ends` (one per rank, the last being its size) and sends each rank its part;
  // `theirs` receives this rank's part of every rank's values, one after the other. A rank with
  // nothing to give has an empty `mine`; `gives` says, by rank, who gives.
  virtual void exchange(std::span<const float> mine, std::span<const std::size_t> ends,
                        const std::vector<bool>& gives, std::span<float> theirs) = 0;
  // Fills the parts of the other ranks in; rank r's ends at ends[r].
  virtual void gather(std::span<float> values, std::span<const std::size_t> ends) = 0;
  // Sums over ranks, element by element.
  virtual void sum(std::span<std::uint64_t> values) = 0;
  // Whether it is so on some rank.
  bool any(bool here) {
    std::uint64_t count = here ? 1 : 0;
    sum({&count, 1});
    return count != 0;
  }
  // What rank 0 has, for every rank; the sizes must agree.
  virtual void broadcast(std::span<float> values) = 0;
  virtual std::string broadcast(const std::string& text) = 0;
  virtual std::vector<std::string> gather(const std::string& text) = 0; // by rank

  // Collective, once: from now on, to the end, every rank is watched by another. Where one no
  // longer answers (it was stopped, or its host is gone), its watcher calls `lost` with its number
  // in a thread of its own; that ends all ranks, or they wait for it.
  virtual void watch(const std::function<void(unsigned silent)>& lost) { (void)lost; }

  // Ends all ranks with this exit code. Any thread.
  [[noreturn]] virtual void abort(int code) = 0;
};

// The ranks that a launcher (mpirun, srun, PopRun) started, or a single one. Throws UserError where
// a launcher started several and this build has no MPI, or one that does not know that launcher;
// EveryRankError where nothing lets them find each other.
std::unique_ptr<Ranks> openRanks();

// How many ranks the launcher started, in all and on this host, and which one this is.
struct Launch {
  unsigned numRanks = 1, numOnHost = 1, rank = 0;
  bool joined = true; // by a service that MPI finds the others with
};
Launch launchOf(const char* (*variable)(const char* name)); // nullptr: not set
Launch launchHere();                                        // of this process

// Threads for a rank that shares its host with others: the cores it may use, divided by the ranks
// where the launcher has not bound each to its own.
unsigned threadsOfRank();

} // namespace spillway
