#include "train/Interrupt.hpp"

#include <ctime>

namespace spillway {
namespace {

// A handler can reach nothing but a variable of static storage.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t interruptRequested = 0;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): nor anything else
volatile std::time_t requestedAt = 0;

std::time_t secondsNow() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now); // one of the few that a handler may call
  return now.tv_sec;
}

void request(int signal) {
  if (interruptRequested == 0) {
    requestedAt = secondsNow();
    interruptRequested = 1;
    return;
  }
  // A second line nobody reads must not end it while the run is saved; nor must a launcher that
  // passes on what every process of the job was sent already.
  if (signal != SIGPIPE && secondsNow() - requestedAt > Interrupt::kSameRequestSeconds) {
    std::signal(signal, SIG_DFL);
    std::raise(signal); // when the handler has returned
  }
}

} // namespace

Interrupt::Interrupt() {
  interruptRequested = 0;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    before_[i] = std::signal(kSignals[i], request);
    if (kSignals[i] == SIGHUP && before_[i] == SIG_IGN) {
      std::signal(SIGHUP, SIG_IGN); // nohup
    }
  }
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    std::signal(kSignals[i], before_[i]);
  }
}

bool Interrupt::requested() {
  return interruptRequested != 0;
}

} // namespace spillway
