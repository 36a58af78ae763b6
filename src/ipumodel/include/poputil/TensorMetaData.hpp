// What a library operation wants to remember with a tensor it made, for the operations that take
// it.
#pragma once

#include <memory>
#include <utility>

namespace poputil {

/// Derive from this; the operation that made the object knows the type.
class TensorMetaDataBase {
public:
  virtual ~TensorMetaDataBase() = default;
  virtual std::unique_ptr<TensorMetaDataBase> clone() const = 0;
};

/// A value; copies share one object, which nobody changes.
class TensorMetaData {
public:
  TensorMetaData() = default;
  TensorMetaData(std::unique_ptr<TensorMetaDataBase> data) : data_(std::move(data)) {}

  const TensorMetaDataBase* getData() const { return data_.get(); }

private:
  std::shared_ptr<const TensorMetaDataBase> data_;
};

} // namespace poputil
