// The machine parameters of a target.
#pragma once

#include "machine/MachineParameters.hpp"

#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>

namespace ipumodel {

// The documented machine of the target's architecture (Bow when an ipu2 runs at its clock), with
// the target's own tiles, memory, clock and exchange, and with the environment variable
// IPUMODEL_MACHINE
// ("name=value,name=value") over it. Throws poplar::invalid_option on a bad value there.
MachineDescription machineOf(const poplar::Target& target);

} // namespace ipumodel
