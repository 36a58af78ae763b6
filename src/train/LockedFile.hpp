// A file that one process at a time may hold under its name.
#pragma once

#include <filesystem>
#include <functional>

namespace spillway {

// Takes the lock of an open file; false only where another process holds it. File systems without
// locks refuse nobody.
bool lockAtOnce(int descriptor);

// Makes the file, or takes what a killed process left of it, and holds it while the object lives;
// others wait meanwhile. The lock is the descriptor's, so it ends with the process, whatever ends
// it. On a file system without locks nobody waits.
class LockedFile {
public:
  // `waiting` is called once, where another process holds the file.
  explicit LockedFile(
      std::filesystem::path path, const std::function<void()>& waiting = [] {});
  ~LockedFile(); // removes the file, unless it was renamed
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  int descriptor() const { return descriptor_; } // below 0: not to be made, errno says why

private:
  bool isStillNamed() const;

  std::filesystem::path path_;
  int descriptor_ = -1;
};

} // namespace spillway
