// Where a shared library was loaded from: its codelets lie beside it.
#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <string>

namespace poputil {

// The folder of the library that contains `symbol`, with a slash at the end. Loaders may know the
// library by a link elsewhere.
inline std::string libraryFolder(const void* symbol) {
  Dl_info info{};
  if (dladdr(symbol, &info) == 0 || info.dli_fname == nullptr)
    return "";
  const std::string path = std::filesystem::weakly_canonical(info.dli_fname).string();
  return path.substr(0, path.rfind('/') + 1);
}

} // namespace poputil
