// Which gradients an update takes.
#pragma once

namespace spillway {

// Those of the batch that was run last, or what the host makes of several batches: only then can
// the host read and write them as a whole.
enum class GradientUse { Own, Shared };

} // namespace spillway
