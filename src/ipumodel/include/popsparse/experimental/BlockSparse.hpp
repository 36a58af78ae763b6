// Softmax of block-sparse matrices. Such a matrix is [blocks][elements of a block by rows]: those
// blocks whose byte in the mask, by rows of blocks, is 1.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

#include <array>
#include <string>
#include <vector>

namespace popsparse {
namespace experimental {

/// Elements on one side of the diagonal of the whole matrix that count as zero.
enum class SubBlockMask { None, ZeroUpperTriangle, ZeroLowerTriangle };

/// Over each row of a matrix of dim[0] by dim[1] elements, over those elements that are there.
poplar::Tensor bsSoftmax(poplar::Graph& graph, poplar::Tensor sparseTensor,
                         const std::array<int, 2>& dim, const std::array<int, 2>& blockSize,
                         const std::vector<unsigned char>& sparsity, SubBlockMask subBlockMaskType,
                         poplar::program::Sequence& prog, const std::string& debugStr = "");
void bsSoftmaxInPlace(poplar::Graph& graph, poplar::Tensor sparseTensor,
                      const std::array<int, 2>& dim, const std::array<int, 2>& blockSize,
                      const std::vector<unsigned char>& sparsity, SubBlockMask subBlockMaskType,
                      poplar::program::Sequence& prog, const std::string& debugStr = "");
/// Of the result of a softmax and its gradient.
poplar::Tensor bsSoftmaxGrad(poplar::Graph& graph, poplar::Tensor sparseOut,
                             poplar::Tensor sparseOutGrad, const std::array<int, 2>& dim,
                             const std::array<int, 2>& blockSize,
                             const std::vector<unsigned char>& sparsity,
                             poplar::program::Sequence& prog, const std::string& debugStr = "");

} // namespace experimental
} // namespace popsparse
