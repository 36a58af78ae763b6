#include "popc/CodeletObject.hpp"

#include "popc/CanonicalName.hpp"
#include "popc/Elf.hpp"
#include "popc/Files.hpp"

#include <poplar/exceptions.hpp>

#include <cxxabi.h>
#include <dlfcn.h>
#include <ipumodel/CodeletAbi.hpp>

#include <cstdlib>
#include <regex>
#include <set>
#include <string_view>

namespace ipumodel {
namespace {

poplar::Type typeOf(std::uint8_t element) {
  switch (element) {
  case abi::kFloat:
    return poplar::FLOAT;
  case abi::kHalf:
    return poplar::HALF;
  case abi::kInt:
    return poplar::INT;
  case abi::kUnsignedInt:
    return poplar::UNSIGNED_INT;
  case abi::kShort:
    return poplar::SHORT;
  case abi::kUnsignedShort:
    return poplar::UNSIGNED_SHORT;
  case abi::kChar:
    return poplar::CHAR;
  case abi::kSignedChar:
    return poplar::SIGNED_CHAR;
  case abi::kUnsignedChar:
    return poplar::UNSIGNED_CHAR;
  case abi::kBool:
    return poplar::BOOL;
  case abi::kLongLong:
    return poplar::LONGLONG;
  case abi::kQuarter:
    return poplar::QUARTER;
  default:
    return poplar::UNSIGNED_LONGLONG;
  }
}

// "... [Declared = unsigned int[100]]" -> "unsigned int [100]"
std::string declaredType(std::string_view pretty) {
  const std::size_t begin = pretty.find("= ") + 2;
  const std::string type(pretty.substr(begin, pretty.rfind(']') - begin));
  static const std::regex closeBracket(R"((\w)\[)");
  return std::regex_replace(type, closeBracket, "$1 [");
}

// Edges of vectors only: nothing else has a place for format and scale.
bool isOddQuarter(const abi::Field& field) {
  return field.element == abi::kQuarter &&
         (static_cast<FieldDirection>(field.direction) == FieldDirection::State ||
          static_cast<PointerLayout>(field.innerLayout) == PointerLayout::None);
}

// Where a field of quarters has the pointer to their format and scale: a field of its own.
FieldInfo metadataOf(const FieldInfo& quarters) {
  FieldInfo info;
  info.name = quarters.name + kMetadataSuffix;
  info.direction = FieldDirection::Input;
  info.rank = FieldRank::Scalar;
  info.elementType = poplar::QUARTER_METADATA;
  info.offset = quarters.offset + sizeof(HostSpan);
  return info;
}

FieldInfo toFieldInfo(const std::string& vertex, const abi::Field& field) {
  if (field.element == abi::kUnsupported || isOddQuarter(field))
    throw poplar::graph_object_creation_error("Field '" + vertex + "." + field.name +
                                              "' has unsupported field type '" +
                                              declaredType(field.typeName) + "'");
  FieldInfo info;
  info.name = field.name;
  info.direction = static_cast<FieldDirection>(field.direction);
  info.rank = static_cast<FieldRank>(field.rank);
  info.elementType = typeOf(field.element);
  info.outerLayout = static_cast<PointerLayout>(field.outerLayout);
  info.innerLayout = static_cast<PointerLayout>(field.innerLayout);
  info.minAlign = field.minAlign;
  info.interleaved = field.interleaved != 0;
  info.offset = field.offset;
  return info;
}

std::string demangled(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      ::abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : mangled;
}

void requireUsable(const std::string& name, const abi::Vertex& vertex) {
  const bool isMulti = static_cast<VertexKind>(vertex.kind) == VertexKind::Multi;
  switch (vertex.fault) {
  case abi::kNoFault:
    return;
  case abi::kWrongArguments:
    throw poplar::graph_object_creation_error(
        "Vertex '" + name + "' has a compute() with wrong parameters: " +
        (isMulti ? "that of a MultiVertex takes the number of the worker, an unsigned"
                 : "that of a Vertex or SupervisorVertex takes none"));
  case abi::kWrongResult:
    throw poplar::graph_object_creation_error(
        "Vertex '" + name + "' has a compute() that returns neither bool nor void");
  case abi::kVirtualFunctions:
    throw poplar::graph_object_creation_error(
        "Vertex '" + name +
        "' has virtual functions; a vertex is never constructed, so they could not be called");
  }
}

VertexType toVertexType(const abi::Vertex& vertex, const char* enumerators) {
  VertexType type;
  type.name = popc::canonicalName(demangled(vertex.mangledName()), enumerators);
  requireUsable(type.name, vertex);
  type.kind = static_cast<VertexKind>(vertex.kind);
  type.size = vertex.size;
  type.align = vertex.align;
  type.run = vertex.run;
  type.cost = vertex.cost;
  for (unsigned i = 0; i < vertex.numFields; ++i) {
    type.fields.push_back(toFieldInfo(type.name, vertex.fields[i]));
    if (type.fields.back().elementType == poplar::QUARTER)
      type.fields.push_back(metadataOf(type.fields.back()));
  }
  return type;
}

[[noreturn]] void reportBounds(const char* vertex, const char* field, std::size_t index,
                               std::size_t size) {
  throw poplar::application_runtime_error(
      "Index " + std::to_string(index) + " is out of bounds for field '" + vertex + "." +
      (field ? field : "(a copy of a field)") + "' of " + std::to_string(size) + " elements");
}

// A tile has neither a heap nor exceptions: these are what `new`, std::vector and `throw` come down
// to. `delete` alone is allowed, since every class with a virtual destructor refers to it.
bool isForbidden(const std::string& symbol) {
  static const std::set<std::string> absent = {"malloc", "calloc", "realloc", "__cxa_throw",
                                               "__cxa_rethrow"};
  return symbol.starts_with("_Znw") || symbol.starts_with("_Zna") || absent.contains(symbol);
}

} // namespace

// dlopen takes the same file for the same library, and each object is to have its own.
std::shared_ptr<const CodeletObject> CodeletObject::fromBytes(std::string_view bytes,
                                                              const std::string& origin) {
  const popc::TemporaryDirectory scratch;
  const auto file = scratch.path() / "codelets.gp";
  popc::writeFileAtomically(file, bytes);
  return load(file, origin);
}

std::shared_ptr<const CodeletObject> CodeletObject::fromFile(const std::string& path) {
  const popc::TemporaryDirectory scratch;
  const auto file = scratch.path() / "codelets.gp";
  popc::copyFile(path, file);
  return load(file, path);
}

std::shared_ptr<const CodeletObject> CodeletObject::load(const std::filesystem::path& file,
                                                         const std::string& origin) {
  std::shared_ptr<CodeletObject> object(new CodeletObject(popc::MappedFile(file)));
  for (const std::string& symbol : popc::undefinedSymbols(object->bytes()))
    if (isForbidden(symbol))
      throw poplar::link_error("undefined symbol " + symbol + " on tile 0 (codelets '" + origin +
                               "')");
  object->file_.dropPages();
  object->handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object->handle_) {
    const std::string reason = dlerror();
    const std::size_t at = reason.find("undefined symbol: ");
    if (at != std::string::npos)
      throw poplar::link_error("undefined symbol " + reason.substr(at + 18) +
                               " on tile 0 (codelets '" + origin + "')");
    throw poplar::graph_object_load_error(origin, reason);
  }
  const auto* units =
      static_cast<const abi::Unit* const**>(dlsym(object->handle_, "ipumodel_graph_program"));
  if (!units)
    throw poplar::graph_object_load_error(origin, "it is not a graph program of this popc");
  std::vector<const char**> names;
  for (const abi::Unit* const* at = units[0]; at != units[1]; ++at) {
    const abi::Unit& unit = **at;
    if (unit.abiVersion != abi::kCodeletAbiVersion)
      throw poplar::graph_object_load_error(
          origin, "it has format " + std::to_string(unit.abiVersion) + ", this popc reads format " +
                      std::to_string(abi::kCodeletAbiVersion) + "; compile it again");
    if (unit.boundsReport)
      *unit.boundsReport = &reportBounds;
    for (unsigned i = 0; i < unit.numVertices; ++i) {
      if (const abi::Vertex* vertex = unit.vertices[i]) {
        object->types_.push_back(toVertexType(*vertex, unit.enumerators));
        object->types_.back().context = unit.context;
        names.push_back(vertex->name);
      }
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    *names[i] = object->types_[i].name.c_str();
  return object;
}

CodeletObject::~CodeletObject() {
  if (handle_)
    dlclose(handle_);
}

} // namespace ipumodel
