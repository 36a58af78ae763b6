// Loads codelets, from source or from a .gp file, and hands out their vertex types.
#pragma once

#include "popc/VertexType.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ipumodel {

// A loaded .gp: an ELF shared object with its metadata table. Closing it would leave dangling
// function pointers, so the objects live as long as any library that refers to them.
class CodeletObject;

enum class CodeletSource { Cpp, PreprocessedCpp, GraphProgram };

class CodeletLibrary {
public:
  // Loads a file, compiling it first if it is source. Throws poplar::file_load_error when it cannot
  // be read, poplar::graph_object_creation_error when it does not compile or has an illegal field.
  void addFile(const std::string& path, CodeletSource kind, const std::string& flags);

  // The same for source text.
  void addText(const std::string& text, const std::string& flags);

  // The type of that canonical name, or null. Pointers stay valid for the library's life.
  const VertexType* find(std::string_view name) const;

  // Whether there is a type whose name begins so.
  bool hasTypeOf(std::string_view prefix) const;

  // Objects in load order, for executables that carry their codelets with them.
  const std::vector<std::shared_ptr<const CodeletObject>>& objects() const { return objects_; }
  void add(std::shared_ptr<const CodeletObject> object);

private:
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>()(name);
    }
  };

  std::vector<std::shared_ptr<const CodeletObject>> objects_;
  // By canonical name; the first object to bring a name keeps it.
  std::unordered_map<std::string, const VertexType*, NameHash, std::equal_to<>> types_;
};

} // namespace ipumodel
