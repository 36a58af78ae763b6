#include "popsparse/BucketLayout.hpp"

#include <poputil/exceptions.hpp>

#include <algorithm>
#include <numeric>

namespace popsparse {
namespace {

struct Piece {
  std::size_t partition;
  std::vector<std::size_t> blocks;
};
struct Bucket {
  std::vector<Piece> pieces;
  std::size_t numBlocks = 0;
};

// The part that block `i` of n is in, as partOf cuts them.
std::size_t partWith(std::size_t n, std::size_t parts, std::size_t i) {
  auto part = i * parts / n;
  while (partOf(n, parts, part).end() <= i)
    ++part;
  while (partOf(n, parts, part).begin() > i)
    --part;
  return part;
}

void check(const SparseShape& shape, const BlockPosition& p) {
  if (p.row >= shape.rows || p.column >= shape.inner || p.row % shape.blockRows != 0 ||
      p.column % shape.blockColumns != 0)
    throw poputil::poplibs_error("popsparse: no block of a matrix of " +
                                 std::to_string(shape.rows) + " x " + std::to_string(shape.inner) +
                                 " begins at row " + std::to_string(p.row) + ", column " +
                                 std::to_string(p.column));
}

// Moves as many blocks as fit from the end of `rest` to the bucket.
void fill(const SparsePlan& plan, Bucket& bucket, std::size_t partition,
          std::vector<std::size_t>& rest) {
  while (!rest.empty() && bucket.numBlocks < plan.blocksPerBucket &&
         bucket.pieces.size() < plan.piecesPerBucket()) {
    const auto count = std::min({rest.size(), plan.blocksPerBucket - bucket.numBlocks, kMaxPiece});
    bucket.pieces.push_back({partition, {rest.end() - static_cast<long>(count), rest.end()}});
    bucket.numBlocks += count;
    rest.resize(rest.size() - count);
  }
}

} // namespace

std::vector<std::vector<std::size_t>> partitionBlocks(const SparsePlan& plan,
                                                      const std::vector<BlockPosition>& blocks) {
  const auto& shape = plan.shape;
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return blocks[a] < blocks[b]; });
  std::vector<std::vector<std::size_t>> partitions(plan.numPartitions());
  for (std::size_t i = 0; i != order.size(); ++i) {
    const auto& p = blocks[order[i]];
    check(shape, p);
    if (i != 0 && !(blocks[order[i - 1]] < p))
      throw poputil::poplibs_error("popsparse: two blocks at row " + std::to_string(p.row) +
                                   ", column " + std::to_string(p.column));
    const auto x = partWith(shape.rowBlocks(), plan.rowParts, p.row / shape.blockRows);
    const auto y = partWith(shape.innerBlocks(), plan.innerParts, p.column / shape.blockColumns);
    partitions[x * plan.innerParts + y].push_back(order[i]);
  }
  return partitions;
}

void appendPiece(std::vector<std::size_t>& metaInfo, const SparsePlan& plan, std::size_t partition,
                 const std::vector<BlockPosition>& blocks, const std::size_t* first,
                 std::size_t count) {
  metaInfo.insert(metaInfo.end(), {partition, count});
  const auto firstRow = plan.rowBlocks(partition / plan.innerParts).begin();
  const auto firstColumn = plan.innerBlocks(partition % plan.innerParts).begin();
  for (std::size_t i = 0; i != count; ++i) {
    metaInfo.push_back(blocks[first[i]].row / plan.shape.blockRows - firstRow);
    metaInfo.push_back(blocks[first[i]].column / plan.shape.blockColumns - firstColumn);
  }
}

BucketLayout layOutBuckets(const SparsePlan& plan, const std::vector<BlockPosition>& blocks) {
  auto rest = partitionBlocks(plan, blocks);
  const auto numBuckets = plan.numPartitions();
  std::vector<Bucket> buckets(numBuckets);
  for (std::size_t p = 0; p != numBuckets; ++p)
    fill(plan, buckets[p], p, rest[p]);
  std::size_t rotations = 0;
  for (std::size_t p = 0; p != numBuckets; ++p)
    for (std::size_t distance = 1; !rest[p].empty(); ++distance) {
      if (distance == numBuckets)
        throw poputil::poplibs_error("popsparse: " + std::to_string(blocks.size()) +
                                     " blocks of values do not fit " + std::to_string(numBuckets) +
                                     " buckets of " + std::to_string(plan.blocksPerBucket) +
                                     "; allow more non-zero values or a larger "
                                     "metaInfoBucketOversizeProportion");
      const auto before = rest[p].size();
      fill(plan, buckets[(p + distance) % numBuckets], p, rest[p]);
      if (rest[p].size() != before)
        rotations = std::max(rotations, distance);
    }

  BucketLayout layout;
  layout.slots.resize(blocks.size());
  for (std::size_t b = 0; b != numBuckets; ++b) {
    auto& meta = layout.metaInfo;
    const auto begin = meta.size();
    meta.insert(meta.end(), {rotations, buckets[b].pieces.size()});
    auto slot = b * plan.blocksPerBucket;
    for (const auto& piece : buckets[b].pieces) {
      appendPiece(meta, plan, piece.partition, blocks, piece.blocks.data(), piece.blocks.size());
      for (auto block : piece.blocks)
        layout.slots[block] = slot++;
    }
    meta.resize(begin + plan.metaPerBucket());
  }
  return layout;
}

std::vector<PlacedBlock> readBuckets(const SparsePlan& plan,
                                     const std::vector<std::size_t>& metaInfo) {
  if (metaInfo.size() != plan.numPartitions() * plan.metaPerBucket())
    throw poputil::poplibs_error("popsparse: meta information of " +
                                 std::to_string(metaInfo.size()) + " elements is not of this plan");
  std::vector<PlacedBlock> blocks;
  for (std::size_t b = 0; b != plan.numPartitions(); ++b) {
    auto at = metaInfo.begin() + static_cast<long>(b * plan.metaPerBucket());
    auto slot = b * plan.blocksPerBucket;
    const auto numPieces = at[1];
    at += 2;
    for (std::size_t piece = 0; piece != numPieces; ++piece) {
      const auto partition = at[0], count = at[1];
      at += 2;
      const auto firstRow = plan.rowBlocks(partition / plan.innerParts).begin();
      const auto firstColumn = plan.innerBlocks(partition % plan.innerParts).begin();
      for (std::size_t i = 0; i != count; ++i, at += 2)
        blocks.push_back({{(firstRow + at[0]) * plan.shape.blockRows,
                           (firstColumn + at[1]) * plan.shape.blockColumns},
                          slot++});
    }
  }
  std::sort(blocks.begin(), blocks.end(),
            [](const PlacedBlock& a, const PlacedBlock& b) { return a.position < b.position; });
  return blocks;
}

} // namespace popsparse
