// What the programs of our graphs take on a tile besides tensors: code, vertex state, stacks, and
// what a compute set receives. The sizes are those the IPU Model's ledger goes by
// (docs/machine.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace spillway::plan {

// The compute sets that can make a tile's peak; those that not every schedule has last. Through:
// errors through reset gates, of the published event-based GRU. Cache: of the surrogate.
enum class Phase : std::uint8_t { Update, Compact, Adjoint, Through, Gradient, Sum, Light, Cache };
inline constexpr std::size_t kNumPhases = 8;

// Vertex types that come together: a unit's; its product with the list below; those that make and
// sum a group's lists; the loss of its samples; those that fetch, and store, shards of lists; that
// which turns lists round.
enum class VertexFamily : std::uint8_t { Unit, Product, Group, Loss, Fetch, Store, Turn };
inline constexpr std::size_t kNumFamilies = 7;

// One tile's account, filled item by item.
class TileProgram {
public:
  // Bytes that live while `phase` runs: a tensor, or what was received.
  void lives(Phase phase, std::uint64_t bytes) { live_[index(phase)] += bytes; }
  // The same, of what there is only where there are light steps.
  void livesWithLight(Phase phase, std::uint64_t bytes) { withLight_[index(phase)] += bytes; }
  // The same, where distances to the threshold are cached.
  void livesWithCache(Phase phase, std::uint64_t bytes) { withCache_[index(phase)] += bytes; }
  // `bytes` from `numSources` tiles, side by side in one buffer.
  void receives(Phase phase, std::uint64_t bytes, std::uint64_t numSources);
  // The same where each source fills a buffer of its own.
  void receivesApart(Phase phase, std::uint64_t bytes, std::uint64_t numSources);
  // A vertex field of that many vectors.
  void hasVectors(std::uint64_t count) { codeBytes_ += 4 * count; }
  // Vertices of some types, whose code is there once however many there are.
  void hasVertices(VertexFamily family, std::uint64_t stateBytes);
  void addCode(std::uint64_t bytes) { codeBytes_ += bytes; }

  // Of what lives in some phase only: without light steps or a cache, and what those add.
  std::uint64_t peakBytes() const;
  std::uint64_t lightPeakBytes() const { return peakOver(withLight_, Phase::Light); }
  std::uint64_t cachePeakBytes() const { return peakOver(withCache_, Phase::Cache); }
  std::uint64_t codeBytes() const;

private:
  using ByPhase = std::array<std::uint64_t, kNumPhases>;
  static std::size_t index(Phase phase) { return static_cast<std::size_t>(phase); }
  // What the peak grows by with `further`, and with a phase of its own.
  std::uint64_t peakOver(const ByPhase& further, Phase own) const;

  ByPhase live_{}, withLight_{}, withCache_{};
  std::array<bool, kNumFamilies> has_{};
  std::uint64_t codeBytes_ = 0; // and vertex state
};

inline constexpr std::uint64_t kVertexCodeBytes = 400; // of a type, once per tile
// A received fragment takes three instructions, or two where it continues the one before it.
inline constexpr std::uint64_t kInstructionBytes = 4;
inline constexpr std::uint64_t kFragmentBytes = 3 * kInstructionBytes;

// Every tile: stacks of a supervisor and six workers, and the control program.
inline constexpr std::uint64_t kBytesOfEveryTile = 224 + 6 * 256 + 348;
inline constexpr std::uint64_t kBytesOfControlTile = 2400; // its counters, vertices and broadcasts

} // namespace spillway::plan
