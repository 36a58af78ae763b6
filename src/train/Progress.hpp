// Shows how training goes: one live line on a terminal, plain lines elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

namespace spillway {

enum class ProgressStyle { Live, Plain, Silent };

struct ProgressState {
  std::uint64_t epoch = 0, numEpochs = 0; // epoch from 1
  std::uint64_t update = 0, numUpdates = 0;
  double loss = 0.0;              // of the epoch so far
  std::optional<double> accuracy; // the same; none where there are no classes
  double samplesPerSecond = 0.0;
};

class Progress {
public:
  // `columns` is asked for the terminal's width whenever the live line is drawn; 0: no limit.
  explicit Progress(
      std::ostream& out, ProgressStyle style,
      std::function<std::size_t()> columns = [] { return std::size_t{0}; });
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Live: redraws at most ten times a second. Plain: a line every half minute.
  void update(const ProgressState& state);
  // A line that stays.
  void line(const std::string& text);
  // The same in every style: what nobody should miss.
  void warn(const std::string& text);
  // Ends the live line, so that what others print begins on one of its own.
  void finish();

  static ProgressStyle styleFor(int descriptor); // Live if it is a terminal
  static std::size_t columnsOf(int descriptor);  // its width now; 0: not known

private:
  using Clock = std::chrono::steady_clock;

  std::ostream& out_;
  ProgressStyle style_;
  std::function<std::size_t()> columns_;
  Clock::time_point started_ = Clock::now(), shown_ = Clock::now();
  std::uint64_t firstUpdate_ = UINT64_MAX;
  bool lineOpen_ = false;
};

std::string formatDuration(double seconds); // "0:07", "12:34", "3:05:00"

} // namespace spillway
