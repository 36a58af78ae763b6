#include "engine/ThreadTeam.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ipumodel {

namespace {

// About 20 microseconds: longer than a small superstep, shorter than a time slice.
constexpr int kSpins = 400;

inline void pause() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

// Returns once `value` differs from `seen`.
void waitForChange(const std::atomic<std::uint32_t>& value, std::uint32_t seen) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (value.load(std::memory_order_acquire) != seen)
      return;
    pause();
  }
  while (value.load(std::memory_order_acquire) == seen)
    value.wait(seen, std::memory_order_acquire);
}

} // namespace

unsigned ThreadTeam::availableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

ThreadTeam::ThreadTeam(unsigned numThreads) : numThreads_(numThreads), errors_(numThreads) {}

ThreadTeam::~ThreadTeam() {
  stop_.store(true, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
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

void ThreadTeam::work(unsigned thread) {
  std::uint32_t seen = 0;
  while (true) {
    waitForChange(generation_, seen);
    seen = generation_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed))
      return;
    callGuarded(thread);
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      unfinished_.notify_one();
  }
}

void ThreadTeam::runErased(Function function, void* context) {
  if (numThreads_ == 1) {
    function(context, 0);
    return;
  }
  if (threads_.empty())
    for (unsigned thread = 1; thread < numThreads_; ++thread)
      threads_.emplace_back(&ThreadTeam::work, this, thread);
  function_ = function;
  context_ = context;
  unfinished_.store(numThreads_ - 1, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  callGuarded(0);
  for (std::uint32_t left = unfinished_.load(std::memory_order_acquire); left != 0;
       left = unfinished_.load(std::memory_order_acquire))
    waitForChange(unfinished_, left);
  for (std::exception_ptr& error : errors_)
    if (error)
      std::rethrow_exception(std::exchange(error, nullptr));
}

} // namespace ipumodel
