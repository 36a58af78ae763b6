// What gated sequences that are longer than a run hand on from one run to the next: every unit's
// state and the events of its last step.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/Lists.hpp"
#include "graphs/UnitTensors.hpp"

#include <poplar/Program.hpp>

#include <string>

namespace spillway {

namespace host {
inline std::string carriedStates(std::size_t unit) {
  return "sequence/states" + std::to_string(unit);
}
inline std::string carriedEvents(std::size_t layer) {
  return "sequence/events" + std::to_string(layer);
}
} // namespace host

class CarriedState {
public:
  CarriedState(poplar::Graph& graph, const Geometry& geometry,
               const std::vector<UnitTensors>& units, const Lists& lists,
               const poplar::DebugContext& debugContext);

  // UNSIGNED_INT [kPhaseWords] on the control tile; empty where the network is not gated.
  const poplar::Tensor& phase() const { return phase_; }

  // Between forward and backward pass: keeps the last step's events. States are kept by the
  // vertices.
  poplar::program::Program keep() const;
  // Before a run, after the slabs were emptied: what the run goes on from, by phase[kContinues].
  poplar::program::Program restore(poplar::Graph& graph) const;

  // Lets the host read and write what the next run goes on from: FLOAT [numSamples, size] of unit u
  // as host::carriedStates(u), the lists [numSamples * width] of layer l's last step as
  // host::carriedEvents(l).
  void nameForHost(poplar::Graph& graph) const;
  std::size_t numStates(std::size_t unit) const {
    return units_[unit].gated.last.flat().numElements();
  }
  std::size_t eventBytes(std::size_t layer) const;

private:
  poplar::Tensor rowOf(std::size_t list, std::size_t row) const; // of every sample's slab

  const Geometry& geometry_;
  const std::vector<UnitTensors>& units_;
  const Lists& lists_;
  poplar::Tensor phase_;
  std::vector<TiledTensor> events_; // by layer: [B][width]
};

} // namespace spillway
