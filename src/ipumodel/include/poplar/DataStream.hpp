// A channel between the host and the device.
#pragma once

#include <poplar/DataStreamType.hpp>
#include <poplar/ReplicatedStreamMode.hpp>
#include <poplar/Type.hpp>

namespace poplar {

class DataStream {
public:
  DataStream() = default;

  std::string handle() const { return handle_; }
  std::size_t numElements() const { return numElements_; }
  unsigned replicationFactor() const { return replicationFactor_; }
  ReplicatedStreamMode replicatedMode() const { return mode_; }
  DataStreamType type() const { return type_; }
  Type elementType() const { return elementType_; }

  friend bool operator==(const DataStream& a, const DataStream& b) {
    return a.id_ == b.id_ && a.handle_ == b.handle_;
  }
  friend bool operator!=(const DataStream& a, const DataStream& b) { return !(a == b); }

  // For the library itself.
  DataStream(unsigned id, std::string handle, Type elementType, std::size_t numElements,
             unsigned replicationFactor, ReplicatedStreamMode mode, DataStreamType type)
      : id_(id),
        handle_(std::move(handle)),
        elementType_(elementType),
        numElements_(numElements),
        replicationFactor_(replicationFactor),
        mode_(mode),
        type_(type) {}
  unsigned getId() const { return id_; }

private:
  unsigned id_ = ~0u;
  std::string handle_;
  Type elementType_;
  std::size_t numElements_ = 0;
  unsigned replicationFactor_ = 1;
  ReplicatedStreamMode mode_ = ReplicatedStreamMode::REPLICATE;
  DataStreamType type_ = DataStreamType::HostToDeviceFIFO;
};

} // namespace poplar
