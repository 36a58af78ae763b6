#include "train/Codelets.hpp"

#include "network/UserError.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace spillway {

std::string codeletsPath(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path executable = fs::read_symlink("/proc/self/exe", ignored);
  std::vector<fs::path> folders{executable.parent_path().parent_path() / "lib",
                                SPILLWAY_BUILD_CODELETS};
  if (const char* given = std::getenv("SPILLWAY_CODELETS")) {
    folders = {given};
  }
  std::string tried;
  for (const fs::path& folder : folders) {
    const fs::path candidate = folder / (name + ".gp");
    if (fs::exists(candidate, ignored)) {
      return candidate.string();
    }
    tried += (tried.empty() ? "" : " nor ") + candidate.string();
  }
  throw UserError("no codelets: neither " + tried +
                  " exists; SPILLWAY_CODELETS may name their folder");
}

} // namespace spillway
