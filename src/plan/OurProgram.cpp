#include "plan/OurProgram.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

// By VertexFamily. Control: what executing the family's compute sets takes, and the small exchanges
// of control words, the optimiser's constants and what is sent.
struct Family {
  std::uint64_t numTypes, controlBytes;
};
constexpr Family kFamilies[kNumFamilies] = {{6, 48 + 80}, {1, 0}, {4, 40}, {1, 8},
                                            {1, 112},     {1, 8}, {1, 8}};

} // namespace

void TileProgram::receives(Phase phase, std::uint64_t bytes, std::uint64_t numSources) {
  lives(phase, bytes);
  codeBytes_ += kInstructionBytes * (2 * numSources + 1);
}

void TileProgram::receivesApart(Phase phase, std::uint64_t bytes, std::uint64_t numSources) {
  lives(phase, bytes);
  codeBytes_ += kFragmentBytes * numSources;
}

void TileProgram::hasVertices(VertexFamily family, std::uint64_t stateBytes) {
  has_[static_cast<std::size_t>(family)] = true;
  codeBytes_ += stateBytes;
}

std::uint64_t TileProgram::codeBytes() const {
  std::uint64_t bytes = codeBytes_;
  for (std::size_t family = 0; family < has_.size(); ++family)
    if (has_[family])
      bytes += kFamilies[family].numTypes * kVertexCodeBytes + kFamilies[family].controlBytes;
  return bytes;
}

std::uint64_t TileProgram::peakBytes() const {
  return *std::max_element(live_.begin(), live_.begin() + index(Phase::Light));
}

std::uint64_t TileProgram::peakOver(const ByPhase& further, Phase own) const {
  std::uint64_t most = std::max(peakBytes(), live_[index(own)] + further[index(own)]);
  for (std::size_t phase = 0; phase < index(Phase::Light); ++phase)
    most = std::max(most, live_[phase] + further[phase]);
  return most - peakBytes();
}

} // namespace spillway::plan
