#include "train/SequenceStates.hpp"

#include "network/UserError.hpp"

#include <algorithm>
#include <type_traits>

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

std::vector<SequenceState> readSequences(ReplicatedTensors tensors, const SnnGraph& snn) {
  std::vector<SequenceState> states(tensors.numReplicas());
  const auto read = [&](auto values) {
    return [&, values](const std::string& handle, std::size_t, std::size_t size) {
      using Value = typename std::remove_reference_t<decltype(states[0].*values)>::value_type;
      const std::vector<Value> all = tensors.readEach<Value>(handle, size);
      for (std::size_t r = 0; r < states.size(); ++r) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(r * size);
        (states[r].*values)
            .insert((states[r].*values).end(), begin, begin + static_cast<std::ptrdiff_t>(size));
      }
    };
  };
  forEachCarried(snn, read(&SequenceState::states), read(&SequenceState::events));
  return states;
}

void writeSequences(const std::vector<SequenceState>& states, const SnnGraph& snn,
                    ReplicatedTensors tensors) {
  if (std::all_of(states.begin(), states.end(),
                  [](const SequenceState& state) { return state.empty(); })) {
    return;
  }
  const auto write = [&](auto values) {
    return [&, values](const std::string& handle, std::size_t at, std::size_t size) {
      using Value = typename std::remove_cvref_t<decltype(states[0].*values)>::value_type;
      std::vector<Value> all(size * states.size());
      for (std::size_t r = 0; r < states.size(); ++r) {
        const auto& own = states[r].*values;
        if (states[r].empty()) {
          continue;
        }
        if (at + size > own.size()) {
          throw UserError("the carried state is of another batch size or network");
        }
        std::copy_n(own.begin() + static_cast<std::ptrdiff_t>(at), size,
                    all.begin() + static_cast<std::ptrdiff_t>(r * size));
      }
      tensors.writeEach(handle, all);
    };
  };
  forEachCarried(snn, write(&SequenceState::states), write(&SequenceState::events));
}

} // namespace spillway
