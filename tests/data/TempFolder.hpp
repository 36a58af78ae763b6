// A folder that lives as long as a test, and bytes put into files there.
#pragma once

#include "network/CounterRandom.hpp"
#include "support/TemporaryFolder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

inline void overwrite(const std::filesystem::path& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

// Whether `read` throws Error, which then has to name the file.
template <typename Error>
bool isRefused(const std::filesystem::path& path, const std::function<void()>& read) {
  try {
    read();
    return false;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(path.filename().string()), std::string::npos)
        << error.what();
    return true;
  }
}

// Cuts the file to every `stride`-th length and reads it: each time either all is well or the user
// is told, with the file's name. Returns how often the reader refused.
template <typename Error>
std::size_t readEveryPrefix(const std::filesystem::path& path, std::size_t stride,
                            const std::function<void()>& read) {
  const Bytes whole = bytesOf(path);
  std::size_t numRefused = 0;
  for (std::size_t length = 0; length < whole.size(); length += stride) {
    overwrite(path, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
    numRefused += isRefused<Error>(path, read) ? 1 : 0;
  }
  overwrite(path, whole);
  return numRefused;
}

// Replaces each `stride`-th byte in turn, in a few ways, and reads; only Error may come out, and it
// names the file. Returns how often the reader refused.
template <typename Error>
std::size_t readWithDamagedBytes(const std::filesystem::path& path, std::size_t stride,
                                 const std::function<void()>& read) {
  const Bytes whole = bytesOf(path);
  std::size_t numRefused = 0;
  for (std::size_t at = 0; at < whole.size(); at += stride) {
    for (int flip : {0xff, 0x80, 0x01}) {
      Bytes damaged = whole;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ flip);
      overwrite(path, damaged);
      numRefused += isRefused<Error>(path, read) ? 1 : 0;
    }
  }
  overwrite(path, whole);
  return numRefused;
}

// Reads `numTrials` files that are bad in several places at once: bytes replaced by random ones and
// by the ends of their range, spans left out, doubled or put elsewhere. The seed decides all of it.
template <typename Error>
void readMutations(const std::filesystem::path& path, std::uint64_t seed, std::size_t numTrials,
                   const std::function<void()>& read) {
  const Bytes whole = bytesOf(path);
  for (std::size_t trial = 0; trial < numTrials; ++trial) {
    const CounterRandom random(seed, {trial});
    Bytes damaged = whole;
    const std::uint64_t numChanges = 1 + random.below(0, 4);
    for (std::uint64_t change = 0; change < numChanges && !damaged.empty(); ++change) {
      const std::uint64_t index = 8 * (change + 1);
      const std::size_t at = random.below(index, damaged.size());
      const auto place = damaged.begin() + static_cast<std::ptrdiff_t>(at);
      const std::size_t length =
          1 + random.below(index + 1, std::min<std::size_t>(16, damaged.size() - at));
      const auto end = place + static_cast<std::ptrdiff_t>(length);
      const Bytes span(place, end);
      switch (random.below(index + 2, 5)) {
      case 0:
        std::generate(place, end, [&, i = index << 8]() mutable {
          return static_cast<std::uint8_t>(random.below(i++, 256));
        });
        break;
      case 1:
        std::fill(place, end, random.below(index + 3, 2) == 0 ? 0x00 : 0xff);
        break;
      case 2:
        damaged.erase(place, end);
        break;
      case 3:
        damaged.insert(place, span.begin(), span.end());
        break;
      default:
        damaged.erase(place, end);
        damaged.insert(damaged.begin() +
                           static_cast<std::ptrdiff_t>(random.below(index + 4, damaged.size() + 1)),
                       span.begin(), span.end());
      }
    }
    overwrite(path, damaged);
    isRefused<Error>(path, read);
  }
  overwrite(path, whole);
}

} // namespace spillway::test
