// Spikes and states of the last batch, read back from the device.
#pragma once

#include "graphs/Geometry.hpp"
#include "train/DeviceTrace.hpp"

#include <poplar/Engine.hpp>

namespace spillway {

// REQUIRES: the graph was built with HostTrace::Everything, and its schedule keeps the state after
// step t in slot t.
DeviceTrace readTrace(poplar::Engine& engine, const Geometry& geometry);

} // namespace spillway
