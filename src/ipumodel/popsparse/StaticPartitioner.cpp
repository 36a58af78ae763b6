#include "popsparse/MatrixForms.hpp"
#include "popsparse/StaticLayout.hpp"

#include <popsparse/SparsePartitioner.hpp>

#include <optional>

namespace popsparse {
namespace static_ {

class PartitionerImpl {
public:
  PartitionerImpl(const MatMulParams& p, const poplar::Type& t, const poplar::Target& onTarget)
      : params_(p), type_(t), target_(onTarget) {}

  template <class T>
  SparsityDataImpl<T> encode(const COOMatrix<T>& m) {
    layout_ = layOutStatic(target_, type_, params_, m.getBlockDimensions(), positionsOf(m));
    return atSlots(m, layout_->slots, layout_->slots.size());
  }
  template <class T>
  COOMatrix<T> decode(const SparsityDataImpl<T>& data) const {
    if (!layout_ || data.nzValues.size() != layout_->slots.size() * layout_->plan.shape.blockSize())
      throw poputil::poplibs_error("popsparse: " + std::to_string(data.nzValues.size()) +
                                   " values are not of a matrix that this partitioner has seen");
    return fromSlots(layout_->plan.shape, layout_->placed, data.nzValues);
  }

private:
  MatMulParams params_;
  poplar::Type type_;
  poplar::Target target_;
  std::optional<StaticLayout> layout_; // of the last matrix
};

template <typename T>
Partitioner<T>::Partitioner(const MatMulParams& params, const poplar::Type& dataType,
                            const poplar::Target& target, const poplar::OptionFlags& options,
                            PlanningCache*, std::string)
    : impl_(std::make_unique<PartitionerImpl>(params, dataType, target)) {
  checkStaticOptions(options);
}
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

template class Partitioner<float>;
template class Partitioner<double>;

} // namespace static_
} // namespace popsparse
