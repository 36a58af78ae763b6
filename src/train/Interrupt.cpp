#include "train/Interrupt.hpp"

namespace spillway {
namespace {

// A handler can reach nothing but a variable of static storage.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t interruptRequested = 0;

void request(int signal) {
  interruptRequested = 1;
  // A second Ctrl-C ends at once; a second line nobody reads must not, while the run is saved.
  std::signal(signal, signal == SIGPIPE ? SIG_IGN : SIG_DFL);
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
