#include "engine/ThreadTeam.hpp"

#include "engine/SubnormalsAreZero.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ipumodel {

namespace {

// A helper that is done with its share waits for the next superstep while others finish theirs,
// which takes a fraction of a superstep. Waking it would take as long, so it stays awake for longer
// than most supersteps last, and for less than a time slice.
constexpr std::chrono::microseconds kSpinFor{500};
constexpr int kPausesBetweenClocks = 16;

// The bits of ThreadTeam::state_. When the number of jobs wraps, a helper that slept through all of
// them misses one more, which is its right.
constexpr std::uint32_t kHelpers = (1u << 11) - 1;
constexpr std::uint32_t kOpen = 1u << 11;
constexpr std::uint32_t kOneJob = 1u << 12;
constexpr std::uint32_t kJobs = ~(kOneJob - 1);

inline void pause() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

// Returns the value once it differs from `seen`.
std::uint32_t waitForChange(const std::atomic<std::uint32_t>& value, std::uint32_t seen) {
  const auto end = std::chrono::steady_clock::now() + kSpinFor;
  do {
    for (int i = 0; i < kPausesBetweenClocks; ++i) {
      const std::uint32_t now = value.load(std::memory_order_acquire);
      if (now != seen)
        return now;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  value.wait(seen, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

} // namespace

unsigned ThreadTeam::availableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  return std::max(1u, std::thread::hardware_concurrency());
}

ThreadTeam::ThreadTeam(unsigned numThreads)
    : numThreads_(std::min(numThreads, 1000u)), errors_(numThreads_) {}

ThreadTeam::~ThreadTeam() {
  stop_.store(true, std::memory_order_relaxed);
  state_.fetch_add(kOneJob, std::memory_order_release);
  state_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
}

void ThreadTeam::callGuarded(unsigned thread) {
  try {
    function_(context_, thread);
  } catch (...) {
    errors_[thread] = std::current_exception();
  }
}

void ThreadTeam::help(unsigned thread) {
  const SubnormalsAreZero asTheCaller;
  std::uint32_t doneJob = 0;
  std::uint32_t state = state_.load(std::memory_order_acquire);
  while (!stop_.load(std::memory_order_relaxed)) {
    if ((state & kJobs) == doneJob || !(state & kOpen)) {
      state = waitForChange(state_, state);
      continue;
    }
    // Sign in, unless the job closes first; the caller waits for those who are in.
    if (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acquire))
      continue;
    doneJob = state & kJobs;
    callGuarded(thread);
    state = state_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (!(state & kOpen) && (state & kHelpers) == 0)
      state_.notify_all();
  }
}

void ThreadTeam::runErased(Function function, void* context) {
  if (numThreads_ == 1) {
    function(context, 0);
    return;
  }
  if (threads_.empty())
    for (unsigned thread = 1; thread < numThreads_; ++thread)
      threads_.emplace_back(&ThreadTeam::help, this, thread);
  function_ = function;
  context_ = context;
  // The last job is closed and nobody is in it, so the low bits are zero.
  state_.fetch_add(kOneJob | kOpen, std::memory_order_release);
  state_.notify_all();
  callGuarded(0);
  std::uint32_t state = state_.fetch_and(~kOpen, std::memory_order_acq_rel) & ~kOpen;
  while (state & kHelpers)
    state = waitForChange(state_, state);
  for (std::exception_ptr& error : errors_)
    if (error)
      std::rethrow_exception(std::exchange(error, nullptr));
}

} // namespace ipumodel
