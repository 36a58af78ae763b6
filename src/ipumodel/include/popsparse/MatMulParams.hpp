// The sizes of a product with one sparse operand.
#pragma once

#include <popsparse/SparsityParams.hpp>

#include <cstddef>
#include <ostream>

namespace popsparse {
namespace dynamic {

/// Sparse [groups][m][k] times dense [groups][k][n].
class MatMulParams {
public:
  static MatMulParams createWithNzRatio(const SparsityParams& sparsityParams, double nzRatio,
                                        std::size_t groups, std::size_t m, std::size_t k,
                                        std::size_t n);
  static MatMulParams createWithNumNonZeroValues(const SparsityParams& sparsityParams,
                                                 std::size_t numNonZeroElems, std::size_t groups,
                                                 std::size_t m, std::size_t k, std::size_t n);

  const SparsityParams& getSparsityParams() const { return sparsityParams_; }
  std::size_t getNumGroups() const { return groups_; }
  std::size_t getM() const { return m_; }
  std::size_t getK() const { return k_; }
  std::size_t getN() const { return n_; }
  /// The share of elements, and the number of them, that may differ from zero.
  double getNzRatio() const { return nzRatio_; }
  std::size_t getNumNonZeroValues() const;

  friend bool operator<(const MatMulParams& a, const MatMulParams& b);
  friend bool operator==(const MatMulParams& a, const MatMulParams& b);
  friend bool operator!=(const MatMulParams& a, const MatMulParams& b);

private:
  MatMulParams() = default;

  SparsityParams sparsityParams_;
  double nzRatio_ = 0;
  std::size_t groups_ = 0, m_ = 0, k_ = 0, n_ = 0;
};

std::ostream& operator<<(std::ostream& os, const MatMulParams& params);

} // namespace dynamic

namespace static_ {

/// Sparse [groups][m][k] times dense [groups][k][n], or (transposed) dense [groups][n][k] times
/// sparse [groups][k][m].
class MatMulParams {
public:
  static MatMulParams createForSparseDense(std::size_t groups, std::size_t m, std::size_t k,
                                           std::size_t n);
  static MatMulParams createForDenseSparse(std::size_t groups, std::size_t n, std::size_t k,
                                           std::size_t m);

  std::size_t getNumGroups() const { return groups_; }
  std::size_t getM() const { return m_; }
  std::size_t getK() const { return k_; }
  std::size_t getN() const { return n_; }
  bool isTransposed() const { return transposed_; }

  friend bool operator<(const MatMulParams& a, const MatMulParams& b);
  friend bool operator==(const MatMulParams& a, const MatMulParams& b);
  friend bool operator!=(const MatMulParams& a, const MatMulParams& b);

private:
  MatMulParams() = default;

  std::size_t groups_ = 0, m_ = 0, k_ = 0, n_ = 0;
  bool transposed_ = false;
};

std::ostream& operator<<(std::ostream& os, const MatMulParams& params);

} // namespace static_
} // namespace popsparse
