// Graph functions: one piece of graph and program, called on different tensors. The arguments are
// copied in and out, so vertices and code are paid for once.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace poputil {
namespace graphfn {

enum ArgType { InputArg, OutputArg, InOutArg, CreatedArg };

/// A parameter: how it is used, and a tensor of the shape, type and mapping to give it. A created
/// argument takes the tensor that the function itself makes.
struct ArgSig {
  ArgType type;
  poplar::Tensor similarTensor;
  std::string debugName;
  ArgSig(ArgType argType, poplar::Tensor tensor, std::string name)
      : type(argType), similarTensor(std::move(tensor)), debugName(std::move(name)) {}
};

inline ArgSig input(poplar::Tensor similar, std::string debugName = "") {
  return ArgSig(InputArg, std::move(similar), std::move(debugName));
}
inline ArgSig inout(poplar::Tensor similar, std::string debugName = "") {
  return ArgSig(InOutArg, std::move(similar), std::move(debugName));
}
inline ArgSig output(poplar::Tensor similar, std::string debugName = "") {
  return ArgSig(OutputArg, std::move(similar), std::move(debugName));
}
inline ArgSig created(std::string debugName = "") {
  return ArgSig(CreatedArg, poplar::Tensor(), std::move(debugName));
}

using Signature = std::vector<ArgSig>;

/// The body of each kind of function may take the name to give to what it adds.
class VoidFunction {
public:
  VoidFunction(poplar::Graph& graph, Signature sig,
               std::function<void(std::vector<poplar::Tensor>&, poplar::program::Sequence&)> f,
               bool inlined = false, const poplar::DebugContext& debugContext = {});
  VoidFunction(poplar::Graph& graph, Signature sig,
               std::function<void(std::vector<poplar::Tensor>&, poplar::program::Sequence&,
                                  const poplar::DebugNameAndId&)>
                   f,
               bool inlined = false, const poplar::DebugContext& debugContext = {});

  /// Adds a call to `seq`. Output and created arguments that are not valid tensors are made.
  void operator()(std::vector<poplar::Tensor>& args, poplar::program::Sequence& seq,
                  const poplar::DebugContext& debugContext = {});

private:
  poplar::Graph& graph_;
  Signature sig_;
  std::function<void(std::vector<poplar::Tensor>&, poplar::program::Sequence&,
                     const poplar::DebugNameAndId&)>
      body_;
  bool inlined_;
  poplar::program::Sequence call_;
  std::vector<poplar::Tensor> params_;
};

class ProgramFunction {
public:
  ProgramFunction(poplar::Graph& graph, Signature sig,
                  std::function<poplar::program::Program(std::vector<poplar::Tensor>&)> f,
                  bool inlined = false, const poplar::DebugContext& debugContext = {});
  ProgramFunction(poplar::Graph& graph, Signature sig,
                  std::function<poplar::program::Program(std::vector<poplar::Tensor>&,
                                                         const poplar::DebugNameAndId&)>
                      f,
                  bool inlined = false, const poplar::DebugContext& debugContext = {});
  poplar::program::Program operator()(std::vector<poplar::Tensor>& args,
                                      const poplar::DebugContext& debugContext = {});

private:
  VoidFunction function_;
};

class TensorFunction {
public:
  TensorFunction(
      poplar::Graph& graph, Signature sig,
      std::function<poplar::Tensor(std::vector<poplar::Tensor>&, poplar::program::Sequence&)> f,
      bool inlined = false, const poplar::DebugContext& debugContext = {});
  TensorFunction(
      poplar::Graph& graph, Signature sig,
      std::function<poplar::Tensor(std::vector<poplar::Tensor>&, poplar::program::Sequence&,
                                   const poplar::DebugNameAndId&)>
          f,
      bool inlined = false, const poplar::DebugContext& debugContext = {});
  poplar::Tensor operator()(std::vector<poplar::Tensor>& args, poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {});

private:
  VoidFunction function_;
};

} // namespace graphfn
} // namespace poputil
