#include "cli/ShowPage.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace spillway {

void showPage(const std::filesystem::path& page, std::ostream& out) {
  const char* given = std::getenv("BROWSER");
  std::string program = given != nullptr && *given != '\0' ? given : "xdg-open";
  std::string address = "file://" + std::filesystem::absolute(page).lexically_normal().string();
  const std::array<char*, 3> arguments{program.data(), address.data(), nullptr};
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet); // browsers talk
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  if (failed != 0) {
    out << "no browser: " << program << " cannot be started; open " << address << "\n";
  }
}

} // namespace spillway
