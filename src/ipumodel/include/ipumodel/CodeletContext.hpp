// What a codelet may ask about its own execution: the tile, and a random stream. The glue keeps it.
#ifndef ipumodel_CodeletContext_hpp
#define ipumodel_CodeletContext_hpp

#include <ipumodel/CodeletAbi.hpp>

namespace ipumodel {
namespace context {

struct Running {
  unsigned tile;
  unsigned worker;
  std::uint64_t random; // state of the stream
};

// Set by the engine before a run; see abi::RunContext.
inline thread_local abi::RunContext given = {};
inline thread_local Running running = {};

inline const Running& current() {
  return running;
}

// SplitMix64: a counter, scrambled.
inline std::uint64_t scrambled(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

inline std::uint64_t nextRandom() {
  running.random += 0x9e3779b97f4a7c15u;
  return scrambled(running.random);
}

// Vertex `index` of this run is about to execute as `worker`.
inline void enter(std::size_t index, unsigned worker) {
  const bool isKnown = given.tiles != nullptr;
  running.tile = isKnown ? given.tiles[index] : 0;
  running.worker = worker;
  const std::uint64_t vertex = isKnown ? given.firstVertex + index : 0;
  running.random = scrambled(scrambled(scrambled(given.step) + vertex) + worker);
}

} // namespace context
} // namespace ipumodel

#endif
