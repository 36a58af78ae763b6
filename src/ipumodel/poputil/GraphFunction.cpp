#include <poputil/DebugInfo.hpp>
#include <poputil/GraphFunction.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {
namespace graphfn {

using poplar::DebugNameAndId;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Sequence;

VoidFunction::VoidFunction(poplar::Graph& graph, Signature sig,
                           std::function<void(std::vector<Tensor>&, Sequence&)> f, bool inlined,
                           const poplar::DebugContext& debugContext)
    : VoidFunction(
          graph, std::move(sig),
          [f](std::vector<Tensor>& args, Sequence& seq, const DebugNameAndId&) { f(args, seq); },
          inlined, debugContext) {}

VoidFunction::VoidFunction(
    poplar::Graph& graph, Signature sig,
    std::function<void(std::vector<Tensor>&, Sequence&, const DebugNameAndId&)> f, bool inlined,
    const poplar::DebugContext& debugContext)
    : graph_(graph), sig_(std::move(sig)), body_(std::move(f)), inlined_(inlined) {
  if (inlined_)
    return;
  PoplibsOpDebugInfo di(debugContext);
  for (const auto& arg : sig_)
    params_.push_back(
        arg.type == CreatedArg ? Tensor() : graph_.clone(arg.similarTensor, {di, arg.debugName}));
  Sequence body;
  body_(params_, body, {di});
  call_.add(poplar::program::Call(graph_.addFunction(body), {di}));
}

void VoidFunction::operator()(std::vector<Tensor>& args, Sequence& seq,
                              const poplar::DebugContext& debugContext) {
  if (args.size() != sig_.size())
    throw poplibs_error("Graph function called with " + std::to_string(args.size()) +
                        " arguments; its signature has " + std::to_string(sig_.size()));
  PoplibsOpDebugInfo di(debugContext);
  if (inlined_)
    return body_(args, seq, {di});
  for (std::size_t i = 0; i != args.size(); ++i)
    if (sig_[i].type == InputArg || sig_[i].type == InOutArg)
      seq.add(Copy(args[i], params_[i], false, {di}));
  seq.add(call_);
  for (std::size_t i = 0; i != args.size(); ++i) {
    if (sig_[i].type == InputArg)
      continue;
    if (sig_[i].type == CreatedArg || !args[i].valid())
      args[i] = duplicate(graph_, params_[i], seq, {di, sig_[i].debugName});
    else
      seq.add(Copy(params_[i], args[i], false, {di}));
  }
}

ProgramFunction::ProgramFunction(poplar::Graph& graph, Signature sig,
                                 std::function<poplar::program::Program(std::vector<Tensor>&)> f,
                                 bool inlined, const poplar::DebugContext& debugContext)
    : ProgramFunction(
          graph, std::move(sig),
          [f](std::vector<Tensor>& args, const DebugNameAndId&) { return f(args); }, inlined,
          debugContext) {}

ProgramFunction::ProgramFunction(
    poplar::Graph& graph, Signature sig,
    std::function<poplar::program::Program(std::vector<Tensor>&, const DebugNameAndId&)> f,
    bool inlined, const poplar::DebugContext& debugContext)
    : function_(
          graph, std::move(sig),
          [f](std::vector<Tensor>& args, Sequence& seq, const DebugNameAndId& name) {
            seq.add(f(args, name));
          },
          inlined, debugContext) {}

poplar::program::Program ProgramFunction::operator()(std::vector<Tensor>& args,
                                                     const poplar::DebugContext& debugContext) {
  Sequence seq;
  function_(args, seq, debugContext);
  return seq;
}

namespace {

Signature withResult(Signature sig) {
  sig.push_back(created("result"));
  return sig;
}

} // namespace

TensorFunction::TensorFunction(poplar::Graph& graph, Signature sig,
                               std::function<Tensor(std::vector<Tensor>&, Sequence&)> f,
                               bool inlined, const poplar::DebugContext& debugContext)
    : TensorFunction(
          graph, std::move(sig),
          [f](std::vector<Tensor>& args, Sequence& seq, const DebugNameAndId&) {
            return f(args, seq);
          },
          inlined, debugContext) {}

TensorFunction::TensorFunction(
    poplar::Graph& graph, Signature sig,
    std::function<Tensor(std::vector<Tensor>&, Sequence&, const DebugNameAndId&)> f, bool inlined,
    const poplar::DebugContext& debugContext)
    : function_(
          graph, withResult(std::move(sig)),
          [f](std::vector<Tensor>& args, Sequence& seq, const DebugNameAndId& name) {
            auto own = args;
            own.pop_back();
            args.back() = f(own, seq, name);
          },
          inlined, debugContext) {}

Tensor TensorFunction::operator()(std::vector<Tensor>& args, Sequence& prog,
                                  const poplar::DebugContext& debugContext) {
  auto withOut = args;
  withOut.emplace_back();
  function_(withOut, prog, debugContext);
  const auto result = withOut.back();
  withOut.pop_back();
  args = withOut;
  return result;
}

} // namespace graphfn
} // namespace poputil
