#include "plan/HostCosts.hpp"

#include "plan/OurShapes.hpp"

namespace spillway::plan {

namespace {

// Seconds, measured with `spillway bench` on the networks of docs/performance.md: a weight that a
// spike adds, the update of a neuron, its threshold and list; backward a weight's product and
// gradient, a neuron's adjoint and, where all learn, a weight of the dense product; a superstep of
// all units.
constexpr double kPerWeight = 0.04e-9, kPerNeuron = 0.15e-9, kPerThreshold = 0.45e-9;
constexpr double kPerWeightBack = 0.075e-9, kPerNeuronBack = 0.9e-9;
constexpr double kPerDenseWeight = 0.008e-9;
constexpr double kPerStep = 2.5e-6;
constexpr double kPerAction = 10e-6; // four supersteps; an estimate

} // namespace

Costs hostCosts(const NetworkSpec& network, std::uint32_t batch, const Activity& activity,
                std::uint64_t stateBytes) {
  const Shapes shapes(network);
  double gathered = 0.0, neurons = 0.0, dense = 0.0;
  for (std::size_t u = 0; u < shapes.units.size(); ++u) {
    const UnitShape& unit = shapes.units[u];
    const double size = static_cast<double>(unit.size * unit.gates);
    double in = u == 0 ? activity.inputs : activity.spikes[u - 1];
    in += unit.recurrent ? activity.spikes[u] : 0.0;
    gathered += batch * in * size;
    neurons += batch * size;
    if (u > 0 && shapes.dense[u])
      dense += batch * static_cast<double>(unit.fanIn) * size;
    if (unit.recurrent && shapes.dense[u + 1])
      dense += batch * size * size;
  }
  Costs costs;
  costs.light = kPerStep + kPerWeight * gathered + kPerNeuron * neurons;
  costs.forward = costs.light + kPerThreshold * neurons;
  costs.backward = kPerStep + kPerWeightBack * 2.0 * gathered + kPerDenseWeight * dense +
                   kPerNeuronBack * neurons;
  costs.writePerState = costs.readPerState = static_cast<double>(stateBytes) / kHostBytesPerSecond;
  costs.perAction = costs.writeLatency = costs.readLatency = costs.actionPage = kPerAction;
  return costs;
}

Costs inCycles(const Costs& seconds, double clockHz) {
  Costs cycles = seconds;
  for (double Costs::*cost :
       {&Costs::forward, &Costs::light, &Costs::backward, &Costs::writePerState,
        &Costs::writeLatency, &Costs::readPerState, &Costs::readLatency, &Costs::stageOut,
        &Costs::stageIn, &Costs::spikeWrite, &Costs::spikeRead, &Costs::perAction,
        &Costs::actionPage})
    cycles.*cost *= clockHz;
  return cycles;
}

} // namespace spillway::plan
