#include "popsparse/SparsePlan.hpp"

#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace popsparse {
namespace {

constexpr std::size_t kMaxIndex = 65535; // of an UNSIGNED_SHORT
// Pieces that other partitions may leave in a bucket.
constexpr std::size_t kForeignPieces = 8;
// Fixed cost of an exchange and the sync before it, as for dense products.
constexpr std::uint64_t kExchangeCycles = 190;

std::size_t ceilDiv(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

std::vector<std::size_t> candidates(std::size_t n) {
  std::vector<std::size_t> parts;
  for (std::size_t i = 1; i <= n; i = i < 4 ? i + 1 : i + (i + 3) / 4)
    parts.push_back(i);
  return parts;
}

// Of the busiest tile if values are spread evenly.
std::uint64_t estimate(const poplar::Target& target, std::size_t typeSize, const SparsePlan& p) {
  const auto& s = p.shape;
  const std::uint64_t perCycle = target.getExchangeBytesPerCycle();
  const std::uint64_t rows = ceilDiv(s.rowBlocks(), p.rowParts) * s.blockRows;
  const std::uint64_t inner = ceilDiv(s.innerBlocks(), p.innerParts) * s.blockColumns;
  const std::uint64_t columns = ceilDiv(s.columns, p.columnParts);
  const std::uint64_t blocks = ceilDiv(s.numBlocks, p.numPartitions());
  std::uint64_t exchange = kExchangeCycles + inner * columns * typeSize / perCycle;
  if (p.columnParts > 1) // each tile has only a share of the bucket
    exchange += blocks * (4 + s.blockSize() * typeSize) / perCycle;
  const std::uint64_t width = 8 / typeSize, inputs = typeSize == 2 ? 16 : 8;
  const std::uint64_t perBlock =
      s.blockSize() == 1 ? 5 + ceilDiv(columns, width)
                         : ceilDiv(s.blockColumns, inputs) * ceilDiv(s.blockRows, 16) *
                               (2 * inputs * typeSize + 20 + (typeSize == 2 ? 4 : 8) * columns);
  std::uint64_t cycles = exchange + 60 + rows * columns / 2 + blocks * perBlock;
  if (p.innerParts > 1)
    cycles += 2 * kExchangeCycles + rows * columns * (4 / perCycle + 1) + 100;
  return cycles;
}

SparseShape checkedShape(std::size_t groups, std::size_t rows, std::size_t inner,
                         std::size_t columns, const dynamic::SparsityParams& sparsity,
                         std::size_t numNonZeros) {
  if (groups != 1)
    throw poputil::poplibs_error("popsparse: " + std::to_string(groups) +
                                 " groups; only one is supported");
  SparseShape shape{
      rows, inner, columns, sparsity.getNumRowsInBlock(), sparsity.getNumColumnsInBlock(), 0};
  if (shape.blockSize() == 0 || rows % shape.blockRows != 0 || inner % shape.blockColumns != 0)
    throw poputil::poplibs_error("popsparse: a matrix of " + std::to_string(rows) + " x " +
                                 std::to_string(inner) + " is not made of whole blocks of " +
                                 std::to_string(shape.blockRows) + " x " +
                                 std::to_string(shape.blockColumns));
  if (sparsity.type == dynamic::SparsityType::Element && shape.blockSize() != 1)
    throw poputil::poplibs_error("popsparse: blocks of more than one element need "
                                 "SparsityType::Block");
  shape.numBlocks = ceilDiv(numNonZeros, shape.blockSize());
  return shape;
}

} // namespace

std::size_t SparsePlan::piecesPerBucket() const {
  return kForeignPieces + ceilDiv(blocksPerBucket, kMaxIndex);
}
std::size_t SparsePlan::metaPerBucket() const {
  return 2 + 2 * piecesPerBucket() + 2 * blocksPerBucket;
}
poplar::Interval SparsePlan::rows(std::size_t part) const {
  const auto blocks = rowBlocks(part);
  return {blocks.begin() * shape.blockRows, blocks.end() * shape.blockRows};
}
poplar::Interval SparsePlan::inner(std::size_t part) const {
  const auto blocks = innerBlocks(part);
  return {blocks.begin() * shape.blockColumns, blocks.end() * shape.blockColumns};
}

SparseShape shapeOf(const dynamic::MatMulParams& p) {
  return checkedShape(p.getNumGroups(), p.getM(), p.getK(), p.getN(), p.getSparsityParams(),
                      p.getNumNonZeroValues());
}
SparseShape shapeOf(const dynamic::FullyConnectedParams& p) {
  return checkedShape(p.getNumGroups(), p.getOutputChannels(), p.getInputChannels(),
                      p.getBatchSize(), p.getSparsityParams(), p.getNumNonZeroValues());
}

SparsePlan chooseParts(const poplar::Target& target, const poplar::Type& type,
                       const SparseShape& shape) {
  if (type != poplar::FLOAT && type != poplar::HALF)
    throw poputil::poplibs_error("popsparse: values of type " + type.toString().cloneAsString() +
                                 "; FLOAT and HALF are legal");
  const auto typeSize = target.getTypeSize(type);
  // Of one IPU, so that a partitioner for several of them fits what lies on one.
  const std::size_t tiles = target.getTilesPerIPU();
  SparsePlan best{shape};
  auto bestCycles = estimate(target, typeSize, best);
  for (auto rowParts : candidates(std::min(shape.rowBlocks(), tiles)))
    for (auto innerParts : candidates(std::min(shape.innerBlocks(), tiles / rowParts)))
      for (auto columnParts :
           candidates(std::min(shape.columns, tiles / (rowParts * innerParts)))) {
        const SparsePlan plan{shape, rowParts, innerParts, columnParts};
        const auto cycles = estimate(target, typeSize, plan);
        if (cycles < bestCycles) {
          best = plan;
          bestCycles = cycles;
        }
      }
  if (ceilDiv(shape.rowBlocks(), best.rowParts) > kMaxIndex ||
      ceilDiv(shape.innerBlocks(), best.innerParts) > kMaxIndex)
    throw poputil::poplibs_error("popsparse: more than 65,535 rows or columns of blocks on a tile");
  return best;
}

SparsePlan planSparse(const poplar::Target& target, const poplar::Type& type,
                      const SparseShape& shape, const poplar::OptionFlags& options) {
  double oversize = 0.3, memory = 0.6;
  bool accepted = false;
  std::string partialsType;
  using Handler = poplibs::OptionHandler;
  const poplibs::OptionSpec spec{
      {"metaInfoBucketOversizeProportion", Handler::createWithDouble(oversize)},
      {"availableMemoryProportion", Handler::createWithDouble(memory)},
      {"doGradAPass", Handler::createWithBool(accepted)},
      {"doGradWPass", Handler::createWithBool(accepted)},
      {"partialsType", Handler::createWithString(partialsType)},
      {"sharedBuckets", Handler::createWithBool(accepted)},
      {"enableStructuredRearrangements", Handler::createWithBool(accepted)},
      {"partitioner.optimiseForSpeed", Handler::createWithBool(accepted)},
      {"partitioner.forceBucketSpills", Handler::createWithBool(accepted)},
      {"partitioner.useActualWorkerSplitCosts", Handler::createWithBool(accepted)}};
  for (const auto& flag : options)
    spec.parse(flag.first, flag.second);
  if (!(oversize >= 0))
    throw poplar::invalid_option("metaInfoBucketOversizeProportion is negative");
  auto plan = chooseParts(target, type, shape);
  const double even =
      static_cast<double>(shape.numBlocks) / static_cast<double>(plan.numPartitions());
  plan.blocksPerBucket =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(even * (1 + oversize))));
  return plan;
}

} // namespace popsparse
