// Threads that help the calling thread with one job at a time.
//
// Helping is voluntary: a job is a set of parts that whoever is there takes one by one, the caller
// included. A helper that wakes late, because its core is busy with something else, finds nothing
// left and holds nobody up. Helpers spin for a while for the next job and then sleep, so supersteps
// do not pay for wake-ups and an idle engine costs nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace ipumodel {

class ThreadTeam {
public:
  // The calling thread counts as one; the others are started at the first run(). REQUIRES: 1 to
  // 1000.
  explicit ThreadTeam(unsigned numThreads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  unsigned size() const { return numThreads_; }

  // Calls job(0) on the caller and job(thread) on helpers that come in time; returns when all calls
  // have. REQUIRES: job(0) returns only when all parts have been taken. The first exception in
  // thread order is thrown on.
  template <class Job>
  void run(Job& job) {
    runErased([](void* context, unsigned thread) { (*static_cast<Job*>(context))(thread); }, &job);
  }

  // Cores this process may use.
  static unsigned availableCores();

private:
  using Function = void (*)(void* context, unsigned thread);

  void runErased(Function function, void* context);
  void help(unsigned thread);
  void callGuarded(unsigned thread);

  unsigned numThreads_;
  std::vector<std::thread> threads_;
  std::vector<std::exception_ptr> errors_;
  Function function_ = nullptr;
  void* context_ = nullptr;
  // Number of the job, whether it is open to helpers, and how many are at it: see ThreadTeam.cpp.
  alignas(64) std::atomic<std::uint32_t> state_{0};
  std::atomic<bool> stop_{false};
};

} // namespace ipumodel
