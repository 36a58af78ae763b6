// What `spillway` returns to the shell; README.md lists the same.
#pragma once

namespace spillway {

enum class ExitCode : int {
  Done = 0,
  Failed = 1, // a check that was asked for failed, or Spillway itself did: its message says which
  UserMistake = 2,  // arguments, configuration or data that cannot be used
  InputOutput = 3,  // a file or folder that cannot be read or written
  Interrupted = 130 // Ctrl-C or SIGTERM; the run is saved
};

} // namespace spillway
