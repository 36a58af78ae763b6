#include "train/Interrupt.hpp"

#include <array>
#include <csignal>

namespace spillway {
namespace {

// A handler can reach nothing but a variable of static storage.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t interruptRequested = 0;

// Ctrl-C, the end of a session, what mpirun passes on to all of its ranks at once, a terminal that
// goes away, and output that nobody reads any more.
constexpr std::array kSignals{SIGINT, SIGTERM, SIGUSR1, SIGHUP, SIGPIPE};

void request(int signal) {
  interruptRequested = 1;
  // A second Ctrl-C ends at once; a second line nobody reads must not, while the run is saved.
  std::signal(signal, signal == SIGPIPE ? SIG_IGN : SIG_DFL);
}

} // namespace

Interrupt::Interrupt() {
  interruptRequested = 0;
  for (int signal : kSignals) {
    const auto before = std::signal(signal, request);
    if (signal == SIGHUP && before == SIG_IGN) {
      std::signal(signal, SIG_IGN); // nohup
    }
  }
}

Interrupt::~Interrupt() {
  for (int signal : {SIGINT, SIGTERM, SIGUSR1}) {
    std::signal(signal, SIG_DFL);
  }
}

bool Interrupt::requested() {
  return interruptRequested != 0;
}

} // namespace spillway
