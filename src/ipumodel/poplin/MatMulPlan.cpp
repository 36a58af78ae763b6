#include "poplin/MatMulPlan.hpp"

#include <algorithm>
#include <vector>

namespace poplin {
namespace {

std::size_t ceilDiv(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

// Fixed cost of an exchange and the sync before it (PopLibs, CTCLossPlan.cpp).
constexpr std::uint64_t kExchangeCycles = 190;

std::uint64_t estimate(const poplar::Target& target, std::size_t typeSize, const MatMulShape& s,
                       const MatMulPlan& p) {
  const auto rows = ceilDiv(s.rows, p.rowParts), inner = ceilDiv(s.inner, p.innerParts),
             columns = ceilDiv(s.columns, p.columnParts);
  const auto perCycle = target.getExchangeBytesPerCycle();
  const std::uint64_t exchange = kExchangeCycles + (rows + columns) * inner * typeSize / perCycle;
  const std::uint64_t inputsPerPass = typeSize == 2 ? 16 : 8, cyclesPerRow = typeSize == 2 ? 4 : 8;
  const std::uint64_t passes = ceilDiv(inner, inputsPerPass) * ceilDiv(columns, 16);
  const std::uint64_t compute =
      50 + passes * (16 * inputsPerPass * typeSize / 8 + 20 + cyclesPerRow * rows);
  std::uint64_t reduce = 0;
  if (p.innerParts > 1) { // each tile then adds its share of the partial sums
    const auto share = ceilDiv(rows * columns, p.innerParts);
    reduce = 2 * kExchangeCycles + share * p.innerParts * (4 / perCycle + 1) + 100;
  }
  return exchange + compute + reduce;
}

// 1, 2, 3, 4, 6, 8, ... up to n: enough to come close to any number of parts.
std::vector<std::size_t> candidates(std::size_t n) {
  std::vector<std::size_t> parts;
  for (std::size_t i = 1; i <= n; i = i < 4 ? i + 1 : i + (i + 3) / 4)
    parts.push_back(i);
  return parts;
}

} // namespace

MatMulPlan planMatMul(const poplar::Target& target, const poplar::Type& inputType,
                      const MatMulShape& s) {
  const auto typeSize = target.getTypeSize(inputType);
  const std::size_t numTiles = target.getNumTiles();
  MatMulPlan best;
  const auto tiles = std::max<std::size_t>(numTiles / std::max<std::size_t>(s.groups, 1), 1);
  best.tilesPerGroup = tiles;
  best.cycles = estimate(target, typeSize, s, best);
  for (auto rowParts : candidates(std::min(s.rows, tiles)))
    for (auto columnParts : candidates(std::min(s.columns, tiles / rowParts)))
      for (auto innerParts : candidates(std::min(s.inner, tiles / (rowParts * columnParts)))) {
        MatMulPlan plan{rowParts, innerParts, columnParts, tiles, 0};
        plan.cycles = estimate(target, typeSize, s, plan);
        if (plan.cycles < best.cycles)
          best = plan;
      }
  return best;
}

} // namespace poplin
