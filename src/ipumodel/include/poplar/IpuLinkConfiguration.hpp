// How IPUs are wired to each other.
#pragma once

namespace poplar {

enum class IpuLinkConfiguration { Default, SlidingWindow, BarleyTwist };

enum class IpuLinkTopology { Mesh, Torus, Line };

} // namespace poplar
