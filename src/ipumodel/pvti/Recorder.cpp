#include "pvti/Recorder.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <thread>

namespace ipumodel {

TraceRecorder& TraceRecorder::instance() {
  static TraceRecorder recorder;
  return recorder;
}

TraceRecorder::TraceRecorder() {
  const char* text = std::getenv("PVTI_OPTIONS");
  if (!text)
    return;
  const auto options = nlohmann::json::parse(text, nullptr, false);
  if (!options.is_object()) {
    std::cerr << "PVTI_OPTIONS is not a JSON object; nothing is traced\n";
    return;
  }
  const auto enable = options.find("enable");
  isEnabled_ = enable != options.end() && (*enable == true || *enable == "true");
  if (const auto directory = options.find("directory");
      directory != options.end() && directory->is_string())
    directory_ = directory->get<std::string>();
}

// A trace that cannot be written must not take the program's own exit down with it.
TraceRecorder::~TraceRecorder() {
  try {
    if (isEnabled_)
      write();
  } catch (const std::exception& e) {
    std::cerr << "the trace was not written: " << e.what() << "\n";
  }
}

void TraceRecorder::add(TracePhase phase, const std::string& channel, const std::string& label) {
  if (!isEnabled_)
    return;
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start_;
  const std::size_t thread = std::hash<std::thread::id>()(std::this_thread::get_id());
  const std::lock_guard lock(mutex_);
  events_.push_back({phase, time.count(), thread, channel, label});
}

void TraceRecorder::write() const {
  nlohmann::json events = nlohmann::json::array();
  for (const Event& e : events_)
    events.push_back({{"ph", std::string(1, static_cast<char>(e.phase))},
                      {"ts", e.microseconds},
                      {"pid", ::getpid()},
                      {"tid", e.thread},
                      {"cat", e.channel},
                      {"name", e.label}});
  std::filesystem::create_directories(directory_);
  const auto path =
      std::filesystem::path(directory_) / (std::to_string(::getpid()) + ".trace.json");
  std::ofstream file(path);
  file << nlohmann::json({{"traceEvents", events}, {"displayTimeUnit", "ms"}}).dump() << "\n";
  if (!file)
    throw std::runtime_error("cannot write " + path.string());
}

} // namespace ipumodel
