#include "engine/EngineImpl.hpp"
#include "graph/Access.hpp"

#include <poplar/Engine.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {

using ipumodel::EngineImpl;

Engine::Engine(const Graph& graph, ArrayRef<program::Program> progs, const OptionFlags& opt,
               ProgressFunc progressCallBack, const DebugContext& debugContext)
    : Engine(compileGraph(graph, progs, opt, std::move(progressCallBack), debugContext), opt) {}
Engine::Engine(const Graph& graph, program::Program prog, const OptionFlags& opt,
               ProgressFunc progressCallBack, const DebugContext& debugContext)
    : Engine(graph, ArrayRef<program::Program>(&prog, 1), opt, std::move(progressCallBack),
             debugContext) {}
Engine::Engine(Graph&& graph, ArrayRef<program::Program> progs, const OptionFlags& opt,
               ProgressFunc progressCallBack, const DebugContext& debugContext)
    : Engine(static_cast<const Graph&>(graph), progs, opt, std::move(progressCallBack),
             debugContext) {}
Engine::Engine(Graph&& graph, program::Program prog, const OptionFlags& opt,
               ProgressFunc progressCallBack, const DebugContext& debugContext)
    : Engine(static_cast<const Graph&>(graph), std::move(prog), opt, std::move(progressCallBack),
             debugContext) {}
Engine::Engine(Executable&& executable, const OptionFlags& opt)
    : Engine(static_cast<const Executable&>(executable), opt) {}
Engine::Engine(const Executable& executable, const OptionFlags& opt) {
  if (!executable.getImpl())
    throw poplar_error("an engine cannot be made of an empty executable");
  // Options given when compiling hold unless they are given again.
  OptionFlags flags = executable.getImpl()->options;
  for (const auto& flag : opt)
    flags.set(flag.first, flag.second);
  impl_ = std::make_unique<EngineImpl>(executable.getImpl(), ipumodel::parseEngineOptions(flags));
}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

void Engine::prepare(const Device& device) {
  prepare(device, RuntimeOptions());
}
void Engine::prepare(const Device& device, const RuntimeOptions& options) {
  load(device, options);
}
void Engine::deploy() {} // prepare() has put everything in its place
void Engine::load(const Device& device) {
  load(device, RuntimeOptions());
}
void Engine::load(const Device& device, const RuntimeOptions& options) {
  ipumodel::checkRuntimeOptions(options.flags());
  impl_->load(device.getTarget());
}

void Engine::run(unsigned prog, const std::string& debugName) {
  impl_->run(prog, debugName);
}
void Engine::run(unsigned prog, const std::string& debugName, const RuntimeOptions& options) {
  ipumodel::checkRuntimeOptions(options.flags());
  impl_->run(prog, debugName);
}
void Engine::loadAndRun(const Device& device, unsigned prog) {
  load(device);
  run(prog);
}
void Engine::stop() {
  impl_->stop();
}

void Engine::readTensor(StringRef handle, void* buf, void* bufEnd) {
  impl_->readTensor(handle, buf, bufEnd);
}
void Engine::readTensor(StringRef handle, void* buf) {
  impl_->readTensor(handle, buf, nullptr);
}
void Engine::writeTensor(StringRef handle, const void* buf, const void* bufEnd) {
  impl_->writeTensor(handle, buf, bufEnd);
}
void Engine::readTensor(StringRef handle, QuarterMetadata& metadata, void* buf, void* bufEnd) {
  impl_->readTensor(handle, buf, bufEnd);
  // One for each replica; they were written alike.
  std::vector<std::uint8_t> binary(impl_->numReplicas());
  impl_->readTensor(handle.cloneAsString() + "/metadata", binary.data(), nullptr);
  metadata = QuarterMetadata(binary.front());
}
void Engine::writeTensor(StringRef handle, const QuarterMetadata& metadata, const void* buf,
                         const void* bufEnd) {
  impl_->writeTensor(handle, buf, bufEnd);
  const std::vector<std::uint8_t> binary(impl_->numReplicas(), metadata.getBinary());
  impl_->writeTensor(handle.cloneAsString() + "/metadata", binary.data(), nullptr);
}
void Engine::writeTensor(StringRef handle, const void* buf) {
  impl_->writeTensor(handle, buf, nullptr);
}

void Engine::connectStream(StringRef handle, void* begin, void* end) {
  impl_->host().streams.connectRange(
      handle, begin, static_cast<std::size_t>(static_cast<char*>(end) - static_cast<char*>(begin)));
}
void Engine::connectStream(StringRef handle, void* p) {
  impl_->host().streams.connectPointer(handle, p);
}
void Engine::connectStreamToCallback(StringRef handle, StreamCallbackHandle f) {
  impl_->host().streams.connectCallback(handle, f.callback());
}
void Engine::connectStreamToCallback(StringRef handle, unsigned index, StreamCallbackHandle f) {
  impl_->host().streams.connectCallback(handle, index, f.callback());
}

void Engine::copyFromRemoteBuffer(StringRef handle, void* w, std::uint64_t repeatIndex,
                                  unsigned replicationIndex) {
  impl_->readRemote(handle, repeatIndex, replicationIndex, w);
}
void Engine::copyToRemoteBuffer(const void* w, StringRef handle, std::uint64_t repeatIndex,
                                unsigned replicationIndex) {
  impl_->writeRemote(handle, repeatIndex, replicationIndex, w);
}

void Engine::connectHostFunction(StringRef handle, unsigned index, HostCallbackHandle f) {
  impl_->host().functions.connect(handle, index, f.callback());
}

void Engine::setPrintStream(std::ostream& stream) {
  impl_->host().printStream = &stream;
}
void Engine::setPrintTensorStream(std::ostream& stream) {
  impl_->host().printStream = &stream;
}

std::vector<std::string> Engine::listStreams() const {
  std::vector<std::string> handles;
  for (const ipumodel::LoweredStream& stream : impl_->executable().program.streams)
    handles.push_back(stream.handle);
  return handles;
}
const OptionFlags& Engine::getEngineOptions() const {
  return impl_->options().flags;
}

std::string Engine::reportTiming(const TimerTimePoint& start, const TimerTimePoint& end) {
  const std::chrono::duration<double> seconds = end.time() - start.time();
  return std::to_string(seconds.count()) + " s";
}

void Engine::resetExecutionProfile() {
  if (ipumodel::Account* account = impl_->account())
    account->reset();
}
void Engine::disableExecutionProfiling() {
  impl_->setProfiling(false);
}
void Engine::enableExecutionProfiling() {
  impl_->setProfiling(true);
}

} // namespace poplar

namespace ipumodel {

TransferStalls transferStalls(const poplar::Engine& engine) {
  return engine.getImpl().transferStalls();
}

} // namespace ipumodel
