// Sparse matrices of the host in the form that the device takes.
#pragma once

#include <poplar/Interval.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>
#include <poplar/Type.hpp>

#include <popsparse/FullyConnected.hpp>
#include <popsparse/FullyConnectedParams.hpp>
#include <popsparse/MatMulParams.hpp>
#include <popsparse/PlanningCache.hpp>
#include <popsparse/SparseStorageFormats.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace popsparse {
namespace dynamic {

class PartitionerImpl;

/// The contents of the two tensors of a SparseTensor.
template <typename T>
struct SparsityDataImpl {
  std::vector<std::size_t> metaInfo; ///< each fits an unsigned short
  std::vector<T> nzValues;
};

/// For a layer or a product of those parameters, data type and options on that target. Throws
/// poputil::poplibs_error for a matrix that is too large or has more values than was said. T is
/// float or double.
template <typename T>
class Partitioner {
public:
  Partitioner(const FullyConnectedParams& params, const poplar::Type& dataType,
              const poplar::Target& target, const poplar::OptionFlags& options,
              PlanningCache* cache = {}, std::string name = "");
  Partitioner(const MatMulParams& params, const poplar::Type& dataType,
              const poplar::Target& target, const poplar::OptionFlags& options,
              PlanningCache* cache = {}, std::string name = "");
  ~Partitioner();

  SparsityDataImpl<T> createSparsityDataImpl(const CSCMatrix<T>& matrix) const;
  SparsityDataImpl<T> createSparsityDataImpl(const CSRMatrix<T>& matrix) const;
  SparsityDataImpl<T> createSparsityDataImpl(const COOMatrix<T>& matrix) const;

  /// The way back; coordinates come by rows, and by columns within a row.
  COOMatrix<T> sparsityDataImplToCOOMatrix(const SparsityDataImpl<T>& data) const;
  CSRMatrix<T> sparsityDataImplToCSRMatrix(const SparsityDataImpl<T>& data) const;
  CSCMatrix<T> sparsityDataImplToCSCMatrix(const SparsityDataImpl<T>& data) const;

  /// Where the parts of rows, of columns and of the dense operand's columns begin.
  std::array<std::vector<std::size_t>, 3> getPlanPartitions() const;
  /// Elements of meta information in each bucket.
  std::size_t getmetaInfoBucketElements() const;

  const PartitionerImpl& getImpl() const { return *impl_; }

private:
  std::unique_ptr<PartitionerImpl> impl_;
};

} // namespace dynamic

namespace static_ {

class PartitionerImpl;

/// The contents of a SparseTensor.
template <typename T>
struct SparsityDataImpl {
  std::vector<T> nzValues;
  SparsityDataImpl(std::vector<T> values) : nzValues(std::move(values)) {}
};

/// The order of values depends on where they are, so the way back needs a partitioner that saw the
/// matrix.
template <typename T>
class Partitioner {
public:
  Partitioner(const MatMulParams& params, const poplar::Type& dataType,
              const poplar::Target& target, const poplar::OptionFlags& options,
              PlanningCache* cache = {}, std::string name = "");
  ~Partitioner();

  SparsityDataImpl<T> createSparsityDataImpl(const CSCMatrix<T>& matrix) const;
  SparsityDataImpl<T> createSparsityDataImpl(const CSRMatrix<T>& matrix) const;
  SparsityDataImpl<T> createSparsityDataImpl(const COOMatrix<T>& matrix) const;

  /// The way back; coordinates come by rows, and by columns within a row.
  COOMatrix<T> sparsityDataImplToCOOMatrix(const SparsityDataImpl<T>& data) const;
  CSRMatrix<T> sparsityDataImplToCSRMatrix(const SparsityDataImpl<T>& data) const;
  CSCMatrix<T> sparsityDataImplToCSCMatrix(const SparsityDataImpl<T>& data) const;

  const PartitionerImpl& getImpl() const { return *impl_; }

private:
  std::unique_ptr<PartitionerImpl> impl_;
};

} // namespace static_
} // namespace popsparse
