#include "data/FileTrial.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <new>

namespace spillway {

bool survivesInAChild(const std::filesystem::path& path, const std::function<void()>& read) {
  constexpr rlim_t kMostSeconds = 10, kBytesPerSecond = 10'000'000; // far slower than any disk
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  const rlim_t seconds = kMostSeconds + (error ? 0 : bytes / kBytesPerSecond);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(STDERR_FILENO); // a sanitiser's report of the crash
    const rlimit limit{seconds, seconds};
    ::setrlimit(RLIMIT_CPU, &limit);
    try {
      read();
    } catch (const std::bad_alloc&) {
      ::_exit(1);
    } catch (const std::exception&) {
    }
    ::_exit(0);
  }
  int status = 0;
  pid_t ended = child;
  while (child > 0 && (ended = ::waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  return child < 0 || ended != child || status == 0;
}

} // namespace spillway
