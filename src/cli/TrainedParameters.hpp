// The parameters a run has come to.
#pragma once

#include "config/Settings.hpp"
#include "network/Parameters.hpp"

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>

namespace spillway {

struct TrainedParameters {
  ParameterSet parameters;
  std::uint64_t update = 0; // updates done
};

// Of a run folder: of `snapshot` unless empty, else of the newest intact one. Of a configuration
// file: those that training would begin with. Damaged snapshots are named in `remarks`.
// REQUIRES: a complete network. Throws IoError where there is no snapshot.
TrainedParameters trainedParameters(const std::filesystem::path& target,
                                    const std::string& snapshot, const Settings& settings,
                                    std::ostream& remarks);

} // namespace spillway
