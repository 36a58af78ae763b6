// What a session's request asks of the device and the graph, worked out before either exists.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/SnnGraph.hpp"
#include "train/GraphSession.hpp"

#include <cstdint>
#include <string>

namespace spillway {

// A machine sized for the host has the tiles that the network needs.
AcquiredDevice acquireFor(const SessionRequest& request);
Placement placementOf(const SessionRequest& request, std::uint32_t numTiles);
SequenceShape sequenceOf(const SessionRequest& request);
std::string codeletsFor(const SessionRequest& request); // the name codeletsPath() takes
// Everything where it was asked for and the schedule leaves every state on the device.
HostTrace hostTraceOf(const SessionRequest& request);

} // namespace spillway
