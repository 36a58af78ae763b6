// Networks of gated units (EGRU in both conventions, dense GRU) in double precision, straight from
// the equations of docs/egru.md.
#pragma once

#include "reference/Bptt.hpp"
#include "reference/Forward.hpp"

namespace spillway::reference {

enum class Phase { Training, Evaluation }; // random masks are drawn, or replaced by their means

// u of the trace is c; active holds the events, then the silent units within the
// pseudo-derivative's support.
SampleTrace gatedForward(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample,
                         Phase phase, const CarriedState& before = {});

// The sample's share of a language model's penalties. trace: as for gatedBackward().
double languagePenalty(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample,
                       const SampleTrace& trace);

// What an event of the layer adds to the batch's loss.
double eventCost(const LayerSpec& layer, const EventBatch& batch);
double eventLoss(const NetworkSpec& network, const EventBatch& batch, const SampleTrace& trace);

// What the next chunk of the sequence goes on from.
CarriedState carriedState(const NetworkSpec& network, const SampleTrace& trace);

// Adds the sample's gradients. trace: what gatedForward() returned in the training phase.
void gatedBackward(const NetworkSpec& network, const DenseSet& parameters, BatchSample sample,
                   const SampleTrace& trace, const LossGradient& loss, DenseSet& gradients);

} // namespace spillway::reference
