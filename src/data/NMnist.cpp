#include "data/NMnist.hpp"

#include "data/FileBytes.hpp"
#include "network/IoError.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace spillway {

std::vector<SensorEvent> readNMnistFile(const std::filesystem::path& path) {
  constexpr std::size_t kEventBytes = 5;
  constexpr std::uint8_t kTimeOverflow = 240;
  const std::vector<std::uint8_t> bytes = readFile(path);
  ByteReader reader(path, bytes);
  if (bytes.empty()) {
    reader.fail("the file is empty");
  }
  std::vector<SensorEvent> events;
  events.reserve(bytes.size() / kEventBytes);
  std::int64_t addedUs = 0;
  while (reader.remaining() > 0) {
    const std::uint64_t at = reader.offset();
    const auto b = reader.take(kEventBytes, "an event");
    if (b[1] == kTimeOverflow) {
      addedUs += 1 << 13;
      continue;
    }
    if (b[0] >= kNMnistSensor.width || b[1] >= kNMnistSensor.height) {
      throw FileError(path, at,
                      "event at x = " + std::to_string(b[0]) + ", y = " + std::to_string(b[1]) +
                          "; N-MNIST has 34 x 34 pixels");
    }
    const std::int64_t timeUs = (b[2] & 0x7f) << 16 | b[3] << 8 | b[4];
    events.push_back({.timeUs = timeUs + addedUs,
                      .x = b[0],
                      .y = b[1],
                      .polarity = static_cast<std::uint8_t>(b[2] >> 7)});
  }
  return events;
}

NMnist NMnist::fromFolders(const std::filesystem::path& folder, const Binning& binning) {
  std::vector<File> files;
  for (std::int32_t digit = 0; digit < 10; ++digit) {
    const std::filesystem::path digitFolder = folder / std::to_string(digit);
    if (!std::filesystem::is_directory(digitFolder)) {
      throw IoError(digitFolder.string() + ": no such folder; N-MNIST has one per digit");
    }
    for (const auto& entry : std::filesystem::directory_iterator(digitFolder)) {
      if (entry.path().extension() == ".bin") {
        files.push_back({entry.path(), digit});
      }
    }
  }
  // The published ids run through all digits, so this is the order of MNIST.
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) {
    return a.path.filename() != b.path.filename() ? a.path.filename() < b.path.filename()
                                                  : a.label < b.label;
  });
  if (files.empty()) {
    throw IoError(folder.string() + ": holds no .bin files");
  }
  return {std::move(files), binning};
}

NMnist NMnist::fromList(const std::filesystem::path& list, const Binning& binning) {
  std::ifstream stream(list);
  if (!stream) {
    throw IoError(list.string() + ": cannot be opened");
  }
  std::vector<File> files;
  std::string line;
  for (std::uint64_t at = 0; std::getline(stream, line); at += line.size() + 1) {
    if (line.empty() || line[0] == '#') {
      continue;
    }
    std::uint32_t id = 0, digit = 0;
    const char* end = line.data() + line.size();
    const auto first = std::from_chars(line.data(), end, id);
    const auto second = first.ptr == end ? first : std::from_chars(first.ptr + 1, end, digit);
    const bool apart = first.ptr != end && (*first.ptr == ' ' || *first.ptr == '\t');
    if (first.ec != std::errc() || second.ec != std::errc() || !apart || digit > 9 ||
        std::string_view(second.ptr, end).find_first_not_of(" \t\r") != std::string_view::npos) {
      throw FileError(list, at, "'" + line.substr(0, 40) + "' is not an id and a digit");
    }
    files.push_back(
        {list.parent_path() / (std::to_string(id) + ".bs2"), static_cast<std::int32_t>(digit)});
  }
  if (files.empty()) {
    throw UserError(list.string() + ": lists no samples");
  }
  return {std::move(files), binning};
}

Sample NMnist::sample(std::uint32_t index) const {
  const File& file = files_.at(index);
  Sample sample;
  sample.label = file.label;
  sample.events = binEvents(readNMnistFile(file.path), kNMnistSensor, binning_, 0);
  return sample;
}

} // namespace spillway
