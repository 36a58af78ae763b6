// A folder that lives as long as a test, and bytes put into files there.
#pragma once

#include "support/TemporaryFolder.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace spillway::test {

using Bytes = std::vector<std::uint8_t>;

class TempFolder : public TemporaryFolder {
public:
  std::filesystem::path operator/(const std::string& name) const { return path() / name; }

  std::filesystem::path write(const std::string& name, const Bytes& bytes) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return path() / name;
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    return write(name, Bytes(text.begin(), text.end()));
  }
};

inline Bytes bytesOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The message of the exception of type Error that `act` throws; "" if none.
template <typename Error>
std::string messageOf(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Cuts the file to every `stride`-th length and reads it: each time either all is well or the user
// is told, with the file's name. Returns how often the reader refused.
template <typename Error>
std::size_t readEveryPrefix(const std::filesystem::path& path, std::size_t stride,
                            const std::function<void()>& read) {
  const Bytes whole = bytesOf(path);
  std::size_t numRefused = 0;
  for (std::size_t length = 0; length < whole.size(); length += stride) {
    std::filesystem::resize_file(path, 0);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(whole.data()), static_cast<std::streamsize>(length));
    try {
      read();
    } catch (const Error& error) {
      ++numRefused;
      EXPECT_NE(std::string(error.what()).find(path.filename().string()), std::string::npos)
          << error.what();
    }
  }
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(whole.data()),
             static_cast<std::streamsize>(whole.size()));
  return numRefused;
}

// Replaces each `stride`-th byte in turn, in a few ways, and reads; only Error may come out.
template <typename Error>
void readWithDamagedBytes(const std::filesystem::path& path, std::size_t stride,
                          const std::function<void()>& read) {
  const Bytes whole = bytesOf(path);
  for (std::size_t at = 0; at < whole.size(); at += stride) {
    for (int flip : {0xff, 0x80, 0x01}) {
      Bytes damaged = whole;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ flip);
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<const char*>(damaged.data()),
                 static_cast<std::streamsize>(damaged.size()));
      try {
        read();
      } catch (const Error&) {
      }
    }
  }
}

} // namespace spillway::test
