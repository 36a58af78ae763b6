// The real executable on a real session, end to end, with a configuration that takes no time.
#pragma once

#include "RunSpillway.hpp"
#include "data/Hdf5File.hpp"
#include "support/TemporaryFolder.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace spillway {

namespace fs = std::filesystem;

inline constexpr const char* kTinyConfig = R"([network]
layers = 24
[readout]
reduction = max
[data]
set = randman
steps = 30
inputs = 20
classes = 3
samplesPerClass = 20
jitterSteps = 1
[train]
epochs = 6
batchSize = 7
weightScale = 4
snapshotEvery = 1
[learningRate]
peak = 5e-3
[checkpoint]
strategy = standard
)";

class TinyCommand : public testing::Test {
protected:
  TinyCommand() : config_(folder_.write("tiny.cfg", kTinyConfig).string()) {}

  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string trainTo(const std::string& name) const {
    return "train " + config_ + " --folder " + at(name);
  }
  std::vector<float> weights(const std::string& name) const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_.path() / name / "snapshots")) {
      files.push_back(entry.path());
    }
    const Hdf5Reader file(*std::max_element(files.begin(), files.end()));
    return file.read<float>("layer0/weight").values;
  }

  TemporaryFolder folder_;
  std::string config_;
};

// Starts the executable without waiting; its output is lost.
inline pid_t start(const std::string& arguments) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(null, STDERR_FILENO);
    const std::string command = "exec " SPILLWAY_EXECUTABLE " " + arguments;
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  return child;
}

inline int waitFor(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace spillway
