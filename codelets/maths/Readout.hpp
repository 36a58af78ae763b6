// How the readout's potential over time becomes the logits. Keep equal to
// spillway::ReadoutReduction.
#pragma once

#include "maths/Rows.hpp"

namespace spillway {

enum class ReadoutMode : unsigned { Mean, Max, Last, PerStep };

// Takes a step's potential into the logits of a row of outputs; bestStep: of the maximum so far.
template <unsigned W>
inline void reducePotential(ReadoutMode mode, Row<W> potential, unsigned step, unsigned numSteps,
                            float* logit, unsigned* bestStep) {
  switch (mode) {
  case ReadoutMode::Mean:
    storeRow<W>(logit, loadRow<W>(logit) + potential / static_cast<float>(numSteps));
    break;
  case ReadoutMode::Last:
    storeRow<W>(logit, potential);
    break;
  case ReadoutMode::PerStep:
    break;
  case ReadoutMode::Max:
    for (unsigned i = 0; i < W; ++i) {
      if (step == 0 || potential[i] > logit[i]) {
        logit[i] = potential[i];
        bestStep[i] = step;
      }
    }
    break;
  }
}

} // namespace spillway
