#include "plan/OurProgram.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

constexpr std::uint64_t kInstructionBytes = 4;
constexpr std::uint64_t kVertexCodeBytes = 400;       // of a type, once per tile
constexpr std::uint64_t kTypesOfFamily[] = {8, 1, 4}; // by VertexFamily

} // namespace

// A received fragment takes three instructions, or two where it continues the one before it.
void TileProgram::receives(Phase phase, std::uint64_t bytes, std::uint64_t numSources) {
  lives(phase, bytes);
  codeBytes_ += kInstructionBytes * (2 * numSources + 1);
}

void TileProgram::receivesApart(Phase phase, std::uint64_t bytes, std::uint64_t numSources) {
  lives(phase, bytes);
  codeBytes_ += kInstructionBytes * 3 * numSources;
}

void TileProgram::hasVertices(VertexFamily family, std::uint64_t stateBytes) {
  has_[static_cast<std::size_t>(family)] = true;
  codeBytes_ += stateBytes;
}

std::uint64_t TileProgram::codeBytes() const {
  std::uint64_t bytes = codeBytes_;
  for (std::size_t family = 0; family < has_.size(); ++family)
    bytes += has_[family] ? kTypesOfFamily[family] * kVertexCodeBytes : 0;
  return bytes;
}

std::uint64_t TileProgram::peakBytes() const {
  return *std::max_element(live_.begin(), live_.begin() + index(Phase::Light));
}

std::uint64_t TileProgram::lightPeakBytes() const {
  std::uint64_t most = peakBytes();
  for (std::size_t phase = 0; phase < kNumPhases; ++phase)
    most = std::max(most, live_[phase] + withLight_[phase]);
  return most - peakBytes();
}

} // namespace spillway::plan
