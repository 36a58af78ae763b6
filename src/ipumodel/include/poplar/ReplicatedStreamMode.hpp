#pragma once

namespace poplar {

// Whether each replica has its own host stream, or all receive the same data.
enum class ReplicatedStreamMode { REPLICATE, BROADCAST };

} // namespace poplar
