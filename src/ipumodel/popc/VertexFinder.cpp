#include "popc/VertexFinder.hpp"

#include "poputil/LibraryFolder.hpp"

#include <poplar/exceptions.hpp>

#include <dlfcn.h>

#include <stdexcept>

namespace ipumodel::popc {
namespace {

// Stays loaded: LLVM does not survive being unloaded and loaded again.
// It lies beside this library, whose run path sanitizers do not let dlopen() see.
decltype(&findVerticesWithClang) loadFinder() {
  const std::string folder = poputil::libraryFolder(reinterpret_cast<const void*>(&loadFinder));
  void* library = dlopen((folder + IPUMODEL_CLANG_LIBRARY).c_str(), RTLD_NOW | RTLD_LOCAL);
  void* finder = library ? dlsym(library, "findVerticesWithClang") : nullptr;
  if (!finder)
    throw poplar::poplar_error(std::string("codelets cannot be compiled: ") + dlerror());
  return reinterpret_cast<decltype(&findVerticesWithClang)>(finder);
}

} // namespace

FoundVertices findVertices(const std::string& sourceFile,
                           const std::vector<std::string>& languageFlags) {
  static const auto finder = loadFinder();
  FoundVertices found;
  try {
    finder(sourceFile, languageFlags, found);
  } catch (const std::runtime_error& error) {
    throw poplar::graph_object_creation_error(error.what());
  }
  return found;
}

} // namespace ipumodel::popc
