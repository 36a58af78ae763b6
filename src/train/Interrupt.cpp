#include "train/Interrupt.hpp"

#include <csignal>

namespace spillway {
namespace {

// A handler can reach nothing but a variable of static storage.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t interruptRequested = 0;

void request(int signal) {
  interruptRequested = 1;
  std::signal(signal, SIG_DFL);
}

} // namespace

Interrupt::Interrupt() {
  interruptRequested = 0;
  std::signal(SIGINT, request);
  std::signal(SIGTERM, request);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interrupt::requested() {
  return interruptRequested != 0;
}

} // namespace spillway
