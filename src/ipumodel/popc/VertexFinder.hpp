// Finds the vertex classes of a codelet file with libclang.
#pragma once

#include <string>
#include <vector>

namespace ipumodel::popc {

// A class that is, or may be, a vertex: where a base depends on template parameters only the
// compiler knows, so the glue decides. Everything about a field but its name is the glue's business
// too.
struct VertexClass {
  std::vector<std::string> scope;  // namespaces in which `spelling` names the type; "" is anonymous
  std::string spelling;            // template arguments as written in the source
  std::vector<std::string> fields; // bases first, then in order of declaration
};

struct FoundVertices {
  std::vector<VertexClass> classes; // in order of appearance
  std::string enumerators;          // of every enumeration: "ns::Color 0 RED 1 GREEN\n..."
};

// Non-template classes, explicit instantiations and full specialisations. Errors in the source are
// left for the compiler to report.
FoundVertices findVertices(const std::string& sourceFile,
                           const std::vector<std::string>& languageFlags);

// The same in the library that is linked with libclang, which findVertices loads at first use. It
// knows nothing of poplar, so what it throws is a std::runtime_error.
extern "C" void findVerticesWithClang(const std::string& sourceFile,
                                      const std::vector<std::string>& languageFlags,
                                      FoundVertices& found);

} // namespace ipumodel::popc
