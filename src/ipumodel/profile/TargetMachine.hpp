// The machine parameters of a target.
#pragma once

#include "machine/MachineParameters.hpp"

#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>

#include <string>

namespace ipumodel {

// The documented machine of the target's architecture (Bow when an ipu2 runs at its clock), with
// the target's own tiles, memory, clock and exchange, and over it what the engine option
// ipumodel.machine and then the environment variable IPUMODEL_MACHINE say
// ("name=value,name=value"). Throws poplar::invalid_option on a bad value there.
MachineDescription machineOf(const poplar::Target& target, const std::string& engineOption = "");

} // namespace ipumodel
