#include "train/Progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace spillway {

std::string formatDuration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::max(0.0, seconds) + 0.5);
  const std::uint64_t hours = whole / 3600, minutes = whole / 60 % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60)
                   : fmt::format("{}:{:02}", minutes, whole % 60);
}

ProgressStyle Progress::styleFor(int descriptor) {
  const char* terminal = std::getenv("TERM");
  const bool redraws = terminal != nullptr && std::string_view(terminal) != "dumb";
  return ::isatty(descriptor) != 0 && redraws ? ProgressStyle::Live : ProgressStyle::Plain;
}

std::size_t Progress::columnsOf(int descriptor) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

namespace {

// A line that wraps cannot be redrawn: what matters least goes first, then the end is cut.
std::string fitted(const ProgressState& state, const std::string& eta, std::size_t columns) {
  const std::string epoch = fmt::format("epoch {}/{}", state.epoch, state.numEpochs);
  const std::string update = fmt::format("  update {}/{}", state.update, state.numUpdates);
  const std::string result =
      fmt::format("  loss {:.4f}", state.loss) +
      (state.accuracy ? fmt::format("  accuracy {:.1f} %", 100.0 * *state.accuracy) : "");
  const std::string speed = fmt::format("  {:.0f} samples/s", state.samplesPerSecond);
  const std::string full = epoch + update + result + speed + eta;
  if (columns == 0 || full.size() < columns) {
    return full;
  }
  for (const std::string& shorter : {epoch + update + result + eta, epoch + result + eta}) {
    if (shorter.size() < columns) {
      return shorter;
    }
  }
  return (epoch + result).substr(0, columns - 1);
}

} // namespace

Progress::Progress(std::ostream& out, ProgressStyle style, std::function<std::size_t()> columns)
    : out_(out), style_(style), columns_(std::move(columns)) {}

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
  const std::string eta =
      "  ETA " + formatDuration(perUpdate * static_cast<double>(state.numUpdates - state.update));
  const std::string text = fitted(state, eta, style_ == ProgressStyle::Live ? columns_() : 0);
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
  if (style_ != ProgressStyle::Silent) {
    warn(text);
  }
}

void Progress::warn(const std::string& text) {
  if (lineOpen_) {
    out_ << "\r\x1b[K";
    lineOpen_ = false;
  }
  out_ << text << std::endl;
}

} // namespace spillway
