#include "train/Progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace spillway {

std::string formatDuration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::max(0.0, seconds) + 0.5);
  const std::uint64_t hours = whole / 3600, minutes = whole / 60 % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60)
                   : fmt::format("{}:{:02}", minutes, whole % 60);
}

ProgressStyle Progress::styleFor(int descriptor) {
  return ::isatty(descriptor) != 0 ? ProgressStyle::Live : ProgressStyle::Plain;
}

Progress::Progress(std::ostream& out, ProgressStyle style) : out_(out), style_(style) {}

void Progress::update(const ProgressState& state) {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  firstUpdate_ = std::min(firstUpdate_, state.update - 1);
  const bool due = now - shown_ >= (style_ == ProgressStyle::Live ? Clock::duration(100ms) : 30s);
  if (style_ == ProgressStyle::Silent || !due) {
    return;
  }
  shown_ = now;
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  const double perUpdate = elapsed / static_cast<double>(state.update - firstUpdate_);
  const std::string text = fmt::format(
      "epoch {}/{}  update {}/{}  loss {:.4f}  accuracy {:.1f} %  {:.0f} samples/s  ETA {}",
      state.epoch, state.numEpochs, state.update, state.numUpdates, state.loss,
      100.0 * state.accuracy, state.samplesPerSecond,
      formatDuration(perUpdate * static_cast<double>(state.numUpdates - state.update)));
  if (style_ == ProgressStyle::Live) {
    out_ << '\r' << text << "\x1b[K" << std::flush;
    lineOpen_ = true;
  } else {
    out_ << text << std::endl;
  }
}

void Progress::finish() {
  if (lineOpen_) {
    out_ << std::endl;
    lineOpen_ = false;
  }
}

void Progress::line(const std::string& text) {
  if (style_ == ProgressStyle::Silent) {
    return;
  }
  if (lineOpen_) {
    out_ << "\r\x1b[K";
    lineOpen_ = false;
  }
  out_ << text << std::endl;
}

} // namespace spillway
