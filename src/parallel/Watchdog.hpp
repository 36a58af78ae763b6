// Notices ranks that no longer answer. mpirun ends a job when a process ends; of one that is
// stopped, or whose host cannot be reached, it hears nothing, and the others would wait for ever.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace spillway {

// A thread that tells the rank before this one, twice a second, that this one is alive, and hears
// the same of the rank after it. Counted are its own wakings: where all ranks are stopped together,
// as a suspended job's are, none is silent.
class Watchdog {
public:
  // Collective over all ranks of MPI, which must have been initialised for several threads.
  // lost: called once, in the watchdog's thread.
  explicit Watchdog(std::function<void(unsigned silent)> lost);
  ~Watchdog(); // collective
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

private:
  struct Beats; // MPI's part

  void run();

  std::function<void(unsigned)> lost_;
  std::unique_ptr<Beats> beats_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  std::thread thread_;
};

} // namespace spillway
