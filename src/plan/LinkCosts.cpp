#include "plan/LinkCosts.hpp"

#include "plan/HistorySpread.hpp"
#include "plan/OurShapes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace spillway::plan {
namespace {

constexpr double kLocalSyncCycles = 126.0;
constexpr double kControlBytes = 44.0; // the words of one unit, from the first IPU
constexpr double kDecisionBytes = 4.0;
constexpr double kEntryBytes = 2.0 + 4.0; // of a list turned round: its sample and its value

using PerIpu = std::vector<double>; // tiles or samples that an IPU has

// What the IPUs receive from and send to each other in one exchange.
struct Crossing {
  explicit Crossing(std::size_t numIpus) : in(numIpus), out(numIpus) {}

  // Everything in `receivers` receives `bytes` from everything in `senders`.
  void add(const PerIpu& receivers, const PerIpu& senders, double bytes) {
    for (std::size_t to = 0; to < in.size(); ++to)
      for (std::size_t from = 0; from < in.size(); ++from)
        if (from != to) {
          const double sum = receivers[to] * senders[from] * bytes;
          in[to] += sum;
          out[from] += sum;
        }
  }
  double busiest() const {
    return std::max(*std::max_element(in.begin(), in.end()),
                    *std::max_element(out.begin(), out.end()));
  }

  PerIpu in, out;
};

class LinkCounter {
public:
  LinkCounter(const LinkSpeed& link, const NetworkSpec& network, const TilePartition& partition,
              const OurLayout& layout, double clockHz)
      : link_(link),
        shapes_(network),
        partition_(partition),
        layout_(layout),
        cyclesPerByte_(clockHz / link.bytesPerSecond),
        shards_(spreadLists(shapes_.widths(), layout.batch,
                            partition.numTiles - 1 - partition.numIoTiles)) {
    controlTile_ = PerIpu(link.numIpus);
    controlTile_[0] = 1.0;
    for (const LayerShares& layer : partition.layers) {
      PerIpu& tiles = tiles_.emplace_back(link.numIpus);
      for (const TileShare& share : layer)
        tiles[ipuOf(share.tile)] += 1.0;
    }
    for (std::size_t list = 0; list < shapes_.capacities.size(); ++list) {
      groups_.push_back(groupsOf(list, partition, layout.batch, layout.samplesPerGroup));
      PerIpu& samples = samples_.emplace_back(link.numIpus);
      for (const Group& group : groups_.back())
        samples[ipuOf(group.tile)] += static_cast<double>(group.numSamples);
    }
  }

  double decision() const {
    const double tilesElsewhere =
        static_cast<double>(partition_.numTiles) * (link_.numIpus - 1) / link_.numIpus;
    return extraSync() + kDecisionBytes * tilesElsewhere * cyclesPerByte_;
  }
  // Control words to the tiles of the lists' history, and what these send.
  double fetchAll(double rows) const {
    return cycles(control(0, numLists())) + cycles(history(0, numLists(), rows));
  }
  double forward() const {
    const double K = layout_.blockSteps;
    Crossing compact = groupControl(), stored = control(1, numLists());
    for (std::size_t list = 1; list < numLists(); ++list) {
      const double neurons = partition_.layers[list - 1].front().numNeurons;
      const double masks =
          K * 2.0 * static_cast<double>(ceilDivide(static_cast<std::uint64_t>(neurons), 8));
      compact.add(samples_[list], tiles_[list - 1], masks + (shapes_.valued ? 4.0 * neurons : 0.0));
    }
    const Crossing lists = history(1, numLists(), K + 1);
    for (std::size_t ipu = 0; ipu < lists.in.size(); ++ipu) { // the other way round
      stored.in[ipu] += lists.out[ipu];
      stored.out[ipu] += lists.in[ipu];
    }
    return cycles(slabs(K + 1)) + cycles(compact) + cycles(stored) + cycles(history(0, 1, K + 1));
  }
  double light() const {
    const double L = std::max(1u, layout_.lightSteps);
    return cycles(slabs(shapes_.valued ? L + 1 : L)) + fetchAll(shapes_.valued ? L + 1 : L);
  }
  double backward() const {
    const double K = layout_.blockSteps;
    Crossing sum = groupControl(), asked = control(0, shapes_.units.size()),
             fetched = history(0, shapes_.units.size(), K + 1);
    addControl(1, numLists(), asked); // for a layer's own
    for (std::size_t list = 1; list < numLists(); ++list) {
      addHistory(list, K + 1, fetched); // its own
      if (shapes_.dense[list])
        continue;
      const double partials = 4.0 * K * static_cast<double>(shapes_.gradients[list]);
      if (list < tiles_.size())
        sum.add(samples_[list], tiles_[list], partials);
      if (shapes_.units[list - 1].recurrent)
        sum.add(samples_[list], tiles_[list - 1], partials);
    }
    return (shapes_.valued ? eventGradients() : spikeGradients()) + cycles(sum) + cycles(asked) +
           cycles(fetched);
  }

private:
  std::size_t ipuOf(std::uint32_t tile) const {
    return tile / (partition_.numTiles / link_.numIpus);
  }
  std::size_t numLists() const { return shapes_.capacities.size(); }
  Crossing none() const { return Crossing(link_.numIpus); }
  double extraSync() const { return link_.globalSyncCycles - kLocalSyncCycles; }
  double cycles(const Crossing& crossing) const {
    const double bytes = crossing.busiest();
    return bytes == 0.0 ? 0.0 : extraSync() + bytes * cyclesPerByte_;
  }
  double rowBytes(std::size_t list) const {
    return static_cast<double>(shapes_.width(list) * shapes_.idBytes);
  }

  Crossing control() const {
    Crossing crossing = none();
    for (const PerIpu& tiles : tiles_)
      crossing.add(tiles, controlTile_, kControlBytes);
    return crossing;
  }
  // Control words to the tiles of the history of some lists.
  Crossing control(std::size_t firstList, std::size_t endList) const {
    Crossing crossing = none();
    addControl(firstList, endList, crossing);
    return crossing;
  }
  void addControl(std::size_t firstList, std::size_t endList, Crossing& crossing) const {
    std::vector<PerIpu> tiles(numLists(), PerIpu(link_.numIpus));
    std::vector<std::uint32_t> last(numLists(), 0);
    for (const ListShard& shard : shards_) // a tile's follow one another
      if (std::exchange(last[shard.list], 1 + shard.tile) != 1 + shard.tile)
        tiles[shard.list][ipuOf(1 + shard.tile)] += 1.0;
    for (std::size_t list = firstList; list < endList; ++list)
      crossing.add(tiles[list], controlTile_, kControlBytes);
  }
  Crossing groupControl() const {
    Crossing crossing = none();
    for (std::size_t list = 1; list < numLists(); ++list)
      crossing.add(samples_[list], controlTile_, kControlBytes / layout_.samplesPerGroup);
    return crossing;
  }
  // So many rows of the lists' slabs to the tiles of the units that read them.
  Crossing slabs(double rows) const {
    Crossing crossing = control();
    for (std::size_t u = 0; u < shapes_.units.size(); ++u)
      addSlabs(u, rows, crossing);
    return crossing;
  }
  void addSlabs(std::size_t u, double rows, Crossing& crossing) const {
    crossing.add(tiles_[u], samples_[u], rows * rowBytes(u));
    if (shapes_.units[u].recurrent)
      crossing.add(tiles_[u], samples_[u + 1], rows * rowBytes(u + 1));
  }
  // Adjoint and gradient of spiking layers: both read lists of a block's own steps.
  double spikeGradients() const {
    const double K = layout_.blockSteps;
    Crossing adjoint = control();
    for (std::size_t u = 0; u + 1 < numLists(); ++u)
      addAdjoint(u, K, adjoint);
    return cycles(adjoint) + cycles(slabs(K));
  }
  // Gated layers read their lists with the adjoint. Meanwhile a tile of each list turns it round,
  // by id, and sends that to the tiles that add up weight gradients.
  double eventGradients() const {
    const double rows = layout_.blockSteps + 1.0;
    Crossing adjoint = control(), gradient = control();
    for (std::size_t u = 0; u < shapes_.units.size(); ++u) {
      const bool isReadout = shapes_.isReadout(u);
      addSlabs(u, rows, isReadout ? gradient : adjoint);
      addTurned(u, u, adjoint, gradient);
      if (!isReadout) {
        addTurned(u, u + 1, adjoint, gradient);
        adjoint.add(tiles_[u], samples_[u + 1], 4.0 * rows * shapes_.capacities[u + 1]);
      }
    }
    return cycles(adjoint) + cycles(gradient);
  }
  void addTurned(std::size_t unit, std::size_t list, Crossing& adjoint, Crossing& gradient) const {
    PerIpu turning(link_.numIpus);
    turning[ipuOf(groups_[list].front().tile)] = 1.0;
    adjoint.add(turning, samples_[list], (layout_.blockSteps + 1.0) * rowBytes(list));
    const std::uint64_t ids =
        list == 0 ? shapes_.units.front().fanIn : shapes_.units[list - 1].size;
    const double entries = static_cast<double>(layout_.batch) * shapes_.capacities[list];
    gradient.add(tiles_[unit], turning, 4.0 * static_cast<double>(ids + 1) + kEntryBytes * entries);
  }
  void addAdjoint(std::size_t u, double rows, Crossing& crossing) const {
    const double B = layout_.batch;
    if (shapes_.dense[u + 1]) {
      const double each = 4.0 * B * layout_.blockSteps * partition_.layers[u].front().numNeurons;
      if (u + 1 < tiles_.size())
        crossing.add(tiles_[u], tiles_[u + 1], each);
      if (shapes_.units[u].recurrent)
        crossing.add(tiles_[u], tiles_[u], each);
      return;
    }
    crossing.add(tiles_[u], samples_[u + 1],
                 rows * (rowBytes(u + 1) + 4.0 * shapes_.capacities[u + 1]));
  }
  // Rows of lists from their history to the tiles of their groups.
  Crossing history(std::size_t firstList, std::size_t endList, double rows) const {
    Crossing crossing = none();
    for (std::size_t list = firstList; list < endList; ++list)
      addHistory(list, rows, crossing);
    return crossing;
  }
  void addHistory(std::size_t list, double rows, Crossing& crossing) const {
    for (const ListShard& shard : shards_) {
      if (shard.list != list)
        continue;
      const std::size_t to = ipuOf(groups_[list][shard.sample / layout_.samplesPerGroup].tile);
      const std::size_t from = ipuOf(1 + shard.tile);
      if (to != from) {
        const double bytes = rows * static_cast<double>(shard.numWords * shapes_.idBytes);
        crossing.in[to] += bytes;
        crossing.out[from] += bytes;
      }
    }
  }

  const LinkSpeed& link_;
  Shapes shapes_;
  const TilePartition& partition_;
  const OurLayout& layout_;
  double cyclesPerByte_;
  std::vector<ListShard> shards_;
  PerIpu controlTile_;
  std::vector<PerIpu> tiles_;              // by unit
  std::vector<PerIpu> samples_;            // by list: those whose lists are made and summed there
  std::vector<std::vector<Group>> groups_; // by list
};

} // namespace

void addLinkCosts(const LinkSpeed& link, const NetworkSpec& network, const TilePartition& partition,
                  const OurLayout& layout, double clockHz, Costs& costs) {
  if (link.numIpus < 2)
    return;
  const LinkCounter count(link, network, partition, layout, clockHz);
  const double K = layout.blockSteps, L = std::max(1u, layout.lightSteps);
  const double lag = static_cast<double>(lagOf(network, layout.blockSteps));
  const double forward = count.forward() + count.decision(),
               backward = count.backward() + count.decision();
  costs.forward += forward / K;
  costs.forwardBlock += forward;
  costs.forwardFill += lag * forward;
  costs.light += (count.light() + count.decision()) / L;
  costs.backward += backward / K;
  costs.backwardBlock += backward;
  costs.backwardFill += lag * backward;
  // Reading an action, branching on it, its first fetch of lists and the end of its loop.
  costs.perAction += 3.0 * count.decision() + count.fetchAll(K + 1);
}

} // namespace spillway::plan
