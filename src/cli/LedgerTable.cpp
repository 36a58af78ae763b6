#include "cli/LedgerTable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace spillway {
namespace {

using plan::MemoryParts;
using Tiles = std::vector<MemoryParts>;

struct Part {
  const char *name, *key; // for people, for programs
  std::function<std::uint64_t(const MemoryParts&)> bytes;
};

// Those whose bytes the planner claims to know exactly come first.
const std::vector<Part>& parts() {
  static const std::vector<Part> all{
      {"states", "states", &MemoryParts::states},
      {"spikes", "spikes", &MemoryParts::spikes},
      {"weights", "weights", &MemoryParts::weights},
      {"gradients", "gradients", &MemoryParts::gradients},
      {"optimiser", "optimiser", &MemoryParts::optimiser},
      {"adjoint", "adjoint", &MemoryParts::adjoint},
      {"other data and buffers", "other",
       [](const MemoryParts& tile) { return tile.temporaries + tile.staging; }},
      {"program and its table", "program", &MemoryParts::rest},
      {"total", "total", &MemoryParts::total}};
  return all;
}

std::size_t largestTile(const Tiles& tiles) {
  return static_cast<std::size_t>(
      std::max_element(tiles.begin(), tiles.end(),
                       [](const auto& a, const auto& b) { return a.total() < b.total(); }) -
      tiles.begin());
}

double meanOf(const Tiles& tiles, const Part& part) {
  double sum = 0.0;
  for (const MemoryParts& tile : tiles) {
    sum += static_cast<double>(part.bytes(tile));
  }
  return sum / static_cast<double>(tiles.size());
}

std::string difference(double planned, double held) {
  return planned == held ? std::string("equal")
                         : fmt::format("{:+.1f} %", 100.0 * (planned / held - 1.0));
}

} // namespace

std::string ledgerAsText(const LedgerComparison& comparison) {
  const std::size_t planned = largestTile(comparison.planned),
                    held = largestTile(comparison.ledger);
  std::string out =
      fmt::format("{}: bytes as planned, as the IPU Model's ledger has them\n\n{:26} {:>12} {:>12} "
                  "{:>8} | {:>12} {:>12} {:>8}\n",
                  comparison.strategy, "", "largest tile", "ledger", "", "mean tile", "ledger", "");
  for (const Part& part : parts()) {
    const std::uint64_t a = part.bytes(comparison.planned[planned]),
                        b = part.bytes(comparison.ledger[held]);
    const double c = meanOf(comparison.planned, part), d = meanOf(comparison.ledger, part);
    out += fmt::format("{:26} {:>12} {:>12} {:>8} | {:>12.0f} {:>12.0f} {:>8}\n", part.name, a, b,
                       difference(static_cast<double>(a), static_cast<double>(b)), c, d,
                       difference(c, d));
  }
  const auto a = comparison.plannedRemote.total(), b = comparison.heldRemote.total();
  out += fmt::format("\nlargest: tile {} as planned, tile {} in the ledger\n", planned, held);
  return out +
         fmt::format("Streaming Memory: {} bytes as planned, {} in the graph's remote buffers "
                     "({})\n",
                     a, b, difference(static_cast<double>(a), static_cast<double>(b)));
}

std::string ledgerAsJson(const LedgerComparison& comparison) {
  nlohmann::ordered_json json{{"strategy", comparison.strategy}};
  const auto side = [&](const Tiles& tiles) {
    const std::size_t largest = largestTile(tiles);
    nlohmann::ordered_json both{{"largestTile", largest}};
    for (const Part& part : parts()) {
      both["largestTileBytes"][part.key] = part.bytes(tiles[largest]);
      both["meanTileBytes"][part.key] = meanOf(tiles, part);
    }
    return both;
  };
  json["planned"] = side(comparison.planned);
  json["ledger"] = side(comparison.ledger);
  json["planned"]["remoteBytes"] = comparison.plannedRemote.total();
  json["ledger"]["remoteBytes"] = comparison.heldRemote.total();
  return json.dump(2) + "\n";
}

} // namespace spillway
