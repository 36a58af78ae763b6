#include "data/Aedat31.hpp"

#include "data/FileBytes.hpp"
#include "network/IoError.hpp"

#include <fstream>

namespace spillway {

namespace {

constexpr std::uint64_t kHeaderBytes = 28, kEventBytes = 8, kTimePlace = 4;
constexpr std::uint16_t kPolarityType = 1;

// `count` bytes at `offset`. REQUIRES: they lie within the file.
std::vector<std::uint8_t> readAt(std::ifstream& file, const std::filesystem::path& path,
                                 std::uint64_t offset, std::uint64_t count) {
  std::vector<std::uint8_t> bytes(count);
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
  if (static_cast<std::uint64_t>(file.gcount()) != count) {
    throw FileError(path, offset, "could not be read");
  }
  return bytes;
}

// The offset of the first packet.
std::uint64_t skipTextHeader(std::ifstream& file, const std::filesystem::path& path) {
  std::string line;
  for (std::uint64_t at = 0; std::getline(file, line); at += line.size() + 1) {
    if (!line.empty() && line.back() == '\r') {
      line.back() = ' ';
    }
    if (at == 0 && !line.starts_with("#!AER-DAT3.1")) {
      throw FileError(path, 0, "does not start with #!AER-DAT3.1");
    }
    if (!line.starts_with("#")) {
      throw FileError(path, at, "the text header has no #!END-HEADER");
    }
    if (line.starts_with("#!END-HEADER") && !file.eof()) {
      return at + line.size() + 1;
    }
  }
  throw FileError(path, std::filesystem::file_size(path), "the file ends within its text header");
}

// Of an event that lies at `offset` of the file.
std::int64_t timeOf(const std::filesystem::path& path, std::uint64_t offset,
                    std::span<const std::uint8_t> event, std::int64_t overflowUs) {
  ByteReader reader(path, event, offset);
  reader.take(4, "an event");
  const std::int64_t low = reader.i32LittleEndian("an event's time");
  if (low < 0) {
    throw FileError(path, offset + 4, "a negative time, " + std::to_string(low));
  }
  return overflowUs | low;
}

std::string microseconds(std::int64_t timeUs) {
  return std::to_string(timeUs) + " us";
}

} // namespace

Aedat31File::Aedat31File(std::filesystem::path path, SensorSize sensor)
    : path_(std::move(path)), sensor_(sensor) {
  std::ifstream file(path_, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path_)) {
    throw IoError(path_.string() + ": no such file");
  }
  const std::uint64_t fileBytes = std::filesystem::file_size(path_);
  for (std::uint64_t at = skipTextHeader(file, path_); at < fileBytes;) {
    if (fileBytes - at < kHeaderBytes) {
      throw FileError(path_, at, "the file ends within a packet's header");
    }
    const std::vector<std::uint8_t> bytes = readAt(file, path_, at, kHeaderBytes);
    ByteReader reader(path_, bytes, at);
    const std::uint16_t type = reader.u16LittleEndian("the event type");
    reader.take(2, "the source");
    const std::int64_t eventBytes = reader.i32LittleEndian("the event size");
    const std::int64_t timePlace = reader.i32LittleEndian("the time stamp's place");
    const std::int64_t overflow = reader.i32LittleEndian("the time overflow");
    const std::int64_t capacity = reader.i32LittleEndian("the capacity");
    const std::int64_t numEvents = reader.i32LittleEndian("the number of events");
    const std::int64_t numValid = reader.i32LittleEndian("the number of valid events");
    const std::uint64_t room = fileBytes - at - kHeaderBytes;
    if (eventBytes <= 0 || overflow < 0 || numValid < 0 || numValid > numEvents ||
        numEvents > capacity || static_cast<std::uint64_t>(eventBytes * capacity) > room ||
        (type == kPolarityType && (eventBytes != kEventBytes || timePlace != kTimePlace))) {
      throw FileError(
          path_, at,
          "packet of type " + std::to_string(type) + " with " + std::to_string(numEvents) + " of " +
              std::to_string(capacity) + " events, " + std::to_string(numValid) +
              " of them valid, of " + std::to_string(eventBytes) + " bytes with their time at " +
              std::to_string(timePlace) + "; " + std::to_string(room) + " bytes follow");
    }
    if (type == kPolarityType && numEvents > 0) {
      addPacket(file, {.offset = at + kHeaderBytes,
                       .numEvents = static_cast<std::uint32_t>(numEvents),
                       .overflowUs = overflow << 31});
    }
    at += kHeaderBytes + static_cast<std::uint64_t>(eventBytes * capacity);
  }
  if (packets_.empty()) {
    throw FileError(path_, fileBytes, "the file ends without an event of a pixel");
  }
}

void Aedat31File::addPacket(std::ifstream& file, Packet packet) {
  const auto timeAt = [&](std::uint64_t offset) {
    return timeOf(path_, offset, readAt(file, path_, offset, kEventBytes), packet.overflowUs);
  };
  packet.firstUs = timeAt(packet.offset);
  packet.lastUs = timeAt(packet.offset + kEventBytes * (packet.numEvents - 1));
  const std::int64_t before = packets_.empty() ? 0 : packets_.back().lastUs;
  if (packet.firstUs < before || packet.lastUs < packet.firstUs) {
    throw FileError(path_, packet.offset - kHeaderBytes,
                    "packet from " + microseconds(packet.firstUs) + " to " +
                        microseconds(packet.lastUs) + ", after one that ends at " +
                        microseconds(before) + "; times must not fall");
  }
  packets_.push_back(packet);
}

std::vector<SensorEvent> Aedat31File::events(std::int64_t startUs, std::int64_t endUs) const {
  std::ifstream file(path_, std::ios::binary);
  std::vector<SensorEvent> events;
  for (const Packet& packet : packets_) {
    if (packet.lastUs < startUs || packet.firstUs >= endUs) {
      continue;
    }
    const std::vector<std::uint8_t> bytes =
        readAt(file, path_, packet.offset, kEventBytes * packet.numEvents);
    std::int64_t beforeUs = packet.firstUs;
    for (std::uint64_t i = 0; i < packet.numEvents; ++i) {
      const auto event = std::span(bytes).subspan(i * kEventBytes, kEventBytes);
      const std::uint64_t offset = packet.offset + i * kEventBytes;
      const std::int64_t timeUs = timeOf(path_, offset, event, packet.overflowUs);
      if (timeUs < beforeUs || timeUs > packet.lastUs) {
        throw FileError(path_, offset,
                        "event at " + microseconds(timeUs) + ", after one at " +
                            microseconds(beforeUs) + " in a packet that ends at " +
                            microseconds(packet.lastUs) + "; times must not fall");
      }
      beforeUs = timeUs;
      const std::uint32_t data = event[0] | std::uint32_t{event[1]} << 8 |
                                 std::uint32_t{event[2]} << 16 | std::uint32_t{event[3]} << 24;
      const bool valid = (data & 1) != 0;
      if (!valid || timeUs < startUs || timeUs >= endUs) {
        continue;
      }
      const std::uint32_t x = data >> 17, y = data >> 2 & 0x7fff;
      if (x >= sensor_.width || y >= sensor_.height) {
        throw FileError(path_, offset,
                        "event at x = " + std::to_string(x) + ", y = " + std::to_string(y) +
                            "; the sensor has " + std::to_string(sensor_.width) + " x " +
                            std::to_string(sensor_.height) + " pixels");
      }
      events.push_back({.timeUs = timeUs,
                        .x = static_cast<std::uint16_t>(x),
                        .y = static_cast<std::uint16_t>(y),
                        .polarity = static_cast<std::uint8_t>(data >> 1 & 1)});
    }
  }
  return events;
}

} // namespace spillway
