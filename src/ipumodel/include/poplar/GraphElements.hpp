// References to the things a graph holds. Cheap values; they mean something only with their graph.
#pragma once

#include <poplar/StringRef.hpp>

namespace poplar {

class FieldRef;

class VertexRef {
public:
  VertexRef() : id_(~0u) {}
  explicit VertexRef(unsigned id) : id_(id) {}

  unsigned getId() const { return id_; }
  FieldRef operator[](StringRef fieldName) const;

  friend bool operator==(const VertexRef& a, const VertexRef& b) { return a.id_ == b.id_; }
  friend bool operator!=(const VertexRef& a, const VertexRef& b) { return a.id_ != b.id_; }
  friend bool operator<(const VertexRef& a, const VertexRef& b) { return a.id_ < b.id_; }

private:
  unsigned id_;
};

// A field of a vertex, v["in"], or one element of it, v["in"][3].
class FieldRef {
public:
  FieldRef(VertexRef vertex, StringRef name)
      : vertex_(vertex), name_(name.cloneAsString()), index_(0), isIndexed_(false) {}

  FieldRef operator[](std::size_t index) const {
    FieldRef element(*this);
    element.index_ = index;
    element.isIndexed_ = true;
    return element;
  }
  bool isIndexed() const { return isIndexed_; }
  std::size_t getIndex() const { return index_; }
  VertexRef getVertex() const { return vertex_; }
  const std::string& getName() const { return name_; }

private:
  VertexRef vertex_;
  std::string name_;
  std::size_t index_;
  bool isIndexed_;
};

inline FieldRef VertexRef::operator[](StringRef fieldName) const {
  return FieldRef(*this, fieldName);
}

// An id of one kind of graph element.
template <typename Tag>
class GraphElementId {
public:
  GraphElementId() : id_(~0u) {}
  explicit GraphElementId(unsigned id) : id_(id) {}
  unsigned getId() const { return id_; }

  friend bool operator==(const GraphElementId& a, const GraphElementId& b) {
    return a.id_ == b.id_;
  }
  friend bool operator!=(const GraphElementId& a, const GraphElementId& b) {
    return a.id_ != b.id_;
  }
  friend bool operator<(const GraphElementId& a, const GraphElementId& b) { return a.id_ < b.id_; }

private:
  unsigned id_;
};

class ComputeSet : public GraphElementId<ComputeSet> {
public:
  ComputeSet() = default;
  explicit ComputeSet(unsigned id) : GraphElementId<ComputeSet>(id) {}
};

class Function : public GraphElementId<Function> {
public:
  Function() = default;
  explicit Function(unsigned id) : GraphElementId<Function>(id) {}
};

class FunctionBuffer : public GraphElementId<FunctionBuffer> {
public:
  FunctionBuffer() = default;
  explicit FunctionBuffer(unsigned id) : GraphElementId<FunctionBuffer>(id) {}
};

class HostFunction : public GraphElementId<HostFunction> {
public:
  HostFunction() = default;
  explicit HostFunction(unsigned id) : GraphElementId<HostFunction>(id) {}
};

} // namespace poplar
