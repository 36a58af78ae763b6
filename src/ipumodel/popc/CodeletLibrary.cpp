#include "popc/CodeletLibrary.hpp"

#include "popc/Build.hpp"
#include "popc/CanonicalName.hpp"
#include "popc/CodeletObject.hpp"
#include "popc/Files.hpp"

#include <algorithm>

namespace ipumodel {
namespace {

popc::CompileFlags flagsWithEnvironment(const std::string& flags) {
  popc::CompileFlags result = popc::CompileFlags::parse(flags);
  if (popc::boundsChecksFromEnvironment() == popc::BoundsChecks::On)
    result.bounds = popc::BoundsChecks::On;
  return result;
}

} // namespace

void CodeletLibrary::addFile(const std::string& path, CodeletSource kind,
                             const std::string& flags) {
  const popc::CompileFlags parsed = flagsWithEnvironment(flags);
  std::string program = kind == CodeletSource::GraphProgram
                            ? popc::rebuildIfNeeded(popc::readFile(path), path, parsed.bounds)
                            : popc::buildFile(path, parsed);
  add(CodeletObject::fromBytes(std::move(program), path));
}

void CodeletLibrary::addText(const std::string& text, const std::string& flags) {
  add(CodeletObject::fromBytes(popc::buildText(text, flagsWithEnvironment(flags)), "text"));
}

void CodeletLibrary::add(std::shared_ptr<const CodeletObject> object) {
  objects_.push_back(std::move(object));
}

const VertexType* CodeletLibrary::find(std::string_view name) const {
  const std::string canonical = popc::canonicalName(name);
  for (const auto& object : objects_) {
    const auto& types = object->types();
    const auto found = std::find_if(types.begin(), types.end(),
                                    [&](const VertexType& type) { return type.name == canonical; });
    if (found != types.end())
      return &*found;
  }
  return nullptr;
}

} // namespace ipumodel
