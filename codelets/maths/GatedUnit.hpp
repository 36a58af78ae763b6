// One step of the gated units' equations (docs/egru.md, convention = code) on a row of units.
#pragma once

#include "maths/Control.hpp"
#include "maths/Gates.hpp"
#include "maths/Phase.hpp"
#include "maths/Rows.hpp"

namespace spillway {

// Few enough lanes that all of a unit's variables stay in registers.
constexpr unsigned kElementRow = kWidestRow < 32 ? kWidestRow : 32;

// Values are part of the vertex names: keep them equal to spillway::LayerKind's gated kinds.
enum class GatedModel { Egru, Gru };

// The hash that draws masks, of docs/egru.md: uniform over 32 bits.
inline unsigned maskHash(unsigned key, unsigned stream, unsigned element) {
  unsigned x = element * 0x9E3779B9u + (key ^ (stream * 0x85EBCA6Bu));
  x = (x ^ (x >> 16)) * 0x7FEB352Du;
  x = (x ^ (x >> 15)) * 0x846CA68Bu;
  return x ^ (x >> 16);
}

// Whether an element whose hash this is falls to a mask that drops a fraction p of them.
inline bool dropped(unsigned hash, float p) {
  return static_cast<double>(hash) < static_cast<double>(p) * 4294967296.0;
}

template <unsigned W>
struct GateRows {
  Row<W> keep, reset, candidate;
  Row<W> recurrent; // q_g, the recurrent part of the candidate
};

// a, q: the products of a step's input and of its events, [keep, reset, candidate][neurons].
template <unsigned W>
inline GateRows<W> gateRows(const float* a, const float* q, unsigned neurons, unsigned first) {
  const auto at = [&](const float* from, unsigned gate) {
    return loadRow<W>(from + static_cast<unsigned long>(gate) * neurons + first);
  };
  GateRows<W> gates;
  gates.keep = sigmoidRow<W>(at(a, 0) + at(q, 0));
  gates.reset = sigmoidRow<W>(at(a, 1) + at(q, 1));
  gates.recurrent = at(q, 2);
  gates.candidate = tanhRow<W>(at(a, 2) + gates.reset * gates.recurrent);
  return gates;
}

// Gates kept for the backward pass, kKeptGates floats a unit: [keep, reset, candidate,
// recurrent][neurons].
template <unsigned W>
inline void keepRows(float* to, unsigned neurons, unsigned first, const GateRows<W>& gates) {
  storeRow<W>(to + first, gates.keep);
  storeRow<W>(to + neurons + first, gates.reset);
  storeRow<W>(to + 2ul * neurons + first, gates.candidate);
  storeRow<W>(to + 3ul * neurons + first, gates.recurrent);
}
template <unsigned W>
inline GateRows<W> keptRows(const float* from, unsigned neurons, unsigned first) {
  return {loadRow<W>(from + first), loadRow<W>(from + neurons + first),
          loadRow<W>(from + 2ul * neurons + first), loadRow<W>(from + 3ul * neurons + first)};
}

// dL/d of what each gate is the sigmoid or hyperbolic tangent of.
template <unsigned W>
struct GateErrors {
  Row<W> keep, reset, candidate;
};

// c: the state after the step; moved: dL/dc where the gates had a say in it.
template <unsigned W>
inline GateErrors<W> gateErrors(const GateRows<W>& gates, Row<W> c, Row<W> moved) {
  const Row<W> leak = 1.0f - gates.keep;
  GateErrors<W> errors;
  errors.candidate = (1.0f - gates.candidate * gates.candidate) * (leak * moved);
  errors.reset = gates.reset * (1.0f - gates.reset) * (gates.recurrent * errors.candidate);
  // k (h[t-1] - g) = c[t] - g: the state before is not needed.
  errors.keep = leak * ((c - gates.candidate) * moved);
  return errors;
}

// to: [keep, reset, candidate][neurons].
template <unsigned W>
inline void storeGates(float* to, unsigned neurons, unsigned first, const GateErrors<W>& errors) {
  storeRow<W>(to + first, errors.keep);
  storeRow<W>(to + neurons + first, errors.reset);
  storeRow<W>(to + 2ul * neurons + first, errors.candidate);
}

// What the next leak starts from.
template <GatedModel model, unsigned W>
inline Row<W> afterReset(Row<W> c, Row<W> theta) {
  if constexpr (model == GatedModel::Gru) {
    return c;
  } else {
    return c > theta ? c - theta : c;
  }
}

struct EventConstants {
  float dampening;
  float inverseWidth; // of the pseudo-derivative
  float cost;         // what an event adds to the loss
};

// Adjoints of a row of units at one step.
template <unsigned W>
struct GatedAdjoint {
  Row<W> state;     // dL/dc
  Row<W> threshold; // what the step adds to dL/d theta
};

// Adjoints fade over long sequences. Far below what any sum would notice they are set to zero,
// since denormal numbers are slow.
template <unsigned W>
inline Row<W> withoutTraces(Row<W> adjoint) {
  constexpr float kLeast = 1e-28f;
  return (adjoint > kLeast) | (adjoint < -kLeast) ? adjoint : Row<W>(0.0f);
}

// dy: dL/dy[t]; dh: dL/dh[t].
template <GatedModel model, unsigned W>
inline GatedAdjoint<W> stateAdjoint(Row<W> c, Row<W> theta, Row<W> dy, Row<W> dh,
                                    const EventConstants& constants) {
  if constexpr (model == GatedModel::Gru) {
    return {withoutTraces<W>(dy + dh), Row<W>(0.0f)};
  } else {
    const Row<W> zero(0.0f);
    const Row<W> v = c - theta;
    const Row<W> height = 1.0f - (v < zero ? -v : v) * constants.inverseWidth;
    const Row<W> psi = constants.dampening * (height > zero ? height : zero);
    const Row<W> throughEvent = psi * (c * dy - theta * dh + constants.cost);
    const RowMask<W> fired = c > theta;
    return {withoutTraces<W>((fired ? dy : zero) + throughEvent + dh),
            -(throughEvent + (fired ? dh : zero))};
  }
}

// Which units of a row fire, and which lie within the pseudo-derivative's support.
template <unsigned W>
inline void putEventBits(Row<W> c, Row<W> theta, float pseudoWidth, unsigned char* mask,
                         unsigned maskBytes, unsigned first) {
  const Row<W> v = c - theta;
  putBits<W>(mask, first, c > theta);
  putBits<W>(mask + maskBytes, first, (v > -pseudoWidth) & (v < pseudoWidth));
}

// The state before step j of a block, [sample][neurons]: that of the slot it begins from, the
// initial one, or the step before. The slot that step j leaves its state in.
template <class Control, class Initial, class Slots>
inline const float* stateBefore(Control& control, Initial& initial, Slots& slots,
                                unsigned long slotSize, unsigned j) {
  if (j == 0) {
    return control[kReadSlot] == 0 ? &initial[0] : &slots[(control[kReadSlot] - 1) * slotSize];
  }
  return &slots[(control[kWriteSlot] + (control[kKeepAll] != 0 ? j - 1 : 0)) * slotSize];
}

template <class Control>
inline unsigned slotAfter(Control& control, unsigned j) {
  return control[kWriteSlot] + (control[kKeepAll] != 0 ? j : 0);
}

} // namespace spillway
