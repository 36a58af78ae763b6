// Marks stretches of a host program on a time line.
//
// PVTI_OPTIONS='{"enable":"true","directory":"traces"}' makes the process write what it marked,
// when it ends, to traces/<pid>.trace.json in Chrome's Trace Event format; Perfetto opens it.
#pragma once

#include <cstddef>
#include <string>

namespace pvti {

// A row of the time line.
class TraceChannel {
public:
  TraceChannel(const std::string& name) : name_(name) {}
  const std::string& name() const { return name_; }

private:
  std::string name_;
};

// From its construction to its destruction.
class Tracepoint {
public:
  Tracepoint(const TraceChannel* channel, const std::string& traceLabel);
  Tracepoint(const TraceChannel* channel, const char* traceLabel);
  Tracepoint(const TraceChannel* channel, const char* traceLabel, std::size_t length);
  Tracepoint(const Tracepoint&) = delete;
  Tracepoint& operator=(const Tracepoint&) = delete;
  ~Tracepoint();

  // The same by hand, where the two ends are in different scopes.
  static void begin(const TraceChannel* channel, const std::string& traceLabel);
  static void end(const TraceChannel* channel, const std::string& traceLabel);
  // A moment.
  static void event(const TraceChannel* channel, const std::string& traceLabel);

private:
  const TraceChannel* channel_;
  std::string label_;
};

} // namespace pvti
