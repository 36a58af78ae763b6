// Patience that a suspended process does not lose.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace spillway {

// Counts its own wakings, not what a clock says: while a process is stopped, or its machine sleeps,
// nobody had a chance to do what is waited for.
class WakingTimer {
public:
  // expired: called once, in a thread of its own, unless the timer ends before.
  WakingTimer(std::chrono::milliseconds patience, std::function<void()> expired);
  ~WakingTimer();
  WakingTimer(const WakingTimer&) = delete;
  WakingTimer& operator=(const WakingTimer&) = delete;

private:
  void run(std::chrono::milliseconds patience);

  std::function<void()> expired_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  std::thread thread_;
};

} // namespace spillway
