#include "train/Interrupt.hpp"

#include <array>
#include <csignal>

namespace spillway {
namespace {

// A handler can reach nothing but a variable of static storage.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t interruptRequested = 0;

// Ctrl-C, the end of a session, and what mpirun passes on to all of its ranks at once.
constexpr std::array kSignals{SIGINT, SIGTERM, SIGUSR1};

void request(int signal) {
  interruptRequested = 1;
  std::signal(signal, SIG_DFL);
}

} // namespace

Interrupt::Interrupt() {
  interruptRequested = 0;
  for (int signal : kSignals) {
    std::signal(signal, request);
  }
}

Interrupt::~Interrupt() {
  for (int signal : kSignals) {
    std::signal(signal, SIG_DFL);
  }
}

bool Interrupt::requested() {
  return interruptRequested != 0;
}

} // namespace spillway
