// The part of popc that needs libclang: a library of its own, which is loaded when codelets are
// compiled, since libclang and LLVM would add 50 MB to every program that finds its codelets in the
// cache.
#include "popc/Clang.hpp"
#include "popc/VertexFinder.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ipumodel::popc {
namespace {

enum class Verdict { No, Maybe, Yes };

bool isVertexBase(CXCursor decl) {
  const std::string name = toString(clang_getCursorSpelling(decl));
  if (name != "Vertex" && name != "MultiVertex" && name != "SupervisorVertex")
    return false;
  const CXCursor parent = clang_getCursorSemanticParent(decl);
  return clang_getCursorKind(parent) == CXCursor_Namespace &&
         toString(clang_getCursorSpelling(parent)) == "poplar";
}

bool isClassLike(CXCursorKind kind) {
  return kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl ||
         kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization;
}

// The declaration whose children are the bases and fields as written: for an instantiation that is
// its template.
CXCursor asWritten(CXCursor decl) {
  const CXCursor pattern = clang_getSpecializedCursorTemplate(decl);
  if (!clang_Cursor_isNull(pattern) && !clang_isInvalid(clang_getCursorKind(pattern))) {
    bool hasBody = false; // a full specialisation has its own
    forEachChild(decl, [&](CXCursor child) {
      hasBody |= clang_getCursorKind(child) == CXCursor_FieldDecl ||
                 clang_getCursorKind(child) == CXCursor_CXXMethod;
    });
    if (!hasBody)
      decl = pattern;
  }
  const CXCursor definition = clang_getCursorDefinition(decl);
  return clang_Cursor_isNull(definition) ? decl : definition;
}

// The class a base specifier names, or a null cursor where that depends on template parameters in a
// way we cannot follow (std::conditional_t<...>).
CXCursor baseClass(CXCursor specifier) {
  const CXType type = clang_getCanonicalType(clang_getCursorType(specifier));
  CXCursor decl = clang_getTypeDeclaration(type);
  if (isClassLike(clang_getCursorKind(decl)))
    return asWritten(decl);
  CXCursor found = clang_getNullCursor(); // Base<T>: the template itself
  forEachChild(specifier, [&](CXCursor child) {
    if (clang_getCursorKind(child) == CXCursor_TemplateRef) {
      const CXCursor referenced = clang_getCursorReferenced(child);
      if (isClassLike(clang_getCursorKind(referenced)))
        found = asWritten(referenced);
    }
  });
  return found;
}

Verdict collect(CXCursor decl, std::vector<std::string>& fields, unsigned depth = 0) {
  if (isVertexBase(decl))
    return Verdict::Yes;
  if (depth > 64) // a template that derives from itself with other arguments
    return Verdict::Maybe;
  Verdict verdict = Verdict::No;
  forEachChild(asWritten(decl), [&](CXCursor child) {
    if (clang_getCursorKind(child) == CXCursor_CXXBaseSpecifier) {
      const CXCursor base = baseClass(child);
      verdict = std::max(verdict, clang_Cursor_isNull(base) ? Verdict::Maybe
                                                            : collect(base, fields, depth + 1));
    } else if (clang_getCursorKind(child) == CXCursor_FieldDecl) {
      fields.push_back(toString(clang_getCursorSpelling(child)));
    }
  });
  return verdict;
}

constexpr std::string_view kAnonymous = "(anonymous namespace)::";

void eraseAll(std::string& text, std::string_view what) {
  for (std::size_t at; (at = text.find(what)) != std::string::npos;)
    text.erase(at, what.size());
}

std::vector<std::string> enclosingNamespaces(CXCursor cursor) {
  std::vector<std::string> scope;
  for (CXCursor parent = clang_getCursorLexicalParent(cursor);
       !clang_Cursor_isNull(parent) && clang_getCursorKind(parent) != CXCursor_TranslationUnit;
       parent = clang_getCursorLexicalParent(parent)) {
    if (clang_getCursorKind(parent) != CXCursor_Namespace)
      continue;
    const std::string name = toString(clang_getCursorSpelling(parent));
    scope.insert(scope.begin(), name.starts_with('(') ? "" : name);
  }
  return scope;
}

// A derived class that repeats a base's field hides it.
std::vector<std::string> withoutHidden(const std::vector<std::string>& fields) {
  std::vector<std::string> visible;
  std::set<std::string> seen;
  for (auto field = fields.rbegin(); field != fields.rend(); ++field)
    if (!field->empty() && seen.insert(*field).second)
      visible.insert(visible.begin(), *field);
  return visible;
}

class Finder {
public:
  void visit(CXCursor cursor) {
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
      return;
    const CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
        kind == CXCursor_UnexposedDecl)
      forEachChild(cursor, [&](CXCursor child) { visit(child); });
    else if (kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl)
      visitClass(cursor);
    else if (kind == CXCursor_EnumDecl)
      visitEnum(cursor);
  }

  FoundVertices take() { return std::move(found_); }

private:
  void visitClass(CXCursor cursor) {
    const bool isInstantiation = !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(cursor));
    if (!isInstantiation && !clang_isCursorDefinition(cursor))
      return;
    VertexClass vertex;
    if (collect(cursor, vertex.fields) != Verdict::No && !isVertexBase(cursor)) {
      vertex.scope = enclosingNamespaces(cursor);
      vertex.spelling = toString(clang_getTypeSpelling(clang_getCursorType(cursor)));
      eraseAll(vertex.spelling, kAnonymous);
      vertex.fields = withoutHidden(vertex.fields);
      found_.classes.push_back(std::move(vertex));
    }
    forEachChild(cursor, [&](CXCursor child) { // nested types
      const CXCursorKind kind = clang_getCursorKind(child);
      if (kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl)
        visitClass(child);
      else if (kind == CXCursor_EnumDecl)
        visitEnum(child);
    });
  }

  void visitEnum(CXCursor cursor) {
    std::string line =
        toString(clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(cursor))));
    eraseAll(line, kAnonymous);
    if (line.find_first_of(" (") != std::string::npos) // has no name
      return;
    forEachChild(cursor, [&](CXCursor child) {
      if (clang_getCursorKind(child) == CXCursor_EnumConstantDecl)
        line += ' ' + std::to_string(clang_getEnumConstantDeclValue(child)) + ' ' +
                toString(clang_getCursorSpelling(child));
    });
    found_.enumerators += line + '\n';
  }

  FoundVertices found_;
};

} // namespace

void findVerticesWithClang(const std::string& sourceFile,
                           const std::vector<std::string>& languageFlags, FoundVertices& found) {
  std::vector<const char*> arguments;
  for (const std::string& flag : languageFlags)
    arguments.push_back(flag.c_str());

  const ClangIndex index(clang_createIndex(0, 0), &clang_disposeIndex);
  CXTranslationUnit parsed = nullptr;
  const CXErrorCode error = clang_parseTranslationUnit2(
      index.get(), sourceFile.c_str(), arguments.data(), static_cast<int>(arguments.size()),
      nullptr, 0, CXTranslationUnit_SkipFunctionBodies | CXTranslationUnit_KeepGoing, &parsed);
  const ClangUnit unit(parsed, &clang_disposeTranslationUnit);
  if (error != CXError_Success)
    throw std::runtime_error("libclang cannot parse '" + sourceFile + "': error " +
                             std::to_string(error));
  Finder finder;
  forEachChild(clang_getTranslationUnitCursor(unit.get()),
               [&](CXCursor cursor) { finder.visit(cursor); });
  found = finder.take();
}

} // namespace ipumodel::popc
