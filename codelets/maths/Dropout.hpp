// Values that a sample's layer does not receive in a training batch (docs/egru.md, "Masks"): the
// same ones at every step, so that recomputation finds them again.
#pragma once

#include "maths/GatedUnit.hpp"
#include "maths/Lists.hpp"

namespace spillway {

struct ValueMask {
  unsigned key, stream;
  unsigned size; // values of a sample
  float p;       // 0: nothing is dropped

  // What value i of a sample is multiplied with.
  float scale(unsigned sample, unsigned i) const {
    if (p == 0.0f) {
      return 1.0f;
    }
    return dropped(maskHash(key, stream, sample * size + i), p) ? 0.0f : 1.0f / (1.0f - p);
  }
};

// The mask of a batch whose vertex reads `phase`: nothing is dropped outside training.
template <class Phase>
inline ValueMask maskOfBatch(Phase& phase, unsigned stream, unsigned size, float dropout) {
  return {phase[kMaskKey], stream, size, phase[kTraining] != 0 ? dropout : 0.0f};
}

// Products with what a list's active ids received.
template <class Id>
inline void maskProducts(List<Id> list, const ValueMask& mask, unsigned sample, float* products) {
  for (unsigned k = 0; mask.p != 0.0f && k < list.numActive(); ++k) {
    products[k] *= mask.scale(sample, list.ids()[k]);
  }
}

// The events of a list that the mask leaves, scaled, as a list of the same layout at scratch[at],
// without the ids of no event; the list itself where nothing is dropped, and then there need be no
// scratch.
template <class Id, class Scratch>
inline List<Id> maskedList(List<Id> list, unsigned capacity, const ValueMask& mask, unsigned sample,
                           Scratch& scratch, unsigned long at) {
  if (mask.p == 0.0f) {
    return list;
  }
  Id* room = &scratch[at];
  const Id* ids = list.ids();
  const ListValue* values = list.values(capacity);
  Id* keptIds = room + kListHeader;
  room[1] = list.words[1]; // says where values are
  ListValue* keptValues = const_cast<ListValue*>(List<Id>{room}.values(capacity));
  unsigned count = 0;
  for (unsigned k = 0; k < list.numSpikes(); ++k) {
    const float scale = mask.scale(sample, ids[k]);
    keptIds[count] = ids[k];
    keptValues[count] = scale * values[k];
    count += scale != 0.0f ? 1 : 0;
  }
  room[0] = static_cast<Id>(count);
  return {room};
}

} // namespace spillway
