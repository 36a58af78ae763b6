// A sparse matrix on the device.
#pragma once

#include <poplar/Tensor.hpp>
#include <poputil/TensorMetaData.hpp>

namespace popsparse {
namespace dynamic {

/// Where the values are may change from run to run: it is data, UNSIGNED_SHORT, as the values are.
/// The host makes both with a Partitioner.
class SparseTensor {
public:
  SparseTensor() = default;
  SparseTensor(const SparseTensor&) = default;
  SparseTensor(const poplar::Tensor& metaInfo, const poplar::Tensor& nzValues,
               const poputil::TensorMetaData& opMetaData = {})
      : metaInfo_(metaInfo), nzValues_(nzValues), opMetaData_(opMetaData) {}
  SparseTensor& operator=(const SparseTensor&) = default;

  const poplar::Tensor& getMetaInfoTensor() const { return metaInfo_; }
  const poplar::Tensor& getNzValuesTensor() const { return nzValues_; }
  const poputil::TensorMetaData& getOpMetaData() const { return opMetaData_; }

private:
  poplar::Tensor metaInfo_;
  poplar::Tensor nzValues_;
  poputil::TensorMetaData opMetaData_;
};

} // namespace dynamic

namespace static_ {

/// Where the values are is known when the graph is built.
class SparseTensor {
public:
  SparseTensor() = default;
  SparseTensor(const SparseTensor&) = default;
  SparseTensor(const poplar::Tensor& nzValues, const poputil::TensorMetaData& opMetaData = {})
      : nzValues_(nzValues), opMetaData_(opMetaData) {}
  SparseTensor& operator=(const SparseTensor&) = default;

  const poplar::Tensor& getNzValuesTensor() const { return nzValues_; }
  const poputil::TensorMetaData& getOpMetaData() const { return opMetaData_; }

private:
  poplar::Tensor nzValues_;
  poputil::TensorMetaData opMetaData_;
};

} // namespace static_
} // namespace popsparse
