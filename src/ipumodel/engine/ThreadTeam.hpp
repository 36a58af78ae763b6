// A fixed set of threads that run one function together and meet at its end.
//
// Threads spin briefly for the next job and then sleep, so a superstep of microseconds does not pay
// for a wake-up and an idle engine costs nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace ipumodel {

class ThreadTeam {
public:
  // The calling thread is one of the team; numThreads - 1 threads are started at the first run().
  // REQUIRES: numThreads >= 1.
  explicit ThreadTeam(unsigned numThreads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  unsigned size() const { return numThreads_; }

  // Calls job(thread) for thread = 0 .. size()-1, 0 on the caller, and returns when all have. The
  // first exception in thread order is thrown on.
  template <class Job>
  void run(Job& job) {
    runErased([](void* context, unsigned thread) { (*static_cast<Job*>(context))(thread); }, &job);
  }

  // Cores this process may use.
  static unsigned availableCores();

private:
  using Function = void (*)(void* context, unsigned thread);

  void runErased(Function function, void* context);
  void work(unsigned thread);
  void callGuarded(unsigned thread);

  unsigned numThreads_;
  std::vector<std::thread> threads_;
  std::vector<std::exception_ptr> errors_;
  Function function_ = nullptr;
  void* context_ = nullptr;
  alignas(64) std::atomic<std::uint32_t> generation_{0};
  alignas(64) std::atomic<std::uint32_t> unfinished_{0};
  std::atomic<bool> stop_{false};
};

} // namespace ipumodel
