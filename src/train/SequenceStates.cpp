#include "train/SequenceStates.hpp"

#include "network/UserError.hpp"

namespace spillway {
namespace {

// Calls each function with every handle of its sort, its offset in all of them, and its size.
template <class States, class Events>
void forEachCarried(const SnnGraph& snn, const States& useStates, const Events& useEvents) {
  const Geometry& geometry = snn.geometry();
  if (!geometry.network.isGated()) {
    return;
  }
  std::size_t statesAt = 0, eventsAt = 0;
  for (std::size_t u = 0; u < geometry.units.size(); ++u) {
    useStates(host::carriedStates(u), statesAt, snn.carried().numStates(u));
    statesAt += snn.carried().numStates(u);
  }
  for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
    useEvents(host::carriedEvents(l), eventsAt, snn.carried().eventBytes(l));
    eventsAt += snn.carried().eventBytes(l);
  }
}

} // namespace

SequenceState readSequence(poplar::Engine& engine, const SnnGraph& snn) {
  SequenceState state;
  const auto read = [&](auto& values) {
    return [&](const std::string& handle, std::size_t at, std::size_t size) {
      values.resize(at + size);
      engine.readTensor(handle, values.data() + at, values.data() + at + size);
    };
  };
  forEachCarried(snn, read(state.states), read(state.events));
  return state;
}

void writeSequence(const SequenceState& state, const SnnGraph& snn, poplar::Engine& engine) {
  if (state.empty()) {
    return;
  }
  const auto write = [&](const auto& values) {
    return [&](const std::string& handle, std::size_t at, std::size_t size) {
      if (at + size > values.size()) {
        throw UserError("the carried state is of another batch size or network");
      }
      engine.writeTensor(handle, values.data() + at, values.data() + at + size);
    };
  };
  forEachCarried(snn, write(state.states), write(state.events));
}

} // namespace spillway
