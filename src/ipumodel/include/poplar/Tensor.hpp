// A tensor: a view of elements of a graph's variables. Copies and views are cheap and share
// elements.
#pragma once

#include <poplar/ArrayRef.hpp>
#include <poplar/Interval.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/VariableRef.hpp>

namespace ipumodel {
struct TensorData;
}

namespace poplar {

class Graph;

enum class UpsampleMethod { REPEAT };

// Dimensions and indices out of range throw poplar_error, and so does every view of an invalid
// tensor.
class Tensor {
public:
  // An invalid tensor, to be assigned to.
  Tensor();
  ~Tensor();
  Tensor(const Tensor&);
  Tensor(Tensor&&) noexcept;
  Tensor& operator=(const Tensor&);
  Tensor& operator=(Tensor&&) noexcept;

  bool valid() const { return data_ != nullptr; }
  Type elementType() const;
  std::size_t numElements() const;
  std::size_t dim(unsigned i) const;
  std::vector<std::size_t> shape() const;
  unsigned rank() const;

  // The i-th slice of dimension 0, without that dimension.
  Tensor operator[](std::size_t i) const;
  Tensor operator[](const Interval& region) const { return slice(region, 0); }
  // The element or slice at those indices of the first dimensions.
  Tensor index(ArrayRef<std::size_t> indices) const;

  Tensor slice(std::size_t begin, std::size_t end, unsigned dimension) const;
  Tensor slice(std::size_t begin, std::size_t end) const { return slice(begin, end, 0); }
  Tensor slice(const Interval& region, unsigned dimension = 0) const {
    return slice(region.begin(), region.end(), dimension);
  }
  // Of all dimensions at once.
  Tensor slice(ArrayRef<std::size_t> begin, ArrayRef<std::size_t> end) const;
  // One tensor per interval; one concatenation per list of intervals; one slice of size 1 per
  // index.
  std::vector<Tensor> slices(ArrayRef<Interval> intervals, unsigned dimension = 0) const;
  std::vector<Tensor> slices(const std::vector<std::vector<Interval>>& intervals,
                             unsigned dimension = 0) const;
  std::vector<Tensor> slices(const ArrayRef<unsigned>& indices, unsigned dimension = 0) const;

  Tensor flatten() const;
  // Merges dimensions [beginDim, endDim) into one.
  Tensor flatten(unsigned beginDim, unsigned endDim) const;
  Tensor reshape(ArrayRef<std::size_t> shape) const;
  // Replaces dimensions [beginDim, endDim) by newDims.
  Tensor reshapePartial(unsigned beginDim, unsigned endDim, ArrayRef<std::size_t> newDims) const;

  // Dimension i of the result is dimension permutation[i] of this.
  Tensor dimShuffle(ArrayRef<unsigned> permutation) const;
  // Moves dimension source[i] to position destination[i]; the others keep their order.
  Tensor dimShufflePartial(ArrayRef<unsigned> source, ArrayRef<unsigned> destination) const;
  Tensor dimRoll(unsigned dimIdx, unsigned newIdx = 0) const;
  // Reverses the order of the dimensions.
  Tensor transpose() const;

  // Inserts a dimension of 1 before each of those dimensions of this.
  Tensor expand(ArrayRef<std::size_t> indices) const;
  // Removes those dimensions, which must be 1.
  Tensor squeeze(ArrayRef<std::size_t> indices) const;

  Tensor subSample(unsigned stride, unsigned dimension) const;
  Tensor upsample(unsigned scale, unsigned dimension, UpsampleMethod method) const;
  Tensor broadcast(unsigned N, unsigned dimension) const;
  Tensor reverse(unsigned dimension) const;
  // The same bits as another type of the same size.
  Tensor reinterpret(const Type& type) const;

  bool isContiguous() const;
  bool containsAliases() const;
  bool containsConstant() const;
  // Reads the value when this is one element of a constant; false (and nothing read) when it is
  // not.
  template <typename T>
  bool getConstantValue(T* val) const {
    return readConstant(val, TypeTraits::make<T>());
  }
  // Neither aliases nor constants: every element may be written by its own vertex.
  bool isParallelWriteable() const;
  bool intersectsWith(const Tensor& other) const;

  // Ranges of the flattened tensor that are consecutive in one variable, in the tensor's order; and
  // where they lie.
  std::vector<Interval> getContiguousRegions() const;
  std::vector<VariableInterval> getVarRegions() const;

  std::string shapeToString() const;
  void dump() const;
  void dumpRegions(std::ostream& os = std::cout) const;
  void outputRegions(std::ostream& os) const { dumpRegions(os); }
  std::string getVarStr() const;
  std::string getDebugStr() const;
  // Of QUARTER: one element of type QUARTER_METADATA, which may be written. Parts of a tensor share
  // it, and so do clones.
  bool hasMetadata() const;
  Tensor getMetadata() const;

  // The same elements in the same shape.
  bool operator==(const Tensor& other) const;
  bool operator!=(const Tensor& other) const { return !(*this == other); }

  // For the library itself.
  explicit Tensor(std::shared_ptr<const ipumodel::TensorData> data);
  const std::shared_ptr<const ipumodel::TensorData>& getImpl() const { return data_; }

private:
  bool readConstant(void* value, const TypeTraits& traits) const;

  std::shared_ptr<const ipumodel::TensorData> data_;
};

std::ostream& operator<<(std::ostream& os, const Tensor& t);

Tensor concat(ArrayRef<Tensor> ts, unsigned dimension = 0);
Tensor concat(const Tensor& first, const Tensor& second, unsigned dimension = 0);
// Concatenates after inserting a dimension of 1 into `second`.
Tensor append(const Tensor& first, const Tensor& second, unsigned dimension);
Tensor append(const Tensor& first, const Tensor& second);

} // namespace poplar
