// Compiled codelets on disk, so that a second start does not compile. Shared by processes: entries
// are immutable and appear by rename.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ipumodel::popc {

// $IPUMODEL_CACHE_DIR, else $XDG_CACHE_HOME/spillway, else ~/.cache/spillway. When that cannot be
// written nothing is kept, and nothing fails.
class Cache {
public:
  Cache();

  // The .gp made from `request` (a hash of source and flags), provided the files it included have
  // not changed since.
  std::optional<std::string> find(const std::string& request) const;
  void store(const std::string& request, const std::vector<std::filesystem::path>& includedFiles,
             std::string_view graphProgram) const;

  // Held while a request is compiled, so that another process that asks for the same, as builds for
  // several targets do, waits and then finds it. Without a directory it holds nothing.
  class Claim {
  public:
    Claim(const Cache& cache, const std::string& request);
    ~Claim();
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

  private:
    std::filesystem::path path_;
    int descriptor_ = -1;
  };

  const std::filesystem::path& directory() const { return directory_; }

private:
  std::filesystem::path directory_; // empty when there is none
};

} // namespace ipumodel::popc
