// Supersteps of gated layers: the vertices of graphs/GatedPass.hpp and graphs/PaperPass.hpp with
// their estimates.
#include "plan/OurShapes.hpp"
#include "plan/Supersteps.hpp"

namespace spillway::plan {

namespace {

constexpr double kValueBytes = 4.0;

class Counter {
public:
  Counter(const NetworkSpec& network, const TilePartition& partition, const OurLayout& layout,
          const Activity& activity, const Busy& busy)
      : shapes_(network),
        partition_(partition),
        layout_(layout),
        activity_(activity),
        busy_(busy),
        turning_(partition.layers.size() + 1, 0.0) {
    for (std::size_t u = 0; u < shapes_.units.size(); ++u)
      addTurning(u);
    for (std::size_t u = 0; u < shapes_.units.size(); ++u)
      shapes_.isReadout(u) ? addReadout(u) : addLayer(u);
    for (std::size_t list = 1; list < shapes_.capacities.size(); ++list)
      addList(list);
  }

  GatedSupersteps result;

private:
  double received(std::size_t u) const { // events of the list that a unit reads
    return u == 0 ? activity_.inputs : activity_.spikes[u - 1];
  }
  double receivedActive(std::size_t u) const { // and entries that a gradient goes back to
    return u == 0 ? 0.0 : activity_.gradients[u - 1];
  }
  double slabBytes(std::size_t list, double rows) const {
    return layout_.batch * rows * shapes_.width(list) * static_cast<double>(shapes_.idBytes);
  }
  static double perEvent(double columns) {
    return static_cast<double>(eventInstructions(static_cast<unsigned>(columns)));
  }
  static double gates(std::uint32_t neurons) {
    return static_cast<double>(gateInstructions(neurons));
  }
  std::uint32_t mostNeurons(std::size_t u) const {
    std::uint32_t most = 0;
    for (const TileShare& share : partition_.layers[u])
      most = std::max(most, share.numNeurons);
    return most;
  }
  double numTiles(std::size_t u) const {
    return u < partition_.layers.size() ? static_cast<double>(partition_.layers[u].size()) : 0.0;
  }
  double idsOf(std::size_t list) const {
    return static_cast<double>(list == 0 ? shapes_.units[0].fanIn : shapes_.units[list - 1].size);
  }

  // Lists by id, made by one worker of the tile where the first samples' lists are made: list 0's
  // is the first layer's first, as list 1's.
  void addTurning(std::size_t u) {
    const auto turn = [&](std::size_t list, double events) {
      const double steps = busy_.stepsOf(u) != 0.0 ? 1.0 : 0.0;
      double& slowest = turning_[list == 0 ? 0 : list - 1];
      slowest = std::max(slowest, kWorkers * (50.0 + 5.0 * (idsOf(list) + 1.0) +
                                              16.0 * steps * layout_.batch * events));
    };
    turn(u, received(u));
    if (!shapes_.isReadout(u))
      turn(u + 1, activity_.spikes[u]);
  }
  double turnedBytes(std::size_t list) const {
    return 4.0 * (idsOf(list) + 1.0) + 6.0 * layout_.batch * shapes_.capacities[list];
  }
  // A tile's rows of a weight gradient, and what it adds to biases beside them.
  double rowGradient(std::size_t list, double events, double columns, bool runs) const {
    return kLaunchCycles + 12.0 * idsOf(list) + 20.0 * kWorkers +
           (runs ? layout_.batch * events * perEvent(columns) : 0.0);
  }
  double biasGradient(double columns, bool runs) const {
    return kWorkers * (20.0 + (runs ? layout_.batch * (5.0 + 1.5 * columns) : 0.0));
  }

  void addLayer(std::size_t u) {
    const double B = layout_.batch, L = std::max(1u, layout_.lightSteps);
    const double steps = busy_.stepsOf(u), rows = layout_.blockSteps + 1.0;
    const bool runs = steps != 0.0;
    const std::uint32_t n = mostNeurons(u);
    const double below = received(u), own = activity_.spikes[u], events = below + own;
    const double ownActive = activity_.gradients[u], belowActive = receivedActive(u);
    const double size = static_cast<double>(shapes_.units[u].size);
    const auto slabs = [&](double r) { return slabBytes(u, r) + slabBytes(u + 1, r); };
    const double masks = static_cast<double>(maskInstructions(n));
    const double fromAbove = kValueBytes * B * rows * shapes_.capacities[u + 1];
    double adjoint = 0.0;
    if (shapes_.units[u].published) {
      result.published = true;
      const double reset = 20.0 + events * perEvent(n) + gates(n) / 3.0;
      const double update = 20.0 + events * (8.0 + perEvent(2.0 * n)) + gates(n);
      const double resets = kValueBytes * B * size * std::max(L, 1.0); // room for light ones
      result.resets.atLeast(dealt(B, steps * reset), slabs(rows));
      result.lightResets.atLeast(dealt(B, L * reset), slabs(L + 1.0));
      result.update.atLeast(dealt(B, steps * update), slabs(rows) + resets, numTiles(u));
      result.light.atLeast(dealt(B, L * update), slabs(L + 1.0) + resets, numTiles(u));
      adjoint = runs ? dealt(B, 40.0 + (events + own) * perEvent(2.0 * n) + 2.0 * gates(n)) : 0.0;
      result.adjoint.atLeast(adjoint + turning_[u], slabs(rows) + fromAbove + resets, numTiles(u));
      const double through = 40.0 + (ownActive + belowActive) * perEvent(3.0 * n);
      result.through.atLeast((runs ? dealt(B, through) : 0.0) +
                                 kWorkers *
                                     (20.0 + (runs ? 4.0 * idsOf(u + 1) + 12.0 * B * own : 0.0)),
                             slabs(rows) + kValueBytes * B * numTiles(u) * n, numTiles(u));
      result.sum.atLeast(rowGradient(u + 1, own, 3.0 * n, runs), turnedBytes(u + 1));
    } else {
      const double update = 20.0 + events * perEvent(3.0 * n) + gates(n);
      result.update.atLeast(dealt(B, steps * (update + masks)), slabs(rows));
      result.light.atLeast(dealt(B, L * update), slabs(L + 1.0));
      const double products = below + own + ownActive + belowActive;
      adjoint = runs ? dealt(B, 40.0 + products * perEvent(3.0 * n) + 2.0 * gates(n)) : 0.0;
      result.adjoint.atLeast(adjoint + turning_[u], slabs(rows) + fromAbove);
    }
    result.gradient.atLeast(rowGradient(u, below, 3.0 * n, runs) +
                                rowGradient(u + 1, own, 3.0 * n, runs) +
                                biasGradient(3.0 * n, runs),
                            turnedBytes(u) + turnedBytes(u + 1));
  }

  void addReadout(std::size_t u) {
    const double B = layout_.batch, steps = busy_.stepsOf(u), rows = layout_.blockSteps + 1.0;
    const bool runs = steps != 0.0;
    const std::uint32_t n = mostNeurons(u);
    const double step = static_cast<double>(stepInstructions(n));
    const double gather = received(u) * perEvent(n) + step;
    result.update.atLeast(dealt(B, 20.0 + steps * gather), slabBytes(u, rows));
    if (shapes_.lossAtEveryStep) {
      const double L = std::max(1u, layout_.lightSteps);
      result.light.atLeast(dealt(B, 20.0 + L * gather), slabBytes(u, L + 1.0));
    }
    result.adjoint.atLeast(dealt(B, steps * step), 0.0);
    const double product = runs ? dealt(B, 20.0 + receivedActive(u) * (perEvent(n) + 2.0)) : 0.0;
    result.gradient.atLeast(rowGradient(u, received(u), n, runs) + product + biasGradient(n, runs),
                            turnedBytes(u) + slabBytes(u, rows));
  }

  void addList(std::size_t list) {
    const std::size_t maker = list - 1;
    const double runs = busy_.stepsOf(maker) != 0.0 ? 1.0 : 0.0;
    const double samples = std::min(layout_.samplesPerGroup, layout_.batch);
    const double tiles = numTiles(maker), above = numTiles(list);
    const double groups = std::ceil(std::ceil(layout_.batch / samples) / tiles);
    const double n = partition_.layers[maker].front().numNeurons;
    const double active = activity_.gradients[maker];
    result.compact.atLeast(
        groups * dealt(runs * samples, 20.0 + 10.0 * tiles + 8.0 * active + shapes_.width(list)),
        groups * tiles * samples * (2.0 * std::ceil(n / 8.0) + kValueBytes * n),
        2.0 * groups * tiles);
    const double aboveRuns = busy_.stepsOf(list) != 0.0 ? 1.0 : 0.0;
    result.sum.atLeast(
        groups * dealt(samples, 20.0 + (runs * tiles + aboveRuns * above) * (4.0 + active)),
        groups * samples * kValueBytes * shapes_.capacities[list] * (tiles + above),
        groups * (tiles + above));
  }

  Shapes shapes_;
  const TilePartition& partition_;
  const OurLayout& layout_;
  const Activity& activity_;
  Busy busy_;
  std::vector<double> turning_; // by layer, on its first tile
};

} // namespace

GatedSupersteps gatedSupersteps(const NetworkSpec& network, const TilePartition& partition,
                                const OurLayout& layout, const Activity& activity,
                                const Busy& busy) {
  return Counter(network, partition, layout, activity, busy).result;
}

} // namespace spillway::plan
