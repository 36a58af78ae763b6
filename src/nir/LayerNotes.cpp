#include "nir/LayerNotes.hpp"

#include "config/Keys.hpp"

#include <sstream>
#include <stdexcept>

namespace spillway::nir {
namespace {

constexpr std::string_view kReadout = "readout.";

template <class Owner>
void apply(const Keys<Owner>& keys, const std::string& prefix, const std::string& notes,
           Owner& owner) {
  std::istringstream lines(notes);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find(" = ");
    for (const Key<Owner>& key : keys) {
      if (equals != std::string::npos && key.name == prefix + line.substr(0, equals)) {
        try {
          key.set(owner, line.substr(equals + 3));
        } catch (const std::invalid_argument&) {
          break;
        }
      }
    }
  }
}

} // namespace

std::string notesOf(const LayerSpec& layer) {
  std::string notes;
  for (const auto& key : layerKeys()) {
    notes += key.name + " = " + key.get(layer) + "\n";
  }
  return notes;
}

std::string notesOf(const ReadoutSpec& readout) {
  Settings settings;
  settings.network.readout = readout;
  std::string notes;
  for (const auto& key : settingsKeys()) {
    if (key.name.starts_with(kReadout) && key.name != "readout.outputs") {
      notes += key.name.substr(kReadout.size()) + " = " + key.get(settings) + "\n";
    }
  }
  return notes;
}

void applyNotes(const std::string& notes, LayerSpec& layer) {
  apply(layerKeys(), "", notes, layer);
}

void applyNotes(const std::string& notes, ReadoutSpec& readout) {
  Settings settings;
  settings.network.readout = readout;
  apply(settingsKeys(), std::string(kReadout), notes, settings);
  const std::uint32_t numOutputs = readout.numOutputs;
  readout = settings.network.readout;
  readout.numOutputs = numOutputs;
}

} // namespace spillway::nir
