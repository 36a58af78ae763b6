#include "popc/CodeletLibrary.hpp"

#include "popc/Build.hpp"
#include "popc/CanonicalName.hpp"
#include "popc/CodeletObject.hpp"
#include "popc/MappedFile.hpp"

#include <algorithm>
#include <utility>

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
  if (kind != CodeletSource::GraphProgram) {
    add(CodeletObject::fromBytes(popc::buildFile(path, parsed), path));
    return;
  }
  const auto rebuilt = popc::rebuildIfNeeded(popc::MappedFile(path).bytes(), path, parsed.bounds);
  add(rebuilt ? CodeletObject::fromBytes(*rebuilt, path) : CodeletObject::fromFile(path));
}

void CodeletLibrary::addText(const std::string& text, const std::string& flags) {
  add(CodeletObject::fromBytes(popc::buildText(text, flagsWithEnvironment(flags)), "text"));
}

void CodeletLibrary::add(std::shared_ptr<const CodeletObject> object) {
  for (const VertexType& type : object->types())
    types_.emplace(type.name, &type);
  objects_.push_back(std::move(object));
}

bool CodeletLibrary::hasTypeOf(std::string_view prefix) const {
  return std::any_of(types_.begin(), types_.end(),
                     [&](const auto& entry) { return entry.first.starts_with(prefix); });
}

const VertexType* CodeletLibrary::find(std::string_view name) const {
  auto found = types_.find(name);
  if (found == types_.end())
    found = types_.find(popc::canonicalName(name));
  return found == types_.end() ? nullptr : found->second;
}

} // namespace ipumodel
