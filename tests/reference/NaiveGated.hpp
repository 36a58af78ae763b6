// Networks of gated units a second time, on the tape, without any hand-written adjoint.
#pragma once

#include "data/EventBatch.hpp"
#include "reference/DenseTensor.hpp"

namespace spillway::reference::test {

// Hard: an event is [c > theta] with the pseudo-derivative as its derivative. Soft: a smooth
// function of c - theta whose true derivative is the pseudo-derivative, so that finite differences
// apply.
enum class EventFunction { Hard, Soft };

struct NaiveGatedResult {
  double loss = 0.0;
  DenseSet gradients;
  std::size_t numEvents = 0;
};

// Sum over samples and steps of a fixed smooth function of v[t]; the batch's labels are not used.
NaiveGatedResult runNaiveGated(const NetworkSpec& network, const DenseSet& parameters,
                               const EventBatch& batch, EventFunction events);

} // namespace spillway::reference::test
