#include "machine/ExchangeCost.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace ipumodel {
namespace {

std::uint64_t ceilDiv(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

struct Interval {
  std::uint64_t begin, end;
};

using Intervals = std::vector<Interval>; // sorted by begin

bool startsBefore(const Interval& a, const Interval& b) {
  return a.begin < b.begin;
}

// A list may overlap itself, where a tile receives the same data twice.
Intervals merged(const Intervals& list) {
  Intervals result;
  for (const Interval& i : list) {
    if (!result.empty() && i.begin <= result.back().end)
      result.back().end = std::max(result.back().end, i.end);
    else
      result.push_back(i);
  }
  return result;
}

// What is in `a` and not in `b`, appended to `rest`; returns the bytes in both. REQUIRES: both
// merged.
std::uint64_t split(const Intervals& a, const Intervals& b, Intervals& rest) {
  std::uint64_t common = 0;
  std::size_t j = 0;
  for (const Interval& i : a) {
    std::uint64_t at = i.begin;
    while (j < b.size() && b[j].end <= at)
      ++j;
    for (std::size_t k = j; k < b.size() && b[k].begin < i.end; ++k) {
      if (b[k].begin > at)
        rest.push_back({at, b[k].begin});
      const std::uint64_t stop = std::min(i.end, b[k].end);
      common += stop - std::max(at, b[k].begin);
      at = stop;
    }
    if (at < i.end)
      rest.push_back({at, i.end});
  }
  return common;
}

class TrafficTable {
public:
  TileTraffic& at(std::uint32_t tile) {
    const auto [it, isNew] = index_.try_emplace(tile, table_.size());
    if (isNew)
      table_.push_back({.tile = tile});
    return table_[it->second];
  }

  std::vector<TileTraffic> sorted() && {
    std::sort(table_.begin(), table_.end(),
              [](const TileTraffic& a, const TileTraffic& b) { return a.tile < b.tile; });
    return std::move(table_);
  }

private:
  std::unordered_map<std::uint32_t, std::size_t> index_;
  std::vector<TileTraffic> table_;
};

// The data one tile receives, as source intervals; counts it on the way.
Intervals receive(std::span<const Transfer> transfers, TileTraffic& traffic) {
  Intervals sources, fragments; // fragments by destination
  const Transfer* last = nullptr;
  for (const Transfer& t : transfers) {
    traffic.bytesReceived += t.bytes;
    sources.push_back({t.source, t.source + t.bytes});
    if (last && last->fromTile == t.fromTile && last->source + last->bytes == t.source &&
        last->destination + last->bytes == t.destination)
      fragments.back().end += t.bytes;
    else
      fragments.push_back({t.destination, t.destination + t.bytes});
    last = &t;
  }
  std::sort(fragments.begin(), fragments.end(), startsBefore);
  traffic.receiveFragments = static_cast<std::uint32_t>(fragments.size());
  for (std::size_t i = 1; i < fragments.size(); ++i)
    traffic.contiguousFragments += fragments[i].begin == fragments[i - 1].end ? 1 : 0;
  return merged(sources);
}

// Returns the source intervals that some pair of tiles receives with one tile only.
Intervals countReceives(std::vector<Transfer>& transfers, TrafficTable& table,
                        std::uint64_t tilesPerBus) {
  std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
    return std::tie(a.toTile, a.source, a.destination) <
           std::tie(b.toTile, b.source, b.destination);
  });
  Intervals narrow;
  std::vector<std::pair<std::uint32_t, Intervals>> bus; // the receiving tiles of one bus
  const auto finishBus = [&] {
    if (bus.size() < tilesPerBus || tilesPerBus != 2) {
      for (const auto& [tile, intervals] : bus)
        narrow.insert(narrow.end(), intervals.begin(), intervals.end());
    } else {
      const std::uint64_t shared = split(bus[0].second, bus[1].second, narrow);
      split(bus[1].second, bus[0].second, narrow);
      table.at(bus[0].first).bytesReceivedShared = shared;
      table.at(bus[1].first).bytesReceivedShared = shared;
    }
    bus.clear();
  };
  for (std::size_t first = 0, i = 0; first < transfers.size(); first = i) {
    const std::uint32_t tile = transfers[first].toTile;
    while (i < transfers.size() && transfers[i].toTile == tile)
      ++i;
    if (!bus.empty() && bus.front().first / tilesPerBus != tile / tilesPerBus)
      finishBus();
    bus.emplace_back(tile, receive({&transfers[first], i - first}, table.at(tile)));
  }
  finishBus();
  std::sort(narrow.begin(), narrow.end(), startsBefore);
  return merged(narrow);
}

// Sent bytes that are not narrow anywhere go out at the rate of the shared bus.
void countSends(std::vector<Transfer>& transfers, const Intervals& narrow, TrafficTable& table) {
  std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
    return std::tie(a.fromTile, a.source) < std::tie(b.fromTile, b.source);
  });
  for (std::size_t i = 0; i < transfers.size();) {
    const std::uint32_t tile = transfers[i].fromTile;
    TileTraffic& traffic = table.at(tile);
    Intervals intervals;
    for (; i < transfers.size() && transfers[i].fromTile == tile; ++i)
      intervals.push_back({transfers[i].source, transfers[i].source + transfers[i].bytes});
    for (const Interval& sent : merged(intervals)) {
      const std::uint64_t bytes = sent.end - sent.begin;
      std::uint64_t narrowBytes = 0;
      auto it = std::upper_bound(narrow.begin(), narrow.end(), sent.begin,
                                 [](std::uint64_t at, const Interval& n) { return at < n.end; });
      for (; it != narrow.end() && it->begin < sent.end; ++it)
        narrowBytes += std::min(sent.end, it->end) - std::max(sent.begin, it->begin);
      ++traffic.sendFragments;
      traffic.bytesSent += bytes;
      traffic.bytesSentShared += bytes - narrowBytes;
    }
  }
}

} // namespace

ExchangeShape shapeOf(std::vector<Transfer>& transfers, const MachineParameters& machine) {
  std::erase_if(transfers,
                [](const Transfer& t) { return t.fromTile == t.toTile || t.bytes == 0; });
  TrafficTable table;
  const Intervals narrow = countReceives(transfers, table, machine.tilesPerSharedBus);
  countSends(transfers, narrow, table);

  ExchangeShape shape;
  shape.tiles = std::move(table).sorted();
  for (const TileTraffic& tile : shape.tiles) {
    shape.bytesSent += tile.bytesSent;
    shape.bytesReceived += tile.bytesReceived;
  }
  return shape;
}

std::uint64_t tileExchangeCycles(const TileTraffic& traffic, const MachineParameters& machine) {
  const std::uint64_t rate = machine.exchangeBytesPerCycle;
  const auto dataCycles = [&](std::uint64_t bytes, std::uint64_t shared) {
    return ceilDiv(bytes - shared, rate) + ceilDiv(shared, rate * machine.sharedBusFactor);
  };
  const std::uint64_t send = dataCycles(traffic.bytesSent, traffic.bytesSentShared);
  const std::uint64_t receive = dataCycles(traffic.bytesReceived, traffic.bytesReceivedShared);
  const std::uint64_t control =
      (traffic.receiveFragments - traffic.contiguousFragments) * machine.controlCyclesPerFragment +
      traffic.contiguousFragments * machine.controlCyclesPerContiguous;
  return std::max({send, receive, control});
}

std::uint64_t exchangeCycles(const ExchangeShape& shape, const MachineParameters& machine) {
  if (shape.tiles.empty())
    return 0;
  std::uint64_t slowest = 0;
  for (const TileTraffic& tile : shape.tiles)
    slowest = std::max(slowest, tileExchangeCycles(tile, machine));
  return machine.exchangeFixedCycles + slowest;
}

std::uint64_t exchangeCodeBytes(const TileTraffic& traffic, const MachineParameters& machine) {
  const std::uint64_t first = traffic.receiveFragments > 0 ? 1 : 0;
  const std::uint64_t words = 2 + 2 * traffic.sendFragments + 3 * traffic.receiveFragments -
                              traffic.contiguousFragments - first;
  return words * machine.exchangeInstructionBytes;
}

} // namespace ipumodel
