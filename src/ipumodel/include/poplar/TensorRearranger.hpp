// A fixed permutation of the elements of tensors that have one shape.
#pragma once

#include <poplar/Tensor.hpp>

namespace ipumodel {
struct Rearrangement;
}

namespace poplar {

class TensorRearranger {
public:
  TensorRearranger() = default;

  bool valid() const { return data_ != nullptr; }

  // The flattened tensor in the new order, and back.
  Tensor rearrange(const Tensor& t) const;
  Tensor undoRearrangement(const Tensor& t) const;

  // The same for ranges of the flattened tensor.
  std::vector<Interval> rearrange(ArrayRef<Interval> intervals) const;
  std::vector<Interval> undoRearrangement(ArrayRef<Interval> intervals) const;

  // For the library itself.
  explicit TensorRearranger(std::shared_ptr<const ipumodel::Rearrangement> data);

private:
  std::shared_ptr<const ipumodel::Rearrangement> data_;
};

} // namespace poplar
