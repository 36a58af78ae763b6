// AEDAT 3.1 recordings, the format of DVS128 Gesture: '#' lines, the last "#!END-HEADER", then
// packets with a 28-byte little-endian header each. Only polarity packets (type 1) are read; their
// times never fall.
#pragma once

#include "data/Binning.hpp"

#include <filesystem>
#include <fstream>
#include <vector>

namespace spillway {

// Knows where the polarity packets lie after one pass over the packet headers, and reads those it
// is asked for.
class Aedat31File {
public:
  // Throws FileError for a foreign file, one without an event, a packet that passes the end of the
  // file or begins before the one before it ended.
  Aedat31File(std::filesystem::path path, SensorSize sensor);

  const std::filesystem::path& path() const { return path_; }
  std::int64_t firstUs() const { return packets_.front().firstUs; }
  std::int64_t lastUs() const { return packets_.back().lastUs; }

  // The valid events with startUs <= time < endUs, in the file's order. Throws FileError for an
  // event outside the sensor, or earlier than the one before it.
  std::vector<SensorEvent> events(std::int64_t startUs, std::int64_t endUs) const;

private:
  struct Packet {
    std::uint64_t offset = 0; // of the first event
    std::uint32_t numEvents = 0;
    std::int64_t overflowUs = 0; // upper bits of all times
    std::int64_t firstUs = 0, lastUs = 0;
  };

  void addPacket(std::ifstream& file, Packet packet);

  std::filesystem::path path_;
  SensorSize sensor_;
  std::vector<Packet> packets_; // at least one
};

} // namespace spillway
