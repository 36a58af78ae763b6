#include "popc/HardwareCodelets.hpp"

#include "popc/Build.hpp"
#include "popc/CodeletObject.hpp"
#include "popc/GraphProgram.hpp"

#include <poplar/exceptions.hpp>

#include <string>

namespace ipumodel {
namespace {

// "ns::Foo<float,true>" -> "Foo"
std::string_view className(std::string_view vertex) {
  const std::string_view bare = vertex.substr(0, vertex.find('<'));
  const std::size_t colon = bare.rfind(':');
  return colon == std::string_view::npos ? bare : bare.substr(colon + 1);
}

bool mentions(std::string_view graphProgram, std::string_view word) {
  for (const popc::ProgramUnit& unit : popc::decodeUnits(graphProgram, "codelets"))
    if (unit.source.find(word) != std::string::npos ||
        unit.hardwareSource.find(word) != std::string::npos)
      return true;
  return false;
}

std::string hardwarePart(const CodeletObject& object, std::string_view wanted) {
  try {
    return popc::buildForHardware(object.bytes(), popc::boundsChecksFromEnvironment());
  } catch (const poplar::graph_object_creation_error& error) {
    throw poplar::graph_object_creation_error(
        "vertex '" + std::string(wanted) +
        "' is there only where __IPU__ is defined, and that part does not compile for the model: " +
        error.what());
  }
}

} // namespace

const VertexType* findForHardware(CodeletLibrary& library, std::string_view name) {
  if (const VertexType* type = library.find(name))
    return type;
  const std::string_view wanted = className(name);
  for (std::size_t i = 0; i < library.objects().size(); ++i) { // add() appends
    const CodeletObject& object = *library.objects()[i];
    if (!mentions(object.bytes(), wanted))
      continue;
    const std::string part = hardwarePart(object, wanted);
    if (!part.empty())
      library.add(CodeletObject::fromBytes(part, "codelets under __IPU__"));
  }
  return library.find(name);
}

} // namespace ipumodel
