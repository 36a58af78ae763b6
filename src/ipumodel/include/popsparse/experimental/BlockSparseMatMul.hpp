// Products with a block-sparse operand or result, whose blocks are known when the graph is built.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>

#include <popsparse/experimental/BlockSparse.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace popsparse {
namespace experimental {

class BSMatMulImpl;

/// [dim[0]][dim[1]] times [dim[1]][dim[2]] in blocks of blockSize[0], [1] and [2]. For several
/// groups masks and operands follow one another, operands along their first dimension.
class BSMatMulParams {
public:
  /// Dense times sparse. With rhsNeedTranspose the mask and the blocks of the right operand are
  /// those of the matrix before it is transposed; dim and blockSize are those after.
  BSMatMulParams(const std::array<int, 3>& dim, const std::array<int, 3>& blockSize,
                 const std::vector<unsigned char>& rhsSparsity, bool rhsNeedTranspose,
                 poplar::Type inDataType, poplar::Type outDataType, poplar::Type partialDataType,
                 unsigned numGroups = 1);
  /// Dense times dense, of which only some blocks are computed.
  BSMatMulParams(const std::array<int, 3>& dim, const std::array<int, 3>& blockSize,
                 const std::vector<unsigned char>& resSparsity, poplar::Type inDataType,
                 poplar::Type outDataType, poplar::Type partialDataType,
                 SubBlockMask subBlockMask = SubBlockMask::None, unsigned numGroups = 1);
  BSMatMulParams(BSMatMulParams&& other);
  ~BSMatMulParams();

  std::unique_ptr<BSMatMulImpl> impl;
};

/// Dense: [rows][columns]; sparse: [blocks][elements of a block].
poplar::Tensor createBSMatMulInputLHS(poplar::Graph& graph, const BSMatMulParams& bsMatMul,
                                      const std::string& name);
poplar::Tensor createBSMatMulInputRHS(poplar::Graph& graph, const BSMatMulParams& bsMatMul,
                                      const std::string& name);

/// Options memoryCycleRatio and partitionMethod are accepted and have no effect.
poplar::Tensor bsMatMul(poplar::Graph& graph, const BSMatMulParams& bsMatMul,
                        poplar::program::Sequence& prog, const poplar::Tensor& lhsMatrix,
                        const poplar::Tensor& rhsMatrix, const poplar::OptionFlags& options = {},
                        const std::string& debugPrefix = "");

} // namespace experimental
} // namespace popsparse
