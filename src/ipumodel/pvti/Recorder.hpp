// What tracepoints of a process have recorded.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace ipumodel {

// The phases of Chrome's Trace Event format.
enum class TracePhase : char { Begin = 'B', End = 'E', Instant = 'i' };

// The process has one: tracepoints are made anywhere, and the trace is written when the process
// ends.
class TraceRecorder {
public:
  static TraceRecorder& instance();
  ~TraceRecorder();

  bool isEnabled() const { return isEnabled_; }
  void add(TracePhase phase, const std::string& channel, const std::string& label);

private:
  TraceRecorder();
  void write() const;

  struct Event {
    TracePhase phase;
    double microseconds;
    std::size_t thread;
    std::string channel, label;
  };
  bool isEnabled_ = false;
  std::string directory_ = ".";
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::vector<Event> events_;
};

} // namespace ipumodel
