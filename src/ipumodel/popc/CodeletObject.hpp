// A .gp in memory: its bytes, and the vertex types found in it.
#pragma once

#include "popc/VertexType.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ipumodel {

class CodeletObject {
public:
  // `origin` names it in messages. Throws poplar::graph_object_load_error when the bytes are no
  // .gp, poplar::graph_object_creation_error for an illegal field, poplar::link_error for code that
  // no tile could run (it allocates memory, or calls what is not there).
  static std::shared_ptr<const CodeletObject> fromBytes(std::string bytes,
                                                        const std::string& origin);
  ~CodeletObject();
  CodeletObject(const CodeletObject&) = delete;
  CodeletObject& operator=(const CodeletObject&) = delete;

  const std::string& bytes() const { return bytes_; }
  const std::vector<VertexType>& types() const { return types_; }

private:
  CodeletObject() = default;

  std::string bytes_;
  void* handle_ = nullptr;
  std::vector<VertexType> types_;
};

} // namespace ipumodel
