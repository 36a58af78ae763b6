#include "popsparse/experimental/BlockMask.hpp"

#include <popops/Zero.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <popsparse/experimental/BlockSparseMatMul.hpp>

#include <algorithm>
#include <numeric>

namespace popsparse {
namespace experimental {

using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

enum class Result { Dense, Sparse };

class BSMatMulImpl {
public:
  std::array<std::size_t, 3> dim, blockSize;
  std::vector<unsigned char> mask; // of the right operand or the result
  bool transposed = false;         // the right operand
  Result result = Result::Dense;
  SubBlockMask subBlockMask = SubBlockMask::None;
  poplar::Type inType, outType;
  std::size_t groups = 1;

  std::size_t blocks(unsigned i) const { return dim[i] / blockSize[i]; }
  // Rows and columns of blocks in the mask.
  std::size_t maskRows() const {
    return result == Result::Sparse ? blocks(0) : blocks(transposed ? 2 : 1);
  }
  std::size_t maskColumns() const { return blocks(result == Result::Dense && transposed ? 1 : 2); }
  std::size_t blocksInMasks() const {
    return static_cast<std::size_t>(
        std::count_if(mask.begin(), mask.end(), [](unsigned char m) { return m != 0; }));
  }
};

namespace {

std::unique_ptr<BSMatMulImpl> checked(const std::array<int, 3>& dim,
                                      const std::array<int, 3>& blockSize,
                                      const std::vector<unsigned char>& mask, bool transposed,
                                      Result result, SubBlockMask subBlockMask, poplar::Type inType,
                                      poplar::Type outType, unsigned groups) {
  auto impl = std::make_unique<BSMatMulImpl>();
  for (unsigned i = 0; i != 3; ++i) {
    if (blockSize[i] <= 0 || dim[i] <= 0 || dim[i] % blockSize[i] != 0)
      throw poputil::poplibs_error("BSMatMulParams: dimension " + std::to_string(i) + " of " +
                                   std::to_string(dim[i]) + " is not made of blocks of " +
                                   std::to_string(blockSize[i]));
    impl->dim[i] = static_cast<std::size_t>(dim[i]);
    impl->blockSize[i] = static_cast<std::size_t>(blockSize[i]);
  }
  impl->mask = mask;
  impl->transposed = transposed;
  impl->result = result;
  impl->subBlockMask = subBlockMask;
  impl->inType = inType;
  impl->outType = outType;
  impl->groups = groups;
  const auto expected = impl->maskRows() * impl->maskColumns() * groups;
  if (mask.size() != expected)
    throw poputil::poplibs_error("BSMatMulParams: a mask of " + std::to_string(mask.size()) +
                                 " blocks where there are " + std::to_string(expected));
  return impl;
}

// One product of two blocks; the tiles take turns.
class Products {
public:
  Products(Graph& graph, const std::string& name)
      : graph_(graph), set_(graph.addComputeSet(name)) {}

  // a [rows][inner], b [inner][columns], out [rows][columns].
  void add(const Tensor& a, const Tensor& b, const Tensor& out) {
    const auto tile = next_++ % graph_.getTarget().getNumTiles();
    graph_.setTileMapping(out, tile);
    const auto v = graph_.addVertex(
        set_, poputil::templateVertex("poplin::MatMulBlock", a.elementType(), out.elementType()),
        {{"a", a.flatten()}, {"b", b.flatten()}, {"out", out.flatten()}});
    graph_.setInitialValue(v["rows"], static_cast<unsigned>(a.dim(0)));
    graph_.setInitialValue(v["inner"], static_cast<unsigned>(a.dim(1)));
    graph_.setInitialValue(v["columns"], static_cast<unsigned>(b.dim(1)));
    graph_.setTileMapping(v, tile);
  }
  poplar::program::Execute execute() const { return poplar::program::Execute(set_); }

private:
  Graph& graph_;
  poplar::ComputeSet set_;
  unsigned next_ = 0;
};

// Each block of rows and column of blocks is one product: the left operand's columns that meet a
// block, side by side, times those blocks, one below the other.
Tensor denseTimesSparse(Graph& graph, const BSMatMulImpl& m, const Tensor& lhs, const Tensor& rhs,
                        Sequence& prog, const std::string& name) {
  const auto out = graph.addVariable(m.outType, {m.groups * m.dim[0], m.dim[2]}, name + "/out");
  Products products(graph, name + "/MatMul");
  std::vector<Tensor> zeros;
  std::size_t firstIndex = 0;
  for (std::size_t group = 0; group != m.groups; ++group) {
    const auto blocks = maskedBlocks(m.mask.data() + group * m.maskRows() * m.maskColumns(),
                                     m.maskRows(), m.maskColumns(), firstIndex);
    firstIndex += blocks.size();
    for (std::size_t column = 0; column != m.blocks(2); ++column) {
      std::vector<Tensor> right;
      std::vector<std::size_t> inner;
      for (const auto& block : blocks)
        if ((m.transposed ? block.row : block.column) == column) {
          const auto t = rhs[block.index].reshape(
              {m.blockSize[m.transposed ? 2 : 1], m.blockSize[m.transposed ? 1 : 2]});
          right.push_back(m.transposed ? t.transpose() : t);
          inner.push_back(m.transposed ? block.column : block.row);
        }
      for (std::size_t row = 0; row != m.blocks(0); ++row) {
        const auto top = group * m.dim[0] + row * m.blockSize[0];
        const auto target = out.slice({top, column * m.blockSize[2]},
                                      {top + m.blockSize[0], (column + 1) * m.blockSize[2]});
        if (right.empty()) {
          graph.setTileMapping(target, 0);
          zeros.push_back(target.flatten());
          continue;
        }
        std::vector<Tensor> left;
        for (auto k : inner)
          left.push_back(lhs.slice({top, k * m.blockSize[1]},
                                   {top + m.blockSize[0], (k + 1) * m.blockSize[1]}));
        products.add(poplar::concat(left, 1), poplar::concat(right), target);
      }
    }
  }
  if (!zeros.empty())
    popops::zero(graph, poplar::concat(zeros), prog, name + "/zero");
  prog.add(products.execute());
  return out;
}

Tensor denseTimesDense(Graph& graph, const BSMatMulImpl& m, const Tensor& lhs, const Tensor& rhs,
                       Sequence& prog, const std::string& name) {
  const auto out = graph.addVariable(
      m.outType, {m.blocksInMasks(), m.blockSize[0] * m.blockSize[2]}, name + "/out");
  Products products(graph, name + "/MatMul");
  std::vector<Tensor> zeros;
  std::size_t firstIndex = 0;
  for (std::size_t group = 0; group != m.groups; ++group) {
    const auto blocks = maskedBlocks(m.mask.data() + group * m.maskRows() * m.maskColumns(),
                                     m.maskRows(), m.maskColumns(), firstIndex);
    firstIndex += blocks.size();
    for (const auto& block : blocks) {
      const auto row = block.row * m.blockSize[0], column = block.column * m.blockSize[2];
      const auto target = out[block.index].reshape({m.blockSize[0], m.blockSize[2]});
      const auto top = group * m.dim[0] + row;
      products.add(lhs.slice(top, top + m.blockSize[0]),
                   rhs.slice(group * m.dim[1], (group + 1) * m.dim[1])
                       .slice(column, column + m.blockSize[2], 1),
                   target);
      for (const auto& t : maskedElements(target, row, column, m.subBlockMask))
        zeros.push_back(t);
    }
  }
  prog.add(products.execute());
  if (!zeros.empty())
    popops::zero(graph, poplar::concat(zeros), prog, name + "/mask");
  return out;
}

void checkShape(const Tensor& t, const std::vector<std::size_t>& shape, const char* what) {
  if (t.shape() != shape)
    throw poputil::poplibs_error(std::string("bsMatMul: the ") + what + " operand is of shape " +
                                 t.shapeToString() + " instead of {" + std::to_string(shape[0]) +
                                 "," + std::to_string(shape[1]) + "}");
}

std::vector<std::size_t> leftShape(const BSMatMulImpl& m) {
  return {m.groups * m.dim[0], m.dim[1]};
}
std::vector<std::size_t> rightShape(const BSMatMulImpl& m) {
  if (m.result == Result::Sparse)
    return {m.groups * m.dim[1], m.dim[2]};
  return {m.blocksInMasks(), m.blockSize[1] * m.blockSize[2]};
}

} // namespace

BSMatMulParams::BSMatMulParams(const std::array<int, 3>& dim, const std::array<int, 3>& blockSize,
                               const std::vector<unsigned char>& rhsSparsity, bool rhsNeedTranspose,
                               poplar::Type inDataType, poplar::Type outDataType, poplar::Type,
                               unsigned numGroups)
    : impl(checked(dim, blockSize, rhsSparsity, rhsNeedTranspose, Result::Dense, SubBlockMask::None,
                   inDataType, outDataType, numGroups)) {}
BSMatMulParams::BSMatMulParams(const std::array<int, 3>& dim, const std::array<int, 3>& blockSize,
                               const std::vector<unsigned char>& resSparsity,
                               poplar::Type inDataType, poplar::Type outDataType, poplar::Type,
                               SubBlockMask subBlockMask, unsigned numGroups)
    : impl(checked(dim, blockSize, resSparsity, false, Result::Sparse, subBlockMask, inDataType,
                   outDataType, numGroups)) {}
BSMatMulParams::BSMatMulParams(BSMatMulParams&&) = default;
BSMatMulParams::~BSMatMulParams() = default;

Tensor createBSMatMulInputLHS(Graph& graph, const BSMatMulParams& bsMatMul,
                              const std::string& name) {
  const auto t = graph.addVariable(bsMatMul.impl->inType, leftShape(*bsMatMul.impl), name);
  poputil::mapTensorLinearly(graph, t);
  return t;
}
Tensor createBSMatMulInputRHS(Graph& graph, const BSMatMulParams& bsMatMul,
                              const std::string& name) {
  const auto t = graph.addVariable(bsMatMul.impl->inType, rightShape(*bsMatMul.impl), name);
  poputil::mapTensorLinearly(graph, t);
  return t;
}

Tensor bsMatMul(Graph& graph, const BSMatMulParams& bsMatMul, Sequence& prog,
                const Tensor& lhsMatrix, const Tensor& rhsMatrix,
                const poplar::OptionFlags& options, const std::string& debugPrefix) {
  double ratio = 0;
  std::string method;
  const poplibs::OptionSpec spec{
      {"memoryCycleRatio", poplibs::OptionHandler::createWithDouble(ratio)},
      {"partitionMethod", poplibs::OptionHandler::createWithString(method)}};
  for (const auto& flag : options)
    spec.parse(flag.first, flag.second);
  const auto& m = *bsMatMul.impl;
  checkShape(lhsMatrix, leftShape(m), "left");
  checkShape(rhsMatrix, rightShape(m), "right");
  const auto name = debugPrefix + "/bsMatMul";
  return m.result == Result::Dense ? denseTimesSparse(graph, m, lhsMatrix, rhsMatrix, prog, name)
                                   : denseTimesDense(graph, m, lhsMatrix, rhsMatrix, prog, name);
}

} // namespace experimental
} // namespace popsparse
