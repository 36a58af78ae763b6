// The rows of a batch that is too long for memory, in a file without a name that ends with its
// owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace spillway {

// A row is a count and maxEvents ids; rows that were not written are empty.
class EventFile {
public:
  // In the system's folder for temporary files (TMPDIR). Throws UserError where it has no room.
  EventFile(std::uint32_t numSteps, std::uint32_t numSamples, std::uint32_t maxEvents);
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  std::size_t rowWords() const { return rowWords_; }
  // Whole rows of one sample, from step `begin` on. Throw UserError on a failure of the file.
  void write(std::uint32_t sample, std::size_t begin, std::span<const std::uint16_t> rows);
  void read(std::uint32_t sample, std::size_t begin, std::span<std::uint16_t> rows) const;

private:
  std::size_t place(std::uint32_t sample, std::size_t step) const; // in bytes

  std::size_t numSteps_, rowWords_;
  int file_ = -1;
};

} // namespace spillway
