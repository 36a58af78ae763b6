// Building program trees, with the checks that need no graph.
#include "graph/Access.hpp"

#include <poplar/Program.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>

namespace poplar {
namespace program {
namespace {

using ipumodel::ProgramNode;
using ipumodel::ProgramPtr;
using ipumodel::View;
using ipumodel::viewOf;
namespace node = ipumodel::node;

template <class Op>
ProgramPtr make(Op op, const DebugContext& debugContext, ipumodel::GraphOrigin graph = {}) {
  return std::make_shared<const ProgramNode>(
      ProgramNode{debugContext.getPathName(), std::move(op), std::move(graph)});
}

// make() for a program that uses those tensors.
template <class Op>
ProgramPtr make(const char* kind, Op op, ArrayRef<const Tensor*> tensors,
                const DebugContext& debugContext) {
  return make(std::move(op), debugContext,
              ipumodel::originOf(kind, debugContext.getPathName(), tensors));
}

// The graph of both tensors. REQUIRES, or throws: type and number of elements are the same.
ipumodel::GraphOrigin originOfAlike(const char* kind, const Tensor& src, const Tensor& dst,
                                    const DebugContext& debugContext) {
  auto origin = ipumodel::originOf(kind, debugContext.getPathName(), {&src, &dst});
  if (src.elementType() != dst.elementType())
    throw type_error(std::string(kind) + " '" + debugContext.getPathName() + "' from " +
                     src.getDebugStr() + " to " + dst.getDebugStr() +
                     ": their element types differ");
  if (src.numElements() != dst.numElements())
    throw control_program_error(std::string(kind) + " '" + debugContext.getPathName() + "' from " +
                                src.getDebugStr() + " to " + dst.getDebugStr() +
                                ": their numbers of elements differ");
  return origin;
}

ProgramPtr copyNode(const Tensor& src, const Tensor& dst, const DebugContext& debugContext) {
  auto origin = originOfAlike("Copy", src, dst, debugContext);
  return make(node::CopyTensor{viewOf(src), viewOf(dst)}, debugContext, std::move(origin));
}

// A Copy whose other side is a stream or a buffer of `numElements`.
void requireSame(const char* what, const std::string& handle, Type type, std::size_t numElements,
                 const Tensor& t) {
  if (type != t.elementType())
    throw type_error(std::string("Copy between ") + what + " '" + handle + "' of type " +
                     type.toString() + " and tensor " + t.getDebugStr() +
                     ": their element types differ");
  if (numElements != t.numElements())
    throw control_program_error(std::string("Copy between ") + what + " '" + handle + "' of " +
                                std::to_string(numElements) + " elements and tensor " +
                                t.getDebugStr() + ": their numbers of elements differ");
}

std::optional<View> remoteRows(const RemoteBuffer& buffer, const Tensor& t, const Tensor* offset) {
  if (!offset) {
    if (buffer.getRepeats() != 1)
      throw control_program_error("Copy between remote buffer '" + buffer.handle() + "' of " +
                                  std::to_string(buffer.getRepeats()) + " rows and tensor " +
                                  t.getDebugStr() + " needs an offset that names the row");
    requireSame("remote buffer", buffer.handle(), buffer.elementType(), buffer.numElements(), t);
    return std::nullopt;
  }
  if (offset->elementType() != UNSIGNED_INT && offset->elementType() != INT)
    throw type_error("offset " + offset->getDebugStr() + " into remote buffer '" + buffer.handle() +
                     "' must be INT or UNSIGNED_INT");
  if (offset->rank() > 1)
    throw control_program_error("offset " + offset->getDebugStr() + " into remote buffer '" +
                                buffer.handle() + "' must be a scalar or a vector");
  requireSame("remote buffer", buffer.handle(), buffer.elementType(),
              buffer.numElements() * offset->numElements(), t);
  return viewOf(*offset);
}

const View& predicateOf(const char* program, const Tensor& t) {
  const Type type = t.elementType();
  if (t.numElements() != 1)
    throw control_program_error(std::string(program) + " takes a predicate of one element, not " +
                                t.getDebugStr());
  if (type != BOOL && type != INT && type != UNSIGNED_INT && type != FLOAT)
    throw control_program_error(
        std::string(program) + " takes a predicate of type BOOL, INT, UNSIGNED_INT or FLOAT, not " +
        t.getDebugStr());
  return viewOf(t);
}

} // namespace

Program::Program() = default;
Program::Program(const Program&) = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(const Program&) = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;
Program::Program(ProgramPtr node) : node_(std::move(node)) {}

bool Program::isEmpty() const {
  if (!node_)
    return true;
  const auto* sequence = std::get_if<node::Sequence>(&node_->op);
  return sequence && sequence->steps.empty();
}

Execute::Execute(ComputeSet cs, const DebugContext& debugContext)
    : Program(make(node::Execute{ipumodel::ComputeSetId{cs.getId()}, std::nullopt}, debugContext)) {
}
Execute::Execute(ComputeSet cs, Tensor exitValue, const DebugContext& debugContext)
    : Program(make("Execute",
                   node::Execute{ipumodel::ComputeSetId{cs.getId()},
                                 predicateOf("the exit value of Execute", exitValue)},
                   {&exitValue}, debugContext)) {}

Sequence::Sequence(const DebugContext& debugContext)
    : Program(std::make_shared<ProgramNode>(
          ProgramNode{debugContext.getPathName(), node::Sequence{}})) {}
Sequence::Sequence(std::initializer_list<Program> programs, const DebugContext& debugContext)
    : Sequence(debugContext) {
  for (const Program& p : programs)
    add(p);
}

void Sequence::add(const Program& p) {
  const ProgramPtr step = p.getImpl(); // p may be this sequence
  // Programs are values: whoever holds this sequence already keeps it as it is.
  if (!node_ || node_.use_count() > 1)
    node_ = node_ ? std::make_shared<ProgramNode>(*node_)
                  : std::make_shared<ProgramNode>(ProgramNode{"", node::Sequence{}});
  if (step)
    std::get<node::Sequence>(const_cast<ProgramNode&>(*node_).op).steps.push_back(step);
}

Repeat::Repeat(unsigned count, const Program& p, const DebugContext& debugContext)
    : Program(make(node::Repeat{count, p.getImpl()}, debugContext)) {}

// More rounds than any run has time for.
Loop::Loop(const Program& p, const DebugContext& debugContext)
    : Program(Repeat(~0u, Repeat(~0u, p), debugContext)) {}

RepeatWhileFalse::RepeatWhileFalse(const Program& cond, Tensor predicate, const Program& body,
                                   const DebugContext& debugContext)
    : Program(make("RepeatWhileFalse",
                   node::RepeatWhile{cond.getImpl(), predicateOf("RepeatWhileFalse", predicate),
                                     false, body.getImpl()},
                   {&predicate}, debugContext)) {}
RepeatWhileTrue::RepeatWhileTrue(const Program& cond, Tensor predicate, const Program& body,
                                 const DebugContext& debugContext)
    : Program(make("RepeatWhileTrue",
                   node::RepeatWhile{cond.getImpl(), predicateOf("RepeatWhileTrue", predicate),
                                     true, body.getImpl()},
                   {&predicate}, debugContext)) {}

If::If(Tensor predicate, const Program& trueBody, const Program& falseBody,
       const DebugContext& debugContext)
    : Program(make("If",
                   node::If{predicateOf("If", predicate), trueBody.getImpl(), falseBody.getImpl()},
                   {&predicate}, debugContext)) {}

Copy::Copy(Tensor src, Tensor dst, bool, const DebugContext& debugContext)
    : Program(copyNode(src, dst, debugContext)) {}
Copy::Copy(const DataStream& stream, Tensor dst, bool, const DebugContext& debugContext) {
  requireSame("stream", stream.handle(), stream.elementType(), stream.numElements(), dst);
  if (!isHostToDevice(stream.type()))
    throw control_program_error("Copy from stream '" + stream.handle() +
                                "', which goes from the device to the host");
  node_ = make("Copy", node::CopyFromStream{ipumodel::StreamId{stream.getId()}, viewOf(dst)},
               {&dst}, debugContext);
}
Copy::Copy(Tensor src, const DataStream& stream, bool, const DebugContext& debugContext) {
  requireSame("stream", stream.handle(), stream.elementType(), stream.numElements(), src);
  if (!isDeviceToHost(stream.type()))
    throw control_program_error("Copy to stream '" + stream.handle() +
                                "', which goes from the host to the device");
  node_ = make("Copy", node::CopyToStream{viewOf(src), ipumodel::StreamId{stream.getId()}}, {&src},
               debugContext);
}
Copy::Copy(const RemoteBuffer& buffer, Tensor dst, const DebugContext& debugContext)
    : Program(make("Copy",
                   node::CopyFromRemote{ipumodel::RemoteBufferId{buffer.getId()}, viewOf(dst),
                                        remoteRows(buffer, dst, nullptr)},
                   {&dst}, debugContext)) {}
Copy::Copy(const RemoteBuffer& buffer, Tensor dst, Tensor offset, const DebugContext& debugContext)
    : Program(make("Copy",
                   node::CopyFromRemote{ipumodel::RemoteBufferId{buffer.getId()}, viewOf(dst),
                                        remoteRows(buffer, dst, &offset)},
                   {&dst, &offset}, debugContext)) {}
Copy::Copy(Tensor src, const RemoteBuffer& buffer, const DebugContext& debugContext)
    : Program(make("Copy",
                   node::CopyToRemote{viewOf(src), ipumodel::RemoteBufferId{buffer.getId()},
                                      remoteRows(buffer, src, nullptr)},
                   {&src}, debugContext)) {}
Copy::Copy(Tensor src, const RemoteBuffer& buffer, Tensor offset, const DebugContext& debugContext)
    : Program(make("Copy",
                   node::CopyToRemote{viewOf(src), ipumodel::RemoteBufferId{buffer.getId()},
                                      remoteRows(buffer, src, &offset)},
                   {&src, &offset}, debugContext)) {}
Copy::Copy(const FunctionBuffer& buffer, const Function& function, const DebugContext& debugContext)
    : Program(make(node::Sequence{}, debugContext)) {
  if (buffer.getId() != function.getId())
    throw control_program_error("Copy to a function from the buffer of another one");
}

CrossReplicaCopy::CrossReplicaCopy(Tensor src, Tensor dst, std::map<unsigned, unsigned> replicaMap,
                                   const DebugContext& debugContext) {
  auto origin = originOfAlike("CrossReplicaCopy", src, dst, debugContext);
  node::CrossReplicaCopy copy{viewOf(src), viewOf(dst), {}};
  // The map says where each replica's data goes.
  for (const auto& [from, to] : replicaMap)
    copy.sourceOf.emplace_back(to, from);
  std::sort(copy.sourceOf.begin(), copy.sourceOf.end());
  node_ = make(std::move(copy), debugContext, std::move(origin));
}

WriteUndef::WriteUndef(Tensor t, const DebugContext& debugContext)
    : Program(make("WriteUndef", node::WriteUndef{viewOf(t)}, {&t}, debugContext)) {}
AssumeEqualAcrossReplicas::AssumeEqualAcrossReplicas(Tensor t, const DebugContext& debugContext)
    : Program(make("AssumeEqualAcrossReplicas", node::AssumeEqualAcrossReplicas{viewOf(t)}, {&t},
                   debugContext)) {}
Block::Block(const Program& p, const DebugContext& debugContext)
    : Program(make(node::Block{p.getImpl()}, debugContext)) {}
Sync::Sync(SyncType type, const DebugContext& debugContext)
    : Program(make(node::Sync{type != SyncType::INTERNAL}, debugContext)) {}

Call::Call(Function f, const DebugContext& debugContext)
    : Program(make(node::CallFunction{ipumodel::FunctionId{f.getId()}}, debugContext)) {}
Call::Call(HostFunction f, ArrayRef<Tensor> inputs, ArrayRef<Tensor> outputs,
           const DebugContext& debugContext) {
  node::CallHostFunction call{ipumodel::HostFunctionId{f.getId()}, {}, {}};
  std::vector<const Tensor*> all;
  for (const Tensor& t : inputs) {
    call.inputs.push_back(viewOf(t));
    all.push_back(&t);
  }
  for (const Tensor& t : outputs) {
    call.outputs.push_back(viewOf(t));
    all.push_back(&t);
  }
  node_ = make("Call", std::move(call), all, debugContext);
}

PrintTensor::PrintTensor(Tensor t, const DebugContext& debugContext)
    : PrintTensor(StringRef(debugContext.getPathName()), t, PrintTensorFmt(), debugContext) {}
PrintTensor::PrintTensor(Tensor t, const PrintTensorFmt& fmt, const DebugContext& debugContext)
    : PrintTensor(StringRef(debugContext.getPathName()), t, fmt, debugContext) {}
PrintTensor::PrintTensor(StringRef title, Tensor t, const DebugContext& debugContext)
    : PrintTensor(title, t, PrintTensorFmt(), debugContext) {}
PrintTensor::PrintTensor(StringRef title, Tensor t, const PrintTensorFmt& fmt,
                         const DebugContext& debugContext)
    : Program(make("PrintTensor", node::PrintTensor{title, viewOf(t), fmt}, {&t}, debugContext)) {}

ErrorProgram::ErrorProgram(StringRef message, Tensor t, const DebugContext& debugContext) {
  Sequence both(debugContext);
  both.add(PrintTensor(message, t, debugContext));
  both.add(Abort(message.cloneAsString(), debugContext));
  node_ = both.getImpl();
}

Abort::Abort(const DebugContext& debugContext) : Abort(std::string(), debugContext) {}
Abort::Abort(const char* message, const DebugContext& debugContext)
    : Abort(std::string(message), debugContext) {}
Abort::Abort(const std::string& message, const DebugContext& debugContext)
    : Program(make(node::Abort{message}, debugContext)) {}

AbortOnCondition::AbortOnCondition(Tensor predicate, const DebugContext& debugContext)
    : AbortOnCondition(predicate, std::string(), debugContext) {}
AbortOnCondition::AbortOnCondition(Tensor predicate, const char* message,
                                   const DebugContext& debugContext)
    : AbortOnCondition(predicate, std::string(message), debugContext) {}
AbortOnCondition::AbortOnCondition(Tensor predicate, const std::string& message,
                                   const DebugContext& debugContext)
    : Program(make("AbortOnCondition",
                   node::AbortOnCondition{predicateOf("AbortOnCondition", predicate), message},
                   {&predicate}, debugContext)) {}

} // namespace program
} // namespace poplar
