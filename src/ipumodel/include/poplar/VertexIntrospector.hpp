// What a performance estimator may ask about a vertex.
#pragma once

#include <poplar/StringRef.hpp>
#include <poplar/Target.hpp>
#include <poplar/TypeTraits.hpp>

namespace ipumodel {
struct FieldData;
struct GraphData;
} // namespace ipumodel

namespace poplar {

namespace layout {

enum class Vector { NotAVector, Span, ShortSpan, OnePtr, ScaledPtr32, ScaledPtr64, ScaledPtr128 };
enum class VectorList {
  NotAVector,
  OnePtr,
  ScaledPtr32,
  ScaledPtr64,
  ScaledPtr128,
  DeltaN,
  DeltaNElements
};
std::string to_string(const Vector layout);
std::string to_string(const VectorList layout);
std::ostream& operator<<(std::ostream& os, const Vector layout);
std::ostream& operator<<(std::ostream& os, const VectorList layout);

} // namespace layout

// One field of a vertex: what it is connected to and how it was set.
class FieldData {
public:
  // The size of one vector of a list of vectors.
  struct SizeT {
    explicit SizeT(std::size_t n) : value(n) {}
    std::size_t size() const { return value; }
    operator std::size_t() const { return value; }
    std::size_t value;
  };

  // 0 for a scalar, 1 for a vector, 2 for a list of vectors.
  unsigned rank() const;
  // Elements of a vector, vectors of a list.
  std::size_t size() const;
  // Of one vector of a list; 1 for an element of a vector.
  std::size_t getSizeAtIndex(std::size_t i) const;
  SizeT operator[](std::size_t i) const { return SizeT(getSizeAtIndex(i)); }
  std::string name() const;

  // What was set, or the constants that the field is connected to. Throws poplar_error when there is
  // neither.
  template <typename T>
  T getInitialValue(const Target& target) const {
    T value = T();
    read(target, &value, TypeTraits::make<T>(), 1);
    return value;
  }
  // T is a number for a vector, and a std::vector of numbers for a list of vectors.
  template <typename T>
  std::vector<T> getInitialValues(const Target& target) const {
    std::vector<T> values(size());
    fill(target, values);
    return values;
  }

  layout::Vector getProfilerVectorLayout(std::size_t nestingLevel) const;
  layout::VectorList getProfilerVectorListLayout() const;

  // For the library itself.
  explicit FieldData(std::shared_ptr<const ipumodel::FieldData> data) : data_(std::move(data)) {}

private:
  template <typename T>
  void fill(const Target& target, std::vector<T>& values) const {
    read(target, values.data(), TypeTraits::make<T>(), values.size());
  }
  template <typename T>
  void fill(const Target& target, std::vector<std::vector<T>>& lists) const {
    for (std::size_t i = 0; i < lists.size(); ++i) {
      lists[i].resize(getSizeAtIndex(i));
      readAtIndex(target, i, lists[i].data(), TypeTraits::make<T>());
    }
  }
  void read(const Target& target, void* values, const TypeTraits& traits, std::size_t n) const;
  void readAtIndex(const Target& target, std::size_t i, void* values,
                   const TypeTraits& traits) const;

  std::shared_ptr<const ipumodel::FieldData> data_;
};

class VertexIntrospector {
public:
  // Throws unknown_field.
  FieldData getFieldInfo(StringRef name) const;

  // For the library itself.
  VertexIntrospector(const ipumodel::GraphData& graph, unsigned vertex)
      : graph_(&graph), vertex_(vertex) {}

private:
  const ipumodel::GraphData* graph_;
  unsigned vertex_;
};

} // namespace poplar
