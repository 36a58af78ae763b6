// A graph compiled with its programs, independent of the Graph it came from.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>

namespace ipumodel {
struct ExecutableData;
}

namespace poplar {

/// Told how far compilation has come: (steps done, steps in all).
typedef std::function<void(int, int)> ProgressFunc;

/// A value; copies share the compiled code. Serialised, it carries its codelets with it and needs
/// nothing but a host of the same architecture and a library of the same version.
class Executable {
public:
  Executable();
  ~Executable();
  Executable(const Executable&);
  Executable(Executable&&) noexcept;
  Executable& operator=(const Executable&);
  Executable& operator=(Executable&&) noexcept;

  void serialize(std::ostream& out) const;

  /// Throws poplar_error when the stream does not hold an executable of this version.
  static Executable deserialize(std::istream& in);

  explicit Executable(std::shared_ptr<const ipumodel::ExecutableData> data);
  const std::shared_ptr<const ipumodel::ExecutableData>& getImpl() const { return data_; }

private:
  std::shared_ptr<const ipumodel::ExecutableData> data_;
};

Executable compileGraph(const Graph& graph, ArrayRef<program::Program> progs,
                        const OptionFlags& opt = {}, ProgressFunc progressCallBack = ProgressFunc(),
                        const DebugContext& debugContext = {});
Executable compileGraph(Graph&& graph, ArrayRef<program::Program> progs,
                        const OptionFlags& opt = {}, ProgressFunc progressCallBack = ProgressFunc(),
                        const DebugContext& debugContext = {});

} // namespace poplar
