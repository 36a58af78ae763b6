// What the programs of our graphs take on a tile besides tensors: code, vertex state, stacks, and
// what a compute set receives. The sizes are those the IPU Model's ledger goes by
// (docs/machine.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace spillway::plan {

// The compute sets that can make a tile's peak; that of light steps last. Through: errors through
// reset gates, of the published event-based GRU.
enum class Phase : std::uint8_t { Update, Compact, Adjoint, Through, Gradient, Sum, Light };
inline constexpr std::size_t kNumPhases = 7;

// Vertex types that come together: a unit's; its product with the list below; those that make and
// sum a group's lists.
enum class VertexFamily : std::uint8_t { Unit, Product, Group };

// One tile's account, filled item by item.
class TileProgram {
public:
  // Bytes that live while `phase` runs: a tensor, or what was received.
  void lives(Phase phase, std::uint64_t bytes) { live_[index(phase)] += bytes; }
  // The same, of what there is only where there are light steps.
  void livesWithLight(Phase phase, std::uint64_t bytes) { withLight_[index(phase)] += bytes; }
  // `bytes` from `numSources` tiles, side by side in one buffer.
  void receives(Phase phase, std::uint64_t bytes, std::uint64_t numSources);
  // The same where each source fills a buffer of its own.
  void receivesApart(Phase phase, std::uint64_t bytes, std::uint64_t numSources);
  // A vertex field of that many vectors.
  void hasVectors(std::uint64_t count) { codeBytes_ += 4 * count; }
  // Vertices of some types, whose code is there once however many there are.
  void hasVertices(VertexFamily family, std::uint64_t stateBytes);
  void addCode(std::uint64_t bytes) { codeBytes_ += bytes; }

  // Of what lives in some phase only: without light steps, and what they add.
  std::uint64_t peakBytes() const;
  std::uint64_t lightPeakBytes() const;
  std::uint64_t codeBytes() const;

private:
  static std::size_t index(Phase phase) { return static_cast<std::size_t>(phase); }

  std::array<std::uint64_t, kNumPhases> live_{}, withLight_{};
  std::array<bool, 3> has_{};
  std::uint64_t codeBytes_ = 0; // and vertex state
};

// Every tile: stacks of a supervisor and six workers, the control program, and the small exchanges
// of control words, lists to and from the history, and the optimiser's constants.
inline constexpr std::uint64_t kBytesOfEveryTile = 224 + 6 * 256 + 504 + 200;
inline constexpr std::uint64_t kBytesOfControlTile = 2400; // its counters, vertices and broadcasts

} // namespace spillway::plan
