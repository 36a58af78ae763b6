#pragma once

#include <poplar/StdIncludes.hpp>

namespace poplar {

enum class DataStreamType {
  HostToDeviceFIFO,
  DeviceToHostFIFO,
  HostToDeviceBuffer,
  DeviceToHostBuffer
};

inline bool isDeviceToHost(DataStreamType type) {
  return type == DataStreamType::DeviceToHostFIFO || type == DataStreamType::DeviceToHostBuffer;
}
inline bool isHostToDevice(DataStreamType type) {
  return !isDeviceToHost(type);
}
inline bool isRemoteBuffer(DataStreamType type) {
  return type == DataStreamType::HostToDeviceBuffer || type == DataStreamType::DeviceToHostBuffer;
}
std::string toString(DataStreamType type);
std::ostream& operator<<(std::ostream& os, DataStreamType type);

} // namespace poplar
