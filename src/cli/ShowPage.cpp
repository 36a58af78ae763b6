#include "cli/ShowPage.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace spillway {

std::string fileAddress(const std::filesystem::path& file) {
  static constexpr std::string_view kPlain = "-._~/"; // beside letters and digits
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string address = "file://";
  for (const char c : std::filesystem::absolute(file).lexically_normal().string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) != 0 || kPlain.find(c) != kPlain.npos)) {
      address += c;
    } else {
      address += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return address;
}

void showPage(const std::filesystem::path& page, std::ostream& out) {
  const char* given = std::getenv("BROWSER");
  std::string program = given != nullptr && *given != '\0' ? given : "xdg-open";
  std::string address = fileAddress(page);
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
