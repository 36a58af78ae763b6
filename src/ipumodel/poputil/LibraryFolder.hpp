// Where a shared library was loaded from: its codelets lie beside it.
#pragma once

#include <dlfcn.h>

#include <string>

namespace poputil {

// The folder of the library that contains `symbol`, with a slash at the end.
inline std::string libraryFolder(const void* symbol) {
  Dl_info info{};
  if (dladdr(symbol, &info) == 0 || info.dli_fname == nullptr)
    return "";
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

} // namespace poputil
