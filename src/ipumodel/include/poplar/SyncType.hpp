#pragma once

namespace poplar {

// Which tiles wait for each other: those of one IPU, of one replica, or of all replicas.
enum class SyncType { INTERNAL, EXTERNAL, GLOBAL };

} // namespace poplar
