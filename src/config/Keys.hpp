// All configuration keys, in the order in which they are documented and written.
#pragma once

#include "config/Key.hpp"
#include "config/Settings.hpp"

namespace spillway {

// "network.layers", "train.epochs", ...: every key but the layers'.
const Keys<Settings>& settingsKeys();
// "alpha", ...: what stands in [layer] for all layers, and in [layer0], [layer1], ... for one.
const Keys<LayerSpec>& layerKeys();

// The sections' own tables.
Keys<Settings> networkKeys(); // network, readout, loss
Keys<Settings> dataKeys();    // data
Keys<Settings> trainKeys();   // optimiser, learningRate, train
Keys<Settings> machineKeys(); // machine, checkpoint

// One line of explanation per section, for the documentation.
std::string sectionMeaning(const std::string& section);

// The names openDataSet() (data/OpenDataSet.hpp) knows, in its order.
const std::vector<std::string>& dataSetNames();
const Choices<StrategyKind>& strategyNames();
const Choices<DeviceKind>& deviceNames();
const Choices<MachinePreset>& presetNames();

} // namespace spillway
