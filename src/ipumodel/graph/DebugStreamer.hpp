// Where DebugInfo records go while a streamer is open.
#pragma once

#include <poplar/DebugContext.hpp>

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <mutex>
#include <string>

namespace ipumodel {

// The process has one, because the public interface to it is static.
class DebugStreamer {
public:
  static DebugStreamer& instance();

  void open(const std::string& fileName, poplar::DebugSerializationFormat format);
  // Writes the file. Throws poplar::poplar_error when it cannot.
  void close();
  bool isOpen() const;
  void add(const nlohmann::json& record);

private:
  DebugStreamer();
  mutable std::mutex mutex_;
  std::string fileName_;
  poplar::DebugSerializationFormat format_ = poplar::DebugSerializationFormat::CBOR;
  std::unique_ptr<nlohmann::json> records_;
};

} // namespace ipumodel
