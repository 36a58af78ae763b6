// Control programs: what runs on the device, in which order. Programs are values; adding one to
// another copies it.
#pragma once

#include <poplar/DataStream.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/PrintTensor.hpp>
#include <poplar/RemoteBuffer.hpp>
#include <poplar/SyncType.hpp>
#include <poplar/Tensor.hpp>

namespace ipumodel {
struct ProgramNode;
}

namespace poplar {
namespace program {

class Program {
public:
  // A program that does nothing.
  Program();
  Program(const Program&);
  Program(Program&&) noexcept;
  Program& operator=(const Program&);
  Program& operator=(Program&&) noexcept;
  ~Program();

  bool isEmpty() const;
  // The same program object, or a copy of it.
  bool operator==(const Program& p) const { return node_ == p.node_; }
  bool operator!=(const Program& p) const { return node_ != p.node_; }

  // For the library itself.
  const std::shared_ptr<const ipumodel::ProgramNode>& getImpl() const { return node_; }

protected:
  explicit Program(std::shared_ptr<const ipumodel::ProgramNode> node);
  std::shared_ptr<const ipumodel::ProgramNode> node_;
};

// Runs the vertices of a compute set. exitValue receives the logical and of what they returned.
class Execute : public Program {
public:
  explicit Execute(ComputeSet cs, const DebugContext& debugContext = {});
  Execute(ComputeSet cs, Tensor exitValue, const DebugContext& debugContext = {});
};

class Sequence : public Program {
public:
  Sequence(const DebugContext& debugContext = {});
  Sequence(std::initializer_list<Program> programs, const DebugContext& debugContext = {});
  Sequence(const Sequence&) = default;
  Sequence(Sequence&&) = default;
  Sequence& operator=(const Sequence&) = default;
  Sequence& operator=(Sequence&&) = default;

  // Sequence(p, q, ...), the form of older programs.
  template <typename First, typename... Rest,
            typename = typename std::enable_if<std::is_base_of<Program, First>::value &&
                                               !(sizeof...(Rest) == 0 &&
                                                 std::is_same<First, Sequence>::value)>::type>
  Sequence(const First& first, const Rest&... rest) : Sequence() {
    addAll(first, rest...);
  }

  void add(const Program& p);

private:
  void addAll() {}
  template <typename First, typename... Rest>
  void addAll(const First& first, const Rest&... rest) {
    add(first);
    addAll(rest...);
  }
};

class Repeat : public Program {
public:
  Repeat(unsigned count, const Program& p, const DebugContext& debugContext = {});
};

// Runs a program again and again until Engine::stop().
class Loop : public Program {
public:
  explicit Loop(const Program& p, const DebugContext& debugContext = {});
};

// Runs cond, then body while the scalar predicate is false (true), then cond again ...
class RepeatWhileFalse : public Program {
public:
  RepeatWhileFalse(const Program& cond, Tensor predicate, const Program& body,
                   const DebugContext& debugContext = {});
};
class RepeatWhileTrue : public Program {
public:
  RepeatWhileTrue(const Program& cond, Tensor predicate, const Program& body,
                  const DebugContext& debugContext = {});
};

class If : public Program {
public:
  If(Tensor predicate, const Program& trueBody, const Program& falseBody,
     const DebugContext& debugContext = {});
};

// Runs the case whose number the scalar control holds, otherwise the default.
class Switch : public Program {
public:
  Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases,
         const DebugContext& debugContext = {});
  // Else {{0, body}} could be a program too.
  Switch(Tensor control, std::initializer_list<std::pair<std::int32_t, Program>> cases,
         const DebugContext& debugContext = {})
      : Switch(control, std::vector<std::pair<std::int32_t, Program>>(cases), debugContext) {}
  Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases,
         const Program& defaultCaseBody, const DebugContext& debugContext = {});
  explicit Switch(Tensor control, const DebugContext& debugContext = {});
  Switch(Tensor control, const Program& defaultCaseBody, const DebugContext& debugContext = {});

  // A control without a case is an error when it runs.
  static Switch switchWithBoundsChecking(Tensor control,
                                         const std::vector<std::pair<std::int32_t, Program>>& cases,
                                         const DebugContext& debugContext = {});
  // The caller promises that the control always has a case.
  static Switch switchWithUnreachableDefault(Tensor control, const DebugContext& debugContext = {});

  Switch& add(std::int32_t value, const Program& body);

private:
  explicit Switch(std::shared_ptr<const ipumodel::ProgramNode> node);
};

// Copies all elements of a source to a destination of the same type and number of elements. Without
// an offset a remote buffer has one row; with one, offset holds the rows to copy.
class Copy : public Program {
public:
  Copy(Tensor src, Tensor dst, bool dontOutline = false, const DebugContext& debugContext = {});
  Copy(const DataStream& stream, Tensor dst, bool optimiseMemory = false,
       const DebugContext& debugContext = {});
  Copy(Tensor src, const DataStream& stream, bool optimiseMemory = false,
       const DebugContext& debugContext = {});
  Copy(const RemoteBuffer& buffer, Tensor dst, const DebugContext& debugContext = {});
  Copy(const RemoteBuffer& buffer, Tensor dst, Tensor offset,
       const DebugContext& debugContext = {});
  Copy(Tensor src, const RemoteBuffer& buffer, const DebugContext& debugContext = {});
  Copy(Tensor src, const RemoteBuffer& buffer, Tensor offset,
       const DebugContext& debugContext = {});
  // The code of a function, from a buffer of the same function.
  Copy(const FunctionBuffer& buffer, const Function& function,
       const DebugContext& debugContext = {});
};

// src of replica r goes to dst of replica replicaMap[r].
class CrossReplicaCopy : public Program {
public:
  CrossReplicaCopy(Tensor src, Tensor dst, std::map<unsigned, unsigned> replicaMap,
                   const DebugContext& debugContext = {});
};

// Says that the contents of t are not needed any more.
class WriteUndef : public Program {
public:
  explicit WriteUndef(Tensor t, const DebugContext& debugContext = {});
};

class AssumeEqualAcrossReplicas : public Program {
public:
  explicit AssumeEqualAcrossReplicas(Tensor t, const DebugContext& debugContext = {});
};

// A program with a name of its own in reports.
class Block : public Program {
public:
  explicit Block(const Program& p, const DebugContext& debugContext = {});
};

class Sync : public Program {
public:
  explicit Sync(SyncType type, const DebugContext& debugContext = {});
};

class Call : public Program {
public:
  explicit Call(Function f, const DebugContext& debugContext = {});
  Call(HostFunction f, ArrayRef<Tensor> inputs, ArrayRef<Tensor> outputs,
       const DebugContext& debugContext = {});
};

// Writes the elements of t to the engine's print stream.
class PrintTensor : public Program {
public:
  explicit PrintTensor(Tensor t, const DebugContext& debugContext = {});
  PrintTensor(Tensor t, const PrintTensorFmt& fmt, const DebugContext& debugContext = {});
  PrintTensor(StringRef title, Tensor t, const DebugContext& debugContext = {});
  PrintTensor(StringRef title, Tensor t, const PrintTensorFmt& fmt,
              const DebugContext& debugContext = {});
};

// Prints t and stops with the message.
class ErrorProgram : public Program {
public:
  ErrorProgram(StringRef message, Tensor t, const DebugContext& debugContext = {});
};

// Stops with application_runtime_error.
class Abort : public Program {
public:
  explicit Abort(const DebugContext& debugContext = {});
  explicit Abort(const char* message, const DebugContext& debugContext = {});
  explicit Abort(const std::string& message, const DebugContext& debugContext = {});
};

class AbortOnCondition : public Program {
public:
  explicit AbortOnCondition(Tensor predicate, const DebugContext& debugContext = {});
  AbortOnCondition(Tensor predicate, const char* message, const DebugContext& debugContext = {});
  AbortOnCondition(Tensor predicate, const std::string& message,
                   const DebugContext& debugContext = {});
};

// Writes the program as JSON, each step with its kind ("Copy", "Execute", ..), its name and its
// parts, called functions included.
void dumpProgram(const Graph& graph, const Program& program, std::ostream& out);

} // namespace program
} // namespace poplar
