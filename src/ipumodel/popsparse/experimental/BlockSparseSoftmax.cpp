#include "popsparse/experimental/BlockMask.hpp"

#include <popops/ElementWise.hpp>
#include <popops/Fill.hpp>
#include <popops/Reduce.hpp>
#include <popops/Zero.hpp>
#include <poputil/exceptions.hpp>

#include <popsparse/experimental/BlockSparse.hpp>

#include <map>

namespace popsparse {
namespace experimental {

using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

std::vector<MaskedBlock> maskedBlocks(const unsigned char* mask, std::size_t rows,
                                      std::size_t columns, std::size_t firstIndex) {
  std::vector<MaskedBlock> blocks;
  for (std::size_t row = 0; row != rows; ++row)
    for (std::size_t column = 0; column != columns; ++column)
      if (mask[row * columns + column])
        blocks.push_back({row, column, firstIndex + blocks.size()});
  return blocks;
}

std::vector<Tensor> maskedElements(const Tensor& block, std::size_t row, std::size_t column,
                                   SubBlockMask mask) {
  std::vector<Tensor> elements;
  if (mask == SubBlockMask::None)
    return elements;
  const auto width = block.dim(1);
  for (std::size_t r = 0; r != block.dim(0); ++r) {
    // Columns of the block from which on an element of this row is on or above the diagonal.
    const auto diagonal = row + r;
    const auto upTo = [&](std::size_t end) {
      return end <= column ? 0 : std::min(end - column, width);
    };
    const auto range = mask == SubBlockMask::ZeroUpperTriangle
                           ? poplar::Interval(upTo(diagonal + 1), width)
                           : poplar::Interval(0, upTo(diagonal));
    if (range.size())
      elements.push_back(block[r].slice(range));
  }
  return elements;
}

namespace {

struct Layout {
  std::size_t blockRows, blockColumns;
  // Rows of blocks by the number of blocks in them.
  std::map<std::size_t, std::vector<std::vector<MaskedBlock>>> lines;
};

Layout layoutOf(const Tensor& t, const std::array<int, 2>& dim, const std::array<int, 2>& blockSize,
                const std::vector<unsigned char>& sparsity) {
  for (unsigned i = 0; i != 2; ++i)
    if (blockSize[i] <= 0 || dim[i] % blockSize[i] != 0)
      throw poputil::poplibs_error("bsSoftmax: dimension " + std::to_string(i) + " of " +
                                   std::to_string(dim[i]) + " is not made of blocks of " +
                                   std::to_string(blockSize[i]));
  Layout layout{static_cast<std::size_t>(blockSize[0]), static_cast<std::size_t>(blockSize[1]), {}};
  const auto rows = static_cast<std::size_t>(dim[0]) / layout.blockRows;
  const auto columns = static_cast<std::size_t>(dim[1]) / layout.blockColumns;
  if (columns == 0 || sparsity.size() % (rows * columns) != 0)
    throw poputil::poplibs_error("bsSoftmax: a mask of " + std::to_string(sparsity.size()) +
                                 " blocks where there are " + std::to_string(rows * columns));
  // Several masks, one after the other, are those of several matrices.
  std::size_t numBlocks = 0;
  for (std::size_t at = 0; at != sparsity.size(); at += rows * columns) {
    std::vector<std::vector<MaskedBlock>> lines(rows);
    for (const auto& block : maskedBlocks(sparsity.data() + at, rows, columns, numBlocks))
      lines[block.row].push_back(block);
    for (auto& line : lines) {
      numBlocks += line.size();
      if (!line.empty())
        layout.lines[line.size()].push_back(line);
    }
  }
  if (t.rank() != 2 || t.dim(0) != numBlocks || t.dim(1) != layout.blockRows * layout.blockColumns)
    throw poputil::poplibs_error("bsSoftmax: a tensor of shape " + t.shapeToString() +
                                 " is not that of " + std::to_string(numBlocks) + " blocks");
  return layout;
}

// Rows of the matrix, of those rows of blocks, without the blocks that are not there.
Tensor rowsOf(const Tensor& t, const Layout& layout,
              const std::vector<std::vector<MaskedBlock>>& lines) {
  std::vector<Tensor> rows;
  for (const auto& line : lines) {
    std::vector<Tensor> blocks;
    for (const auto& block : line)
      blocks.push_back(t[block.index].reshape({layout.blockRows, layout.blockColumns}));
    rows.push_back(poplar::concat(blocks, 1));
  }
  return poplar::concat(rows);
}

std::vector<Tensor> masked(const Tensor& t, const Layout& layout, SubBlockMask mask) {
  std::vector<Tensor> elements;
  for (const auto& lines : layout.lines)
    for (const auto& line : lines.second)
      for (const auto& block : line)
        for (const auto& e :
             maskedElements(t[block.index].reshape({layout.blockRows, layout.blockColumns}),
                            block.row * layout.blockRows, block.column * layout.blockColumns, mask))
          elements.push_back(e);
  return elements;
}

Tensor alongRows(Graph& graph, const Tensor& rows, popops::Operation op, Sequence& prog,
                 const std::string& name) {
  return popops::reduce(graph, rows, {1}, op, prog, name).expand({1});
}

} // namespace

void bsSoftmaxInPlace(Graph& graph, Tensor t, const std::array<int, 2>& dim,
                      const std::array<int, 2>& blockSize,
                      const std::vector<unsigned char>& sparsity, SubBlockMask mask, Sequence& prog,
                      const std::string& debugStr) {
  const auto name = debugStr + "/bsSoftmax";
  const auto layout = layoutOf(t, dim, blockSize, sparsity);
  const auto out = masked(t, layout, mask);
  if (!out.empty()) // so low that their share is zero, and yet finite
    popops::fill(graph, poplar::concat(out), prog,
                 t.elementType() == poplar::HALF ? -65504.f : -3e38f, name);
  for (const auto& lines : layout.lines) {
    const auto rows = rowsOf(t, layout, lines.second);
    popops::subInPlace(graph, rows, alongRows(graph, rows, popops::Operation::MAX, prog, name),
                       prog, name);
    popops::expInPlace(graph, rows, prog, name);
    popops::divInPlace(graph, rows, alongRows(graph, rows, popops::Operation::ADD, prog, name),
                       prog, name);
  }
  if (!out.empty()) // where a whole row is masked
    popops::zero(graph, poplar::concat(out), prog, name);
}

Tensor bsSoftmax(Graph& graph, Tensor sparseTensor, const std::array<int, 2>& dim,
                 const std::array<int, 2>& blockSize, const std::vector<unsigned char>& sparsity,
                 SubBlockMask subBlockMaskType, Sequence& prog, const std::string& debugStr) {
  const auto out = graph.clone(sparseTensor, debugStr + "/bsSoftmax");
  prog.add(poplar::program::Copy(sparseTensor, out));
  bsSoftmaxInPlace(graph, out, dim, blockSize, sparsity, subBlockMaskType, prog, debugStr);
  return out;
}

// out * (gradient - sum over the row of out * gradient); masked elements have an out of zero.
Tensor bsSoftmaxGrad(Graph& graph, Tensor sparseOut, Tensor sparseOutGrad,
                     const std::array<int, 2>& dim, const std::array<int, 2>& blockSize,
                     const std::vector<unsigned char>& sparsity, Sequence& prog,
                     const std::string& debugStr) {
  const auto name = debugStr + "/bsSoftmaxGrad";
  const auto layout = layoutOf(sparseOut, dim, blockSize, sparsity);
  if (sparseOut.shape() != sparseOutGrad.shape())
    throw poputil::poplibs_error("bsSoftmaxGrad: results " + sparseOut.shapeToString() +
                                 " and gradients " + sparseOutGrad.shapeToString());
  const auto products = popops::mul(graph, sparseOut, sparseOutGrad, prog, name);
  const auto out = graph.clone(sparseOutGrad, name);
  prog.add(poplar::program::Copy(sparseOutGrad, out));
  for (const auto& lines : layout.lines) {
    const auto sums = alongRows(graph, rowsOf(products, layout, lines.second),
                                popops::Operation::ADD, prog, name);
    popops::subInPlace(graph, rowsOf(out, layout, lines.second), sums, prog, name);
  }
  popops::mulInPlace(graph, out, sparseOut, prog, name);
  return out;
}

} // namespace experimental
} // namespace popsparse
