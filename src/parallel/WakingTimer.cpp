#include "parallel/WakingTimer.hpp"

#include <utility>

namespace spillway {
namespace {

constexpr std::chrono::milliseconds kBetweenWakings{100};

} // namespace

WakingTimer::WakingTimer(std::chrono::milliseconds patience, std::function<void()> expired)
    : expired_(std::move(expired)), thread_([this, patience] { run(patience); }) {}

WakingTimer::~WakingTimer() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void WakingTimer::run(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  for (auto left = patience; left > patience.zero(); left -= kBetweenWakings) {
    if (changed_.wait_for(lock, kBetweenWakings, [this] { return ends_; })) {
      return;
    }
  }
  expired_();
}

} // namespace spillway
