// Ctrl-C, SIGTERM, SIGUSR1, SIGHUP and SIGPIPE as a request rather than an end: the loop finishes its
// step and saves.
#pragma once

namespace spillway {

// Listens while it lives (one at a time); a second signal ends the process at once.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool requested();
};

} // namespace spillway
