#include "train/ReadTrace.hpp"

#include "graphs/SnnGraph.hpp"
#include "maths/Lists.hpp"

#include <algorithm>

namespace spillway {
namespace {

template <class T>
std::vector<T> read(poplar::Engine& engine, const std::string& handle, std::size_t size) {
  std::vector<T> values(size);
  engine.readTensor(handle, values.data(), values.data() + size);
  return values;
}

// From [step and sample][state float][size] to one array per state float.
void splitStates(const std::vector<float>& states, std::size_t size, DeviceLayerTrace& layer) {
  for (auto row = states.begin(); row != states.end();) {
    const auto second = row + static_cast<std::ptrdiff_t>(size);
    const auto end = second + static_cast<std::ptrdiff_t>(size);
    layer.u.insert(layer.u.end(), row, second);
    layer.adaptation.insert(layer.adaptation.end(), second, end);
    row = end;
  }
}

// From lists of ids to one flag per neuron.
void spreadLists(const std::vector<std::uint16_t>& lists, std::size_t width, std::size_t size,
                 DeviceLayerTrace& layer) {
  const std::size_t rows = lists.size() / width;
  layer.spikes.assign(rows * size, 0);
  layer.active.assign(rows * size, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    const List<std::uint16_t> list{lists.data() + row * width};
    for (unsigned k = 0; k < list.numActive(); ++k) {
      const std::size_t at = row * size + list.ids()[k];
      layer.active.at(at) = 1;
      layer.spikes[at] = k < list.numSpikes() ? 1 : 0;
    }
  }
}

} // namespace

DeviceTrace readTrace(poplar::Engine& engine, const Geometry& geometry) {
  const std::size_t rows = std::size_t{geometry.sequence.numSteps} * geometry.sequence.numSamples;
  DeviceTrace trace;
  for (std::size_t l = 0; l < geometry.numLayers(); ++l) {
    const Unit& unit = geometry.units[l];
    DeviceLayerTrace& layer = trace.layers.emplace_back();
    std::vector<float> states =
        read<float>(engine, host::statesOf(geometry, l), rows * unit.stateFloats * unit.size);
    if (unit.stateFloats == 1) {
      layer.u = std::move(states);
    } else {
      splitStates(states, unit.size, layer);
    }
    const std::size_t width = geometry.lists[l + 1].width();
    spreadLists(read<std::uint16_t>(engine, host::listsOf(l), rows * width), width, unit.size,
                layer);
    if (unit.layer.allLearn()) { // whose lists hold spikes alone
      layer.active.assign(layer.active.size(), 1);
    }
  }
  if (geometry.hasReadout()) {
    trace.readout = read<float>(engine, host::statesOf(geometry, geometry.numLayers()),
                                rows * geometry.network.readout.numOutputs);
  }
  return trace;
}

} // namespace spillway
