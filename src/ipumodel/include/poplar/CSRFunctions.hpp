// Control registers of the tiles: how floating-point errors are treated.
//
// The model computes as IEEE 754 says, rounds to nearest even, and raises no floating-point
// exception; these functions keep what they are given, so that it can be read back, and change
// nothing else.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace poplar {

struct FloatingPointBehaviour {
  bool inv = true;   // exceptions on invalid operations
  bool div0 = true;  // on division by zero
  bool oflo = true;  // on overflow
  bool esr = true;   // stochastic rounding of halves
  bool nanoo = true; // NaN on overflow of halves, instead of the largest number

  FloatingPointBehaviour() = default;
  FloatingPointBehaviour(bool inv_, bool div0_, bool oflo_, bool esr_, bool nanoo_)
      : inv(inv_), div0(div0_), oflo(oflo_), esr(esr_), nanoo(nanoo_) {}

  FloatingPointBehaviour operator!() const {
    return FloatingPointBehaviour(!inv, !div0, !oflo, !esr, !nanoo);
  }
  friend bool operator==(const FloatingPointBehaviour& a, const FloatingPointBehaviour& b) {
    return a.inv == b.inv && a.div0 == b.div0 && a.oflo == b.oflo && a.esr == b.esr &&
           a.nanoo == b.nanoo;
  }
  friend bool operator!=(const FloatingPointBehaviour& a, const FloatingPointBehaviour& b) {
    return !(a == b);
  }
};

void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog,
                               const FloatingPointBehaviour& behaviour,
                               const DebugContext& debugContext = {});
// From what getAndModifyFloatingPointBehaviour returned.
void setFloatingPointBehaviour(Graph& graph, program::Sequence& prog, const Tensor& behaviour,
                               const DebugContext& debugContext = {});
// Leaves the other flags alone.
void setStochasticRounding(Graph& graph, program::Sequence& prog, bool enable,
                           const DebugContext& debugContext = {});

// Clears some flags, sets others, leaves the rest, and returns what they were:
// UNSIGNED_INT[tiles][5].
Tensor getAndModifyFloatingPointBehaviour(Graph& graph, program::Sequence& prog,
                                          const FloatingPointBehaviour& clear,
                                          const FloatingPointBehaviour& set,
                                          const DebugContext& debugContext = {});

} // namespace poplar
