#include "data/FindFile.hpp"

#include "network/IoError.hpp"

#include <cstdlib>

namespace spillway {

std::filesystem::path dataFolder(const DataSettings& settings) {
  std::vector<std::filesystem::path> candidates;
  if (!settings.path.empty()) {
    candidates.emplace_back(settings.path);
  } else {
    if (const char* root = std::getenv("SPILLWAY_DATA")) {
      candidates.push_back(std::filesystem::path(root) / settings.set);
    }
    candidates.push_back(std::filesystem::path("data") / settings.set);
    candidates.push_back(std::filesystem::path("/usr/share/datasets") / settings.set); // Debian's
  }
  for (const std::filesystem::path& folder : candidates) {
    if (std::filesystem::is_directory(folder)) {
      return folder;
    }
  }
  throw IoError(candidates.front().string() + ": no such folder; scripts/get-data " + settings.set +
                " gets the data or says where from, data.path says where it is");
}

std::optional<std::filesystem::path> findFileIfAny(const std::filesystem::path& folder,
                                                   const std::string& prefix,
                                                   const std::string& part,
                                                   const std::vector<std::string>& endings) {
  for (const std::string& ending : endings) {
    std::filesystem::path found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with(prefix) || !name.ends_with(ending) ||
          name.find(part) == std::string::npos) {
        continue;
      }
      if (!found.empty()) {
        throw UserError(folder.string() + ": both " + found.filename().string() + " and " + name +
                        " could be meant; keep one of them in the folder");
      }
      found = entry.path();
    }
    if (!found.empty()) {
      return found;
    }
  }
  return std::nullopt;
}

std::filesystem::path findFile(const std::filesystem::path& folder, const std::string& prefix,
                               const std::string& part, const std::vector<std::string>& endings) {
  if (const auto found = findFileIfAny(folder, prefix, part, endings)) {
    return *found;
  }
  throw IoError(folder.string() + ": holds no file " + prefix + "*" +
                (part.empty() ? "" : part + "*") + endings.front());
}

} // namespace spillway
