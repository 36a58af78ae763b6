#include "engine/EngineOptions.hpp"
#include "engine/ExecutableData.hpp"
#include "graph/Access.hpp"

#include <poplar/Executable.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {

Executable::Executable() = default;
Executable::~Executable() = default;
Executable::Executable(const Executable&) = default;
Executable::Executable(Executable&&) noexcept = default;
Executable& Executable::operator=(const Executable&) = default;
Executable& Executable::operator=(Executable&&) noexcept = default;
Executable::Executable(std::shared_ptr<const ipumodel::ExecutableData> data)
    : data_(std::move(data)) {}

void Executable::serialize(std::ostream& out) const {
  if (!data_)
    throw poplar_error("an empty executable cannot be serialised");
  ipumodel::serialize(*data_, out);
}

Executable Executable::deserialize(std::istream& in) {
  return Executable(ipumodel::deserialize(in));
}

Executable compileGraph(const Graph& graph, ArrayRef<program::Program> progs,
                        const OptionFlags& opt, ProgressFunc progressCallBack,
                        const DebugContext& debugContext) {
  constexpr int kNumPhases = 1;
  if (progressCallBack)
    progressCallBack(0, kNumPhases);
  try {
    const ipumodel::EngineOptions options = ipumodel::parseEngineOptions(opt);
    std::vector<ipumodel::ProgramPtr> programs;
    for (const program::Program& program : progs)
      programs.push_back(ipumodel::nodeOf(program));
    Executable executable(ipumodel::compile(graph.getImpl(), std::move(programs), options));
    if (progressCallBack)
      progressCallBack(kNumPhases, kNumPhases);
    return executable;
  } catch (poplar_error& error) {
    error.attachSourceLocation(debugContext);
    throw;
  }
}

Executable compileGraph(Graph&& graph, ArrayRef<program::Program> progs, const OptionFlags& opt,
                        ProgressFunc progressCallBack, const DebugContext& debugContext) {
  return compileGraph(static_cast<const Graph&>(graph), progs, opt, std::move(progressCallBack),
                      debugContext);
}

} // namespace poplar
