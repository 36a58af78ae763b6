#include "engine/ExecutableData.hpp"

#include "engine/Archive.hpp"
#include "engine/ExecutableFormat.hpp"
#include "engine/GraphArchive.hpp"
#include "graph/Validate.hpp"
#include "lower/Lower.hpp"
#include "popc/CodeletObject.hpp"
#include "profile/LegacyProfile.hpp"
#include "profile/Profile.hpp"

#include <poplar/exceptions.hpp>

namespace ipumodel {

namespace {

const std::string kMagic = "ipumodel-executable";

void checkFits(const GraphData& graph, const std::vector<ProgramPtr>& programs) {
  Profiler profiler(graph, programs);
  if (const auto shortage = profiler.shortage())
    throw poplar::graph_memory_allocation_error(shortage->message(), "",
                                                graphProfile(*profiler.profile(nullptr)));
}

void resolveTypes(ExecutableData& executable) {
  for (LoweredComputeSet& set : executable.program.computeSets)
    for (VertexGroup& group : set.groups) {
      group.type = executable.codelets.find(group.typeName);
      if (!group.type)
        throw poplar::unknown_vertex_type(group.typeName);
    }
}

} // namespace

std::shared_ptr<const ExecutableData> compile(std::shared_ptr<const GraphData> graph,
                                              std::vector<ProgramPtr> programs,
                                              const EngineOptions& options) {
  validate(*graph, programs);
  auto executable = std::make_shared<ExecutableData>();
  executable->target = graph->target;
  executable->options = options.flags;
  if (graph->target.getTargetType() == poplar::TargetType::IPU && !options.allowOutOfMemory)
    checkFits(*graph, programs);
  executable->program = lower(*graph, programs);
  for (const auto& object : graph->codelets.objects())
    executable->codelets.add(object);
  executable->graph = std::move(graph);
  executable->programs = std::move(programs);
  return executable;
}

void serialize(const ExecutableData& executable, std::ostream& out) {
  Writer write(out);
  write(kMagic, kExecutableVersion, executable.target.getImpl());
  std::vector<std::pair<std::string, std::string>> options(executable.options.begin(),
                                                           executable.options.end());
  std::vector<std::string> objects;
  for (const auto& object : executable.codelets.objects())
    objects.emplace_back(object->bytes());
  write(options, objects, executable.program);
  writeGraph(write, executable);
  if (!out)
    throw poplar::poplar_error("writing the executable failed");
}

std::shared_ptr<const ExecutableData> deserialize(std::istream& in) {
  auto executable = std::make_shared<ExecutableData>();
  try {
    Reader read(in);
    std::string magic;
    std::uint32_t version = 0;
    read(magic);
    if (magic != kMagic)
      throw std::runtime_error("it is something else");
    read(version);
    if (version != kExecutableVersion)
      throw std::runtime_error("version " + std::to_string(version) + ", not " +
                               std::to_string(kExecutableVersion));
    TargetData target;
    std::vector<std::pair<std::string, std::string>> options;
    std::vector<std::string> objects;
    read(target, options, objects, executable->program);
    executable->target = poplar::Target(std::make_shared<const TargetData>(std::move(target)));
    for (const auto& [key, value] : options)
      executable->options.set(key, value);
    for (const std::string& object : objects)
      executable->codelets.add(CodeletObject::fromBytes(object, "the executable"));
    readGraph(read, *executable);
  } catch (const poplar::poplar_error&) {
    throw;
  } catch (const std::exception& error) {
    throw poplar::poplar_error(std::string("this is not an executable of the IPU Model: ") +
                               error.what());
  }
  resolveTypes(*executable);
  return executable;
}

} // namespace ipumodel
