// Block-wise solution and factorisation of batches of matrices, in place.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplin/MatMul.hpp>

#include <functional>
#include <utility>
#include <vector>

namespace poplin {

enum class Triangle { Lower, Upper };
enum class Diagonal { OfMatrix, Ones };

// blockSize, and what is left for matMul(). Throws invalid_option unless blockSize is positive.
struct BlockOptions {
  explicit BlockOptions(const poplar::OptionFlags& options);
  std::size_t blockSize = 64;
  poplar::OptionFlags matMul;
};

// The first of the two blocks that a matrix of `size` rows is cut into.
std::size_t firstBlock(std::size_t size, const BlockOptions& options);

// [G][N][N] of [...][N][N]; throws poplibs_error for other shapes and types.
poplar::Tensor asBatch(const poplar::Tensor& matrices, const char* function);

// The products that cutting [...][N][N] in two, again and again, leads to: product(groups, first,
// rest) is the one of a matrix cut into blocks of `first` and `rest` rows.
std::vector<std::pair<MatMulParams, poplar::OptionFlags>>
blockProducts(const std::vector<std::size_t>& shape, const poplar::OptionFlags& options,
              const std::function<MatMulParams(std::size_t, std::size_t, std::size_t)>& product);

// A [G][N][N], B [G][N][K], which X replaces.
void solveInPlace(poplar::Graph& graph, const poplar::Tensor& A, const poplar::Tensor& B,
                  Triangle triangle, Diagonal diagonal, poplar::program::Sequence& prog,
                  const BlockOptions& options, const poplar::DebugContext& debugContext);

} // namespace poplin
