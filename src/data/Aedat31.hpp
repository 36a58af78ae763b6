// AEDAT 3.1 recordings, the format of DVS128 Gesture: '#' lines, the last "#!END-HEADER", then
// packets with a 28-byte little-endian header each. Only polarity packets (type 1) are read.
#pragma once

#include "data/Binning.hpp"

#include <filesystem>
#include <vector>

namespace spillway {

// Knows where the polarity packets lie after one pass over the packet headers, and reads those it
// is asked for.
class Aedat31File {
public:
  // Throws FileError for a foreign file and for a packet that passes the end of the file.
  Aedat31File(std::filesystem::path path, SensorSize sensor);

  // The valid events with startUs <= time < endUs, in the file's order. Throws FileError for an
  // event outside the sensor.
  std::vector<SensorEvent> events(std::int64_t startUs, std::int64_t endUs) const;

private:
  struct Packet {
    std::uint64_t offset = 0; // of the first event
    std::uint32_t numEvents = 0;
    std::int64_t overflowUs = 0; // upper bits of all times
    std::int64_t firstUs = 0, lastUs = 0;
  };

  std::filesystem::path path_;
  SensorSize sensor_;
  std::vector<Packet> packets_;
};

} // namespace spillway
