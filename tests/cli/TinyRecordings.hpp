// Recordings in the layout of N-MNIST, one of each digit, that take no time to train on.
#pragma once

#include "support/TemporaryFolder.hpp"

#include <string>

namespace spillway {

inline constexpr const char* kRecordings = "[network]\nlayers = 8\n"
                                           "[data]\nset = nmnist\npath = data\n"
                                           "steps = 10\ndownsample = 2\n"
                                           "[train]\nbatchSize = 4\nmicroBatch = 2\n"
                                           "snapshotEvery = 1\n[machine]\nthreads = 1\n";

// HOST/data, with an event every so many ms.
inline void writeRecordings(const TemporaryFolder& folder, const std::string& host,
                            int milliseconds) {
  std::string recording;
  for (int i = 0; i < 40; ++i) {
    const int timeUs = 1000 * milliseconds * i;
    for (const int byte : {i * 5 % 34, i * i % 34, timeUs >> 16, timeUs >> 8 & 255, timeUs & 255}) {
      recording += static_cast<char>(byte);
    }
  }
  for (int digit = 0; digit < 10; ++digit) {
    for (const std::string split : {"/data/Train/", "/data/Test/"}) {
      const std::string place = host + split + std::to_string(digit) + "/1.bin";
      std::filesystem::create_directories((folder.path() / place).parent_path());
      folder.write(place, recording.substr(5 * static_cast<std::size_t>(digit)));
    }
  }
}

} // namespace spillway
