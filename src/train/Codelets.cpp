#include "train/Codelets.hpp"

#include "network/UserError.hpp"

#include <cstdlib>
#include <filesystem>

namespace spillway {

std::string codeletsPath() {
  namespace fs = std::filesystem;
  if (const char* given = std::getenv("SPILLWAY_CODELETS")) {
    return given;
  }
  std::error_code ignored;
  const fs::path executable = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed =
      executable.parent_path().parent_path() / "lib" / "spillway_codelets.gp";
  for (const fs::path& candidate : {installed, fs::path(SPILLWAY_BUILD_CODELETS)}) {
    if (fs::exists(candidate, ignored)) {
      return candidate.string();
    }
  }
  throw UserError("no codelets: neither " + installed.string() +
                  " nor " SPILLWAY_BUILD_CODELETS " exists, and SPILLWAY_CODELETS is not set");
}

} // namespace spillway
