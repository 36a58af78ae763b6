#include "graph/DebugStreamer.hpp"

#include <poplar/exceptions.hpp>

#include <nlohmann/json.hpp>

#include <fstream>

namespace ipumodel {

DebugStreamer::DebugStreamer() = default;

DebugStreamer& DebugStreamer::instance() {
  static DebugStreamer streamer;
  return streamer;
}

void DebugStreamer::open(const std::string& fileName, poplar::DebugSerializationFormat format) {
  const std::lock_guard lock(mutex_);
  fileName_ = fileName;
  format_ = format;
  records_ = std::make_unique<nlohmann::json>(nlohmann::json::array());
}

void DebugStreamer::close() {
  const std::lock_guard lock(mutex_);
  if (!records_)
    return;
  const nlohmann::json document = {{"contexts", std::move(*records_)}};
  records_.reset();
  std::ofstream file(fileName_, std::ios::binary);
  if (format_ == poplar::DebugSerializationFormat::CBOR)
    nlohmann::json::to_cbor(document, file);
  else
    file << document.dump(1);
  if (!file)
    throw poplar::poplar_error("cannot write debug information to '" + fileName_ + "'");
}

bool DebugStreamer::isOpen() const {
  const std::lock_guard lock(mutex_);
  return records_ != nullptr;
}

void DebugStreamer::add(const nlohmann::json& record) {
  const std::lock_guard lock(mutex_);
  if (records_)
    records_->push_back(record);
}

} // namespace ipumodel
