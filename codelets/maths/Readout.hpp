// How the readout's potential over time becomes the logits. Keep equal to
// spillway::ReadoutReduction.
#pragma once

namespace spillway {

enum class ReadoutMode : unsigned { Mean, Max, Last, PerStep };

} // namespace spillway
