#include "popsparse/BucketLayout.hpp"
#include "popsparse/MatrixForms.hpp"

#include <popsparse/SparsePartitioner.hpp>

namespace popsparse {
namespace dynamic {

class PartitionerImpl {
public:
  explicit PartitionerImpl(const SparsePlan& p) : plan(p) {}

  template <class T>
  SparsityDataImpl<T> encode(const COOMatrix<T>& m) const {
    if (m.getNumRowsInBlock() != plan.shape.blockRows ||
        m.getNumColumnsInBlock() != plan.shape.blockColumns)
      throw poputil::poplibs_error(
          "popsparse: a matrix with blocks of " + std::to_string(m.getNumRowsInBlock()) + " x " +
          std::to_string(m.getNumColumnsInBlock()) + " where the parameters say " +
          std::to_string(plan.shape.blockRows) + " x " + std::to_string(plan.shape.blockColumns));
    auto layout = layOutBuckets(plan, positionsOf(m));
    return {std::move(layout.metaInfo),
            atSlots(m, layout.slots, plan.numPartitions() * plan.blocksPerBucket)};
  }
  template <class T>
  COOMatrix<T> decode(const SparsityDataImpl<T>& data) const {
    if (data.nzValues.size() != plan.numPartitions() * plan.valuesPerBucket())
      throw poputil::poplibs_error("popsparse: " + std::to_string(data.nzValues.size()) +
                                   " values are not of this plan");
    return fromSlots(plan.shape, readBuckets(plan, data.metaInfo), data.nzValues);
  }

  SparsePlan plan;
};

template <typename T>
Partitioner<T>::Partitioner(const FullyConnectedParams& params, const poplar::Type& dataType,
                            const poplar::Target& target, const poplar::OptionFlags& options,
                            PlanningCache*, std::string)
    : impl_(std::make_unique<PartitionerImpl>(planSparse(target, dataType, params, options))) {}
template <typename T>
Partitioner<T>::Partitioner(const MatMulParams& params, const poplar::Type& dataType,
                            const poplar::Target& target, const poplar::OptionFlags& options,
                            PlanningCache*, std::string)
    : impl_(std::make_unique<PartitionerImpl>(planSparse(target, dataType, params, options))) {}
template <typename T>
Partitioner<T>::~Partitioner() = default;

template <typename T>
SparsityDataImpl<T> Partitioner<T>::createSparsityDataImpl(const CSCMatrix<T>& matrix) const {
  return impl_->encode(toCOO(matrix));
}
template <typename T>
SparsityDataImpl<T> Partitioner<T>::createSparsityDataImpl(const CSRMatrix<T>& matrix) const {
  return impl_->encode(toCOO(matrix));
}
template <typename T>
SparsityDataImpl<T> Partitioner<T>::createSparsityDataImpl(const COOMatrix<T>& matrix) const {
  return impl_->encode(matrix);
}
template <typename T>
COOMatrix<T> Partitioner<T>::sparsityDataImplToCOOMatrix(const SparsityDataImpl<T>& data) const {
  return impl_->decode(data);
}
template <typename T>
CSRMatrix<T> Partitioner<T>::sparsityDataImplToCSRMatrix(const SparsityDataImpl<T>& data) const {
  return toCSR(impl_->decode(data));
}
template <typename T>
CSCMatrix<T> Partitioner<T>::sparsityDataImplToCSCMatrix(const SparsityDataImpl<T>& data) const {
  return toCSC(impl_->decode(data));
}

template <typename T>
std::array<std::vector<std::size_t>, 3> Partitioner<T>::getPlanPartitions() const {
  const auto& plan = impl_->plan;
  std::array<std::vector<std::size_t>, 3> begins;
  for (std::size_t x = 0; x != plan.rowParts; ++x)
    begins[0].push_back(plan.rows(x).begin());
  for (std::size_t y = 0; y != plan.innerParts; ++y)
    begins[1].push_back(plan.inner(y).begin());
  for (std::size_t z = 0; z != plan.columnParts; ++z)
    begins[2].push_back(partOf(plan.shape.columns, plan.columnParts, z).begin());
  return begins;
}
template <typename T>
std::size_t Partitioner<T>::getmetaInfoBucketElements() const {
  return impl_->plan.metaPerBucket();
}

template class Partitioner<float>;
template class Partitioner<double>;

} // namespace dynamic
} // namespace popsparse
