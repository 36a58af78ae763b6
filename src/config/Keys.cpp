#include "config/Keys.hpp"

#include <map>

namespace spillway {

const Keys<Settings>& settingsKeys() {
  static const Keys<Settings> keys = [] {
    Keys<Settings> all = networkKeys();
    for (const Keys<Settings>& part : {dataKeys(), trainKeys(), machineKeys()}) {
      append(all, part);
    }
    return all;
  }();
  return keys;
}

std::string sectionMeaning(const std::string& section) {
  static const std::map<std::string, std::string> meanings{
      {"network", "The stack of spiking layers."},
      {"layer", "All layers. A section [layer0], [layer1], ... takes the same keys for one layer "
                "and goes before [layer], wherever it stands; --set layer.KEY goes before both."},
      {"readout", "How the last layer's spikes become outputs."},
      {"loss", "What is minimised."},
      {"language", "Regularisation of language models (readout.kind = tied)."},
      {"data", "The data set and how it is cut into steps and inputs."},
      {"optimiser", "How weights follow gradients."},
      {"learningRate", "The learning rate over the updates."},
      {"train", "The training loop."},
      {"machine", "Where it runs."},
      {"checkpoint", "Which states are kept during the forward pass."},
  };
  return meanings.at(section);
}

} // namespace spillway
