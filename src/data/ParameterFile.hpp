// Weights and gradients in HDF5, under plain names: docs/data-formats.md.
#pragma once

#include "data/Hdf5File.hpp"
#include "network/Parameters.hpp"

#include <string>

namespace spillway {

// One array per tensor: prefix + "layer0/weight", ...
void writeParameters(Hdf5Writer& file, const ParameterSet& parameters,
                     const std::string& prefix = "");

// The network's tensors. Throws FileError for one that is missing, has another shape or holds a
// value that is not finite.
ParameterSet readParameters(const Hdf5Reader& file, const NetworkSpec& network,
                            const std::string& prefix = "");

} // namespace spillway
