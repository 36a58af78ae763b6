// Ctrl-C, SIGTERM, SIGUSR1, SIGHUP and SIGPIPE as a request rather than an end: the loop finishes
// its step and saves.
#pragma once

#include <array>
#include <csignal>

namespace spillway {

// Listens while it lives (one at a time), then leaves the signals as it found them; a second
// request ends the process at once.
class Interrupt {
public:
  // Signals that follow within this time belong to the same request.
  static constexpr int kSameRequestSeconds = 1;

  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool requested();

private:
  // Ctrl-C, the end of a session, what mpirun passes on to all of its ranks at once, a terminal
  // that goes away, and output that nobody reads any more.
  static constexpr std::array kSignals{SIGINT, SIGTERM, SIGUSR1, SIGHUP, SIGPIPE};

  std::array<void (*)(int), kSignals.size()> before_{};
};

} // namespace spillway
