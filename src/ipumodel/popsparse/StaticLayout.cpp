#include "popsparse/StaticLayout.hpp"

#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace popsparse {

StaticLayout layOutStatic(const poplar::Target& target, const poplar::Type& type,
                          const static_::MatMulParams& params,
                          const std::array<std::size_t, 2>& blockDimensions,
                          const std::vector<BlockPosition>& positions) {
  if (params.getNumGroups() != 1)
    throw poputil::poplibs_error("popsparse: " + std::to_string(params.getNumGroups()) +
                                 " groups; only one is supported");
  const auto rows = params.isTransposed() ? params.getK() : params.getM();
  const auto inner = params.isTransposed() ? params.getM() : params.getK();
  const auto [blockRows, blockColumns] = blockDimensions;
  if (blockRows == 0 || blockColumns == 0 || rows % blockRows != 0 || inner % blockColumns != 0)
    throw poputil::poplibs_error("popsparse: a matrix of " + std::to_string(rows) + " x " +
                                 std::to_string(inner) + " is not made of whole blocks of " +
                                 std::to_string(blockRows) + " x " + std::to_string(blockColumns));
  StaticLayout layout;
  layout.plan = chooseParts(
      target, type, {rows, inner, params.getN(), blockRows, blockColumns, positions.size()});
  layout.slots.resize(positions.size());
  std::size_t slot = 0;
  const auto partitions = partitionBlocks(layout.plan, positions);
  for (std::size_t p = 0; p != partitions.size(); ++p) {
    const auto& blocks = partitions[p];
    const auto pieces = (blocks.size() + kMaxPiece - 1) / kMaxPiece;
    std::vector<std::size_t> meta{0, pieces};
    for (std::size_t piece = 0; piece != pieces; ++piece)
      appendPiece(meta, layout.plan, p, positions, blocks.data() + piece * kMaxPiece,
                  std::min(blocks.size() - piece * kMaxPiece, kMaxPiece));
    layout.metaInfo.push_back(std::move(meta));
    layout.blocks.push_back({slot, slot + blocks.size()});
    for (auto block : blocks) {
      layout.placed.push_back({positions[block], slot});
      layout.slots[block] = slot++;
    }
  }
  std::sort(layout.placed.begin(), layout.placed.end(),
            [](const PlacedBlock& a, const PlacedBlock& b) { return a.position < b.position; });
  return layout;
}

void checkStaticOptions(const poplar::OptionFlags& options) {
  double memory = 0.6;
  const poplibs::OptionSpec spec{
      {"availableMemoryProportion", poplibs::OptionHandler::createWithDouble(memory)}};
  for (const auto& flag : options)
    spec.parse(flag.first, flag.second);
}

} // namespace popsparse
