#include "profile/ProfileFiles.hpp"

#include "profile/ChromeTrace.hpp"
#include "profile/ProfileJson.hpp"
#include "profile/ProfileSqlite.hpp"
#include "profile/Summary.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace ipumodel {

void writeProfileFiles(const std::string& directory, const ProfileData& profile) {
  const std::filesystem::path folder = directory;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw std::runtime_error("cannot make the report folder " + directory + ": " + error.message());
  const auto write = [&](const char* name, const auto& writer) {
    const std::string path = (folder / name).string();
    std::ofstream file(path);
    writer(file);
    file.flush();
    if (!file)
      throw std::runtime_error("cannot write " + path);
  };
  write("profile.json", [&](std::ostream& out) { writeProfileJson(out, profile); });
  write("summary.txt", [&](std::ostream& out) {
    printSummary(out, profile,
                 {.showExecutionSteps = true, .showVarStorage = true, .showMachine = true});
  });
  if (profile.execution.recorded)
    write("trace.json", [&](std::ostream& out) { writeChromeTrace(out, profile); });
  writeProfileSqlite((folder / "profile.sqlite").string(), profile);
}

} // namespace ipumodel
