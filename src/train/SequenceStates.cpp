#include "train/SequenceStates.hpp"

#include "codelets/maths/Lists.hpp"
#include "network/UserError.hpp"

#include <algorithm>
#include <cstring>
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

// Appends the list of the units whose state passes its threshold.
template <class Id>
void appendList(const float* c, std::size_t size, const std::vector<float>& thresholds,
                std::size_t width, std::vector<std::uint8_t>& bytes) {
  std::vector<Id> ids(width);
  std::vector<float> values;
  for (std::size_t i = 0; i < size; ++i) {
    if (thresholds.empty() || c[i] > thresholds[i]) {
      ids[kListHeader + values.size()] = static_cast<Id>(i);
      values.push_back(c[i]);
    }
  }
  ids[0] = ids[1] = static_cast<Id>(values.size());
  const std::size_t begin = bytes.size();
  bytes.resize(begin + width * sizeof(Id));
  std::memcpy(&bytes[begin], ids.data(), width * sizeof(Id));
  if (!values.empty()) {
    std::memcpy(&bytes[begin + valuesBegin(static_cast<unsigned>(size)) * sizeof(Id)],
                values.data(), values.size() * sizeof(float));
  }
}

} // namespace

SequenceState sequenceFrom(const CarriedStates& carried, const Geometry& geometry,
                           const std::vector<std::vector<float>>& thresholds) {
  SequenceState state;
  for (std::size_t l = 0; l < carried.layers.size(); ++l) {
    const std::vector<float>& c = carried.layers[l];
    state.states.insert(state.states.end(), c.begin(), c.end());
    const std::size_t size = geometry.units[l].size, width = geometry.lists[l + 1].width();
    for (std::size_t at = 0; at < c.size(); at += size) {
      geometry.idType == poplar::UNSIGNED_SHORT
          ? appendList<std::uint16_t>(&c[at], size, thresholds[l], width, state.events)
          : appendList<std::uint32_t>(&c[at], size, thresholds[l], width, state.events);
    }
  }
  state.states.insert(state.states.end(), carried.readout.begin(), carried.readout.end());
  return state;
}

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
