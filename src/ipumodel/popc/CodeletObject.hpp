// A loaded .gp: its bytes, and the vertex types found in it.
#pragma once

#include "popc/MappedFile.hpp"
#include "popc/VertexType.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ipumodel {

class CodeletObject {
public:
  // `origin` names it in messages. Throws poplar::graph_object_load_error when the bytes are no
  // .gp, poplar::graph_object_creation_error for an illegal field, poplar::link_error for code that
  // no tile could run (it allocates memory, or calls what is not there).
  static std::shared_ptr<const CodeletObject> fromBytes(std::string_view bytes,
                                                        const std::string& origin);
  static std::shared_ptr<const CodeletObject> fromFile(const std::string& path);
  ~CodeletObject();
  CodeletObject(const CodeletObject&) = delete;
  CodeletObject& operator=(const CodeletObject&) = delete;

  std::string_view bytes() const { return file_.bytes(); }
  const std::vector<VertexType>& types() const { return types_; }

private:
  explicit CodeletObject(popc::MappedFile file) : file_(std::move(file)) {}
  // Of a file that nobody else loads.
  static std::shared_ptr<const CodeletObject> load(const std::filesystem::path& file,
                                                   const std::string& origin);

  popc::MappedFile file_;
  void* handle_ = nullptr;
  std::vector<VertexType> types_;
};

} // namespace ipumodel
