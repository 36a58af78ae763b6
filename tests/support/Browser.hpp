// A page as headless Chromium sees it after its scripts have run.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace spillway {

inline bool browserIsInstalled() {
  return std::system("command -v chromium > /dev/null 2>&1") == 0;
}

// The document after loading, mixed with what the browser logs: lines with CONSOLE are the page's
// errors and warnings. `scratch` is a folder for the browser's own files.
inline std::string openInBrowser(const std::filesystem::path& page,
                                 const std::filesystem::path& scratch) {
  const std::string command = "timeout 120 chromium --headless --no-sandbox --disable-gpu "
                              "--enable-logging=stderr --v=0 --window-size=1300,1600 "
                              "--user-data-dir=" +
                              scratch.string() + " --dump-dom file://" + page.string() + " 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    output.append(buffer.data(), n);
  }
  ::pclose(pipe);
  return output;
}

} // namespace spillway
