#include "plan/OurCosts.hpp"

#include "codelets/maths/IdShares.hpp"
#include "plan/OurShapes.hpp"
#include "plan/Supersteps.hpp"

#include <algorithm>
#include <cmath>

namespace spillway::plan {

namespace {

// Control words advanced by a copy on their tile, and a loop's decision sent to all tiles.
constexpr double kLoopCycles = 308.0 + 227.0;
// Lists to and from the history: two small exchanges and the copying of a few words.
constexpr double kStoreCycles = 1100.0, kFetchBackwardCycles = 1520.0;
constexpr double kValuesCycles =
    400.0; // cached values to or from the history, fitted to the account
// Reading an action, branching on it, its first fetch of lists.
constexpr double kActionCycles = 1100.0 + 2 * 227.0 + kFetchBackwardCycles + kLoopCycles;
constexpr double kMoveCycles = 600.0; // a state between its slot and the staging buffer

// Fitted to random lists of 5 to 48 ids of 974, 120 samples: 1.4 at 5 and at 14, 1.16 at 48.
constexpr double kShareExcess = 1.2;

class Counter {
public:
  Counter(const NetworkSpec& network, const TilePartition& partition, const OurLayout& layout,
          const Activity& activity, const Busy& busy)
      : shapes_(network), partition_(partition), layout_(layout), activity_(activity), busy_(busy) {
    for (std::size_t u = 0; u < shapes_.units.size(); ++u)
      addUnit(u);
    for (std::size_t list = 1; list < shapes_.capacities.size(); ++list)
      addList(list);
  }

  Superstep update, compact, adjoint, gradient, sum, light;
  Superstep cache;          // where distances are
  double cachedBytes = 0.0; // of those, what comes back for the adjoint

private:
  double stepsOf(std::size_t unit) const { return busy_.stepsOf(unit); }
  double spikesIn(std::size_t u) const {
    const double below = u == 0 ? activity_.inputs : activity_.spikes[u - 1];
    return below + (shapes_.units[u].recurrent ? activity_.spikes[u] : 0.0);
  }
  // Entries of a list that receive a gradient.
  double active(std::size_t list) const { return activity_.gradients[list - 1]; }
  double slabBytes(std::size_t list, double rows) const {
    return layout_.batch * rows * shapes_.width(list) * static_cast<double>(shapes_.idBytes);
  }

  void addUnit(std::size_t u) {
    const UnitShape& unit = shapes_.units[u];
    const double B = layout_.batch, K = layout_.blockSteps, L = std::max(1u, layout_.lightSteps);
    const double steps = stepsOf(u);
    std::uint32_t most = 0;
    for (const TileShare& share : partition_.layers[u])
      most = std::max(most, share.numNeurons);
    const std::uint32_t columns = most * static_cast<std::uint32_t>(unit.gates);
    const double row = static_cast<double>(spikeInstructions(columns));
    const double step = static_cast<double>(stepInstructions(columns));
    const double own = unit.recurrent ? 1.0 : 0.0;
    const double gather = spikesIn(u) * static_cast<double>(gatherInstructions(columns)) +
                          (1.0 + own) * static_cast<double>(gatherListInstructions(columns)) + step;
    const double masks = unit.spikes ? static_cast<double>(maskInstructions(most)) : 0.0;
    const std::size_t ownList = unit.recurrent ? u + 1 : u;
    const auto slabs = [&](double rows) {
      return slabBytes(u, rows) + own * slabBytes(ownList, rows);
    };
    update.atLeast(dealt(B, 20.0 + steps * (gather + masks)), slabs(K + 1));
    if (unit.spikes || shapes_.lossAtEveryStep)
      light.atLeast(dealt(B, 20.0 + L * gather), slabs(L));
    if (unit.spikes && shapes_.dense[u + 1]) {
      double tiles = u + 1 < partition_.layers.size()
                         ? static_cast<double>(partition_.layers[u + 1].size())
                         : 0.0;
      tiles += own * static_cast<double>(partition_.layers[u].size());
      adjoint.atLeast(dealt(B, steps * (step + 12.0 * most + tiles * (most + 1))),
                      4.0 * tiles * B * K * most, tiles);
    } else if (unit.spikes) {
      adjoint.atLeast(dealt(B, steps * (72.0 + step)),
                      slabBytes(u + 1, K) + 4.0 * B * K * shapes_.capacities[u + 1]);
    }
    double work = weightGradient(u, columns);
    if (u != 0)
      work += product(u, most, row, steps);
    if (unit.recurrent)
      work += product(u + 1, most, row, steps);
    gradient.atLeast(work, slabs(K));
  }

  // Those who share a copy search every list of its samples for their part of the ids. The shares
  // are cut by a few lists: the largest is above the mean by a part that falls with the length.
  double weightGradient(std::size_t u, std::uint32_t columns) const {
    const double copies = layout_.gradientCopies, sharers = kWorkers / copies;
    const auto list = [&](double spikes) {
      const double search =
          sharers > 1 ? static_cast<double>(searchInstructions(std::llround(spikes))) : 0.0;
      const double excess = sharers > 1 && spikes > 0.0 ? kShareExcess / std::sqrt(spikes) : 0.0;
      return 12.0 + search +
             (1.0 + excess) * spikes / sharers * static_cast<double>(addRowInstructions(columns));
    };
    const UnitShape& unit = shapes_.units[u];
    const double below = u == 0 ? activity_.inputs : activity_.spikes[u - 1];
    const double lists = list(below) + (unit.recurrent ? list(activity_.spikes[u]) : 0.0);
    const double share = sharers > 1 ? 2.0 * kShareInstructions : 0.0;
    return kLaunchCycles +
           kWorkers * (share + std::ceil(layout_.batch / copies) * stepsOf(u) * lists);
  }

  // What a tile of `neurons` sends back to a list.
  double product(std::size_t list, double neurons, double row, double steps) const {
    const double B = layout_.batch;
    if (!shapes_.dense[list])
      return dealt(B, steps * (8.0 + active(list) * (row + 2.0)));
    const double fanIn = static_cast<double>(shapes_.gradients[list]);
    return kLaunchCycles + kWorkers * 20.0 + B * steps * (4.0 + neurons * (fanIn + 1)) +
           3.0 * fanIn * neurons;
  }

  void addList(std::size_t list) {
    const LayerShares& makers = partition_.layers[list - 1];
    const double K = layout_.blockSteps, steps = stepsOf(list - 1);
    const double samples = std::min(layout_.samplesPerGroup, layout_.batch);
    const double numGroups = std::ceil(layout_.batch / samples);
    const double tiles = static_cast<double>(makers.size());
    const double groups = std::ceil(numGroups / tiles); // on one tile, one after the other
    const double passes = shapes_.dense[list] ? 1.0 : 2.0;
    const double maskBytes = std::ceil(makers.front().numNeurons / 8.0);
    compact.atLeast(groups *
                        dealt(samples, steps * (20.0 + passes * 5.0 * tiles + 6.0 * active(list))),
                    groups * tiles * samples * K * 2.0 * maskBytes, groups * tiles);
    const double picked = 12.0 + 12.0 * std::ceil(active(list) / kWorkers);
    cache.atLeast(groups * (kLaunchCycles + kWorkers * (10.0 + samples * steps * picked)),
                  groups * tiles * samples * K * 4.0 * makers.front().numNeurons, groups * tiles);
    cachedBytes = std::max(cachedBytes, 4.0 * layout_.batch * K * shapes_.capacities[list]);
    if (shapes_.dense[list] || list >= partition_.layers.size())
      return;
    const double above = static_cast<double>(partition_.layers[list].size());
    const double row = static_cast<double>(sumPartialsInstructions(
        static_cast<unsigned long>(std::ceil(active(list))), partition_.layers[list].size()));
    sum.atLeast(groups * (kLaunchCycles + kWorkers * samples * (18.0 + stepsOf(list) * row)),
                groups * above * samples * K * 4.0 * shapes_.capacities[list], groups * above);
  }

  Shapes shapes_;
  const TilePartition& partition_;
  const OurLayout& layout_;
  const Activity& activity_;
  Busy busy_;
};

// Supersteps in which some of the units run a block.
class Blocks {
public:
  Blocks(const NetworkSpec& network, const TilePartition& partition, const OurLayout& layout,
         const Activity& activity, const MachineSpeed& speed)
      : network_(network),
        partition_(partition),
        layout_(layout),
        activity_(activity),
        speed_(speed),
        numUnits_(Shapes(network).units.size()) {}

  struct Cycles {
    double forward = 0.0, backward = 0.0;
  };
  Cycles of(const Busy& busy) const {
    if (network_.isGated())
      return ofGated(busy);
    const Counter count(network_, partition_, layout_, activity_, busy);
    return {count.update.cycles(speed_) + count.compact.cycles(speed_) + kStoreCycles + kLoopCycles,
            count.adjoint.cycles(speed_) + count.gradient.cycles(speed_) +
                count.sum.cycles(speed_) + kFetchBackwardCycles + kLoopCycles};
  }
  // Of one superstep of light steps.
  double light() const {
    double cycles = kStoreCycles + kLoopCycles;
    if (network_.isGated()) {
      const GatedSupersteps gated =
          gatedSupersteps(network_, partition_, layout_, activity_, all());
      cycles += gated.light.cycles(speed_);
      return cycles + (gated.published ? gated.lightResets.cycles(speed_) : 0.0);
    }
    return cycles + Counter(network_, partition_, layout_, activity_, all()).light.cycles(speed_);
  }
  Busy all() const { return {0, numUnits_, static_cast<double>(layout_.blockSteps)}; }
  Cycles whole() const { return of(all()); }
  Cycles empty() const { return of({0, numUnits_, 0.0}); }

  // Each unit runs a block after the one before it: what the supersteps in which only some do add
  // to those of a range's blocks.
  Cycles fill() const {
    Cycles sum;
    const double steps = layout_.blockSteps;
    const Cycles each = whole();
    for (std::size_t u = 1; u <= lagOf(network_, layout_.blockSteps); ++u) {
      const Cycles begin = of({0, u, steps}), end = of({u, numUnits_, steps});
      sum.forward += begin.forward + end.forward - each.forward;
      sum.backward += begin.backward + end.backward - each.backward;
    }
    return sum;
  }

private:
  Cycles ofGated(const Busy& busy) const {
    const GatedSupersteps gated = gatedSupersteps(network_, partition_, layout_, activity_, busy);
    Cycles cycles{gated.update.cycles(speed_) + gated.compact.cycles(speed_) + kStoreCycles +
                      kLoopCycles,
                  gated.adjoint.cycles(speed_) + gated.gradient.cycles(speed_) +
                      gated.sum.cycles(speed_) + kFetchBackwardCycles + kLoopCycles};
    if (gated.published) {
      cycles.forward += gated.resets.cycles(speed_);
      cycles.backward += gated.resets.cycles(speed_) + gated.through.cycles(speed_);
    }
    return cycles;
  }

  const NetworkSpec& network_;
  const TilePartition& partition_;
  const OurLayout& layout_;
  const Activity& activity_;
  const MachineSpeed& speed_;
  std::size_t numUnits_;
};

} // namespace

Costs ourCosts(const NetworkSpec& network, const TilePartition& partition, const OurLayout& layout,
               const Activity& activity, const MachineSpeed& speed, std::uint64_t stateBytes) {
  const Blocks blocks(network, partition, layout, activity, speed);
  const double K = layout.blockSteps, L = std::max(1u, layout.lightSteps);
  const Blocks::Cycles whole = blocks.whole(), empty = blocks.empty(), fill = blocks.fill();
  Costs costs;
  costs.forward = whole.forward / K;
  costs.light = blocks.light() / L;
  costs.backward = whole.backward / K;
  costs.blockSteps = K;
  costs.forwardBlock = empty.forward;
  costs.backwardBlock = empty.backward;
  costs.forwardFill = fill.forward;
  costs.backwardFill = fill.backward;
  costs.writePerState = costs.readPerState =
      static_cast<double>(stateBytes) / speed.streamingBytesPerSecond * speed.clockHz;
  costs.writeLatency = costs.readLatency = speed.streamingLatencyCycles + kMoveCycles;
  costs.perAction = kActionCycles;
  costs.actionPage = speed.streamingLatencyCycles + kActionsPerPage * layout.bytesPerAction /
                                                        speed.streamingBytesPerSecond *
                                                        speed.clockHz;
  return costs;
}

CacheCosts cacheCosts(const NetworkSpec& network, const TilePartition& partition,
                      const OurLayout& layout, const Activity& activity,
                      const MachineSpeed& speed) {
  const Counter count(network, partition, layout, activity,
                      Blocks(network, partition, layout, activity, speed).all());
  return {(count.cache.cycles(speed) + kValuesCycles) / layout.blockSteps,
          (count.cachedBytes / speed.exchangeBytesPerCycle + kValuesCycles) / layout.blockSteps};
}

double addCopiesCycles(const NetworkSpec& network, const TilePartition& partition,
                       std::uint32_t copies) {
  const Shapes shapes(network);
  double slowest = 0.0;
  for (std::size_t u = 0; u < shapes.units.size(); ++u)
    for (const TileShare& share : partition.layers[u])
      slowest = std::max(slowest,
                         static_cast<double>(addCopiesInstructions(
                             shapes.units[u].rows() * share.numNeurons, share.numNeurons, copies)));
  return copies == 1 ? 0.0 : kExecuteCycles + kLaunchCycles + kWorkers * slowest;
}

Costs besideCosts(Costs costs, const TilePartition& partition, const MachineSpeed& speed,
                  std::uint64_t stateBytes) {
  // An IO tile sends or receives its share of a state; it may be a piece more than the mean.
  const double exchange = static_cast<double>(ceilDivide(stateBytes, partition.numIoTiles)) /
                          speed.exchangeBytesPerCycle;
  costs.stageOut = costs.stageIn = kMoveCycles + speed.syncCycles + exchange;
  costs.writeLatency = costs.readLatency = speed.streamingLatencyCycles;
  costs.meetsTransfers = true;
  return costs;
}

} // namespace spillway::plan
