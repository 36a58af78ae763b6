// libclang's C interface with C++ ownership.
#pragma once

#include <clang-c/Index.h>

#include <memory>
#include <string>

namespace ipumodel::popc {

inline std::string toString(CXString owned) {
  const char* text = clang_getCString(owned);
  std::string result = text ? text : "";
  clang_disposeString(owned);
  return result;
}

using ClangIndex = std::unique_ptr<void, decltype(&clang_disposeIndex)>;
using ClangUnit = std::unique_ptr<CXTranslationUnitImpl, decltype(&clang_disposeTranslationUnit)>;

// Calls visit(child) for each direct child.
template <class Visit>
void forEachChild(CXCursor parent, Visit visit) {
  clang_visitChildren(
      parent,
      [](CXCursor child, CXCursor, CXClientData data) {
        (*static_cast<Visit*>(data))(child);
        return CXChildVisit_Continue;
      },
      &visit);
}

} // namespace ipumodel::popc
