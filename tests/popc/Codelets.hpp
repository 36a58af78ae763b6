// Compiles codelet text and runs single vertices of it on hand-made memory.
#pragma once

#include "popc/CodeletLibrary.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace ipumodel::testing {

// Codelet text with the usual first lines.
inline std::string codelet(const std::string& text) {
  return "#include <poplar/Vertex.hpp>\nusing namespace poplar;\n" + text;
}

inline CodeletLibrary compile(const std::string& text, const std::string& flags = "") {
  CodeletLibrary library;
  library.addText(codelet(text), flags);
  return library;
}

inline const VertexType& typeOf(const CodeletLibrary& library, const std::string& name) {
  const VertexType* type = library.find(name);
  if (!type)
    throw std::runtime_error("no vertex type " + name);
  return *type;
}

inline const FieldInfo& fieldOf(const VertexType& type, const std::string& name) {
  for (const FieldInfo& field : type.fields)
    if (field.name == name)
      return field;
  throw std::runtime_error("no field " + name + " in " + type.name);
}

// A vertex object as the engine lays it out.
class VertexObject {
public:
  explicit VertexObject(const VertexType& type) : type_(type), memory_((type.size + 15) / 16) {}

  template <class T>
  VertexObject& state(const std::string& field, T value) {
    return put(field, &value, sizeof(T));
  }
  template <class T>
  VertexObject& scalar(const std::string& field, T& element) {
    return state(field, &element);
  }
  template <class T>
  VertexObject& vector(const std::string& field, std::vector<T>& elements) {
    return state(field, HostSpan{elements.data(), elements.size()});
  }
  VertexObject& list(const std::string& field, std::vector<HostSpan>& spans) {
    return vector(field, spans);
  }

  bool run(unsigned numWorkers = 6) { return type_.run(memory_.data(), bytes(), 1, numWorkers); }
  std::uint64_t cost() const {
    std::uint64_t cycles = 0;
    type_.cost(memory_.data(), bytes(), 1, &cycles);
    return cycles;
  }

private:
  struct alignas(16) Slot {
    std::byte bytes[16] = {};
  };
  std::size_t bytes() const { return memory_.size() * sizeof(Slot); }
  VertexObject& put(const std::string& field, const void* value, std::size_t size) {
    std::memcpy(memory_.front().bytes + fieldOf(type_, field).offset, value, size);
    return *this;
  }

  const VertexType& type_;
  std::vector<Slot> memory_;
};

} // namespace ipumodel::testing
