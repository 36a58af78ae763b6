#include "train/StartingParameters.hpp"

#include "data/ParameterFile.hpp"

namespace spillway {

ParameterSet startingParameters(const Settings& settings) {
  if (settings.train.weights.empty()) {
    return initialParameters(settings.network, settings.train.seed, settings.train.weightScale);
  }
  return readParameters(Hdf5Reader(settings.train.weights), settings.network);
}

} // namespace spillway
