#include "train/ProcessMemory.hpp"

#include <malloc.h>

#include <fstream>
#include <string>

namespace spillway {
namespace {

// A field of /proc/self/status; getrusage() would also count what the process that started us had
// in memory. 0 where there is no such file.
std::uint64_t statusBytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string name; status >> name;) {
    std::uint64_t kibibytes = 0;
    if (name == field && status >> kibibytes) {
      return 1024 * kibibytes;
    }
    std::string rest;
    std::getline(status, rest);
  }
  return 0;
}

} // namespace

std::uint64_t residentMemoryBytes() {
  return statusBytes("VmRSS:");
}

std::uint64_t peakMemoryBytes() {
  return statusBytes("VmHWM:");
}

void giveBackLargeBlocks() {
  constexpr int kLargeBytes = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargeBytes); // naming it ends its adaptation
  mallopt(M_TRIM_THRESHOLD, kLargeBytes);
}

void forgetPeakMemory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5; // man 5 proc: resets the peak
}

} // namespace spillway
