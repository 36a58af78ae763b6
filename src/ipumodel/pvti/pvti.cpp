#include "pvti/Recorder.hpp"

#include <pvti/pvti.hpp>

namespace pvti {

using ipumodel::TracePhase;
using ipumodel::TraceRecorder;

Tracepoint::Tracepoint(const TraceChannel* channel, const std::string& traceLabel)
    : Tracepoint(channel, traceLabel.data(), traceLabel.size()) {}
Tracepoint::Tracepoint(const TraceChannel* channel, const char* traceLabel)
    : Tracepoint(channel, std::string(traceLabel)) {}
Tracepoint::Tracepoint(const TraceChannel* channel, const char* traceLabel, std::size_t length)
    : channel_(TraceRecorder::instance().isEnabled() ? channel : nullptr) {
  if (!channel_)
    return;
  label_.assign(traceLabel, length);
  begin(channel_, label_);
}
Tracepoint::~Tracepoint() {
  if (channel_)
    end(channel_, label_);
}

void Tracepoint::begin(const TraceChannel* channel, const std::string& traceLabel) {
  TraceRecorder::instance().add(TracePhase::Begin, channel->name(), traceLabel);
}
void Tracepoint::end(const TraceChannel* channel, const std::string& traceLabel) {
  TraceRecorder::instance().add(TracePhase::End, channel->name(), traceLabel);
}
void Tracepoint::event(const TraceChannel* channel, const std::string& traceLabel) {
  TraceRecorder::instance().add(TracePhase::Instant, channel->name(), traceLabel);
}

} // namespace pvti
