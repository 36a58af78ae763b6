// Loads a compiled graph onto a device and runs its programs.
#pragma once

#include <poplar/Device.hpp>
#include <poplar/Executable.hpp>
#include <poplar/Graph.hpp>
#include <poplar/HostFunctionCallback.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/ProfileValue.hpp>
#include <poplar/Program.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/RuntimeOptions.hpp>
#include <poplar/StreamCallback.hpp>
#include <poplar/exceptions.hpp>

#include <gccs/ArrayRef.hpp>

#include <chrono>
#include <unordered_set>

namespace ipumodel {
class EngineImpl;
}

namespace pva {
class Report;
}

namespace poplar {

class Engine {
public:
  typedef poplar::ProgressFunc ProgressFunc;

  class TimerTimePoint {
  public:
    TimerTimePoint() : time_(std::chrono::steady_clock::now()) {}
    std::chrono::steady_clock::time_point time() const { return time_; }

  private:
    std::chrono::steady_clock::time_point time_;
  };

  /// Compiles. Throws by class when the graph breaks a rule, and invalid_option for an unknown
  /// option.
  Engine(const Graph& graph, ArrayRef<program::Program> progs, const OptionFlags& opt = {},
         ProgressFunc progressCallBack = ProgressFunc(), const DebugContext& debugContext = {});
  Engine(const Graph& graph, program::Program prog, const OptionFlags& opt = {},
         ProgressFunc progressCallBack = ProgressFunc(), const DebugContext& debugContext = {});
  Engine(Graph&& graph, ArrayRef<program::Program> progs, const OptionFlags& opt = {},
         ProgressFunc progressCallBack = ProgressFunc(), const DebugContext& debugContext = {});
  Engine(Graph&& graph, program::Program prog, const OptionFlags& opt = {},
         ProgressFunc progressCallBack = ProgressFunc(), const DebugContext& debugContext = {});
  Engine(Executable&& executable, const OptionFlags& opt = {});
  Engine(const Executable& executable, const OptionFlags& opt = {});
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  void prepare(const Device& device);
  void prepare(const Device& device, const RuntimeOptions& options);
  void deploy();

  /// prepare and deploy: puts every variable and every vertex field back to its initial value. May
  /// be called again. Streams stay connected and remote buffers keep their contents.
  void load(const Device& device);
  void load(const Device& device, const RuntimeOptions& options);

  /// Runs a program to its end. Throws application_runtime_error when it aborts.
  void run(unsigned prog = 0, const std::string& debugName = "");
  void run(unsigned prog, const std::string& debugName, const RuntimeOptions& options);
  void loadAndRun(const Device& device, unsigned prog = 0);

  /// Asks a running program, from another thread or a callback, to stop at its next step.
  void stop();

  /// Tensors by the handles of createHostRead and createHostWrite: all elements in row-major order,
  /// replica after replica. Throws stream_connection_error for an unknown handle or a range of
  /// another size.
  void readTensor(StringRef handle, void* buf, void* bufEnd);
  void readTensor(StringRef handle, void* buf);
  template <typename T>
  void readTensor(StringRef handle, ArrayRef<T> buf) {
    T* begin = const_cast<T*>(buf.data());
    readTensor(handle, static_cast<void*>(begin), static_cast<void*>(begin + buf.size()));
  }
  void writeTensor(StringRef handle, const void* buf, const void* bufEnd);
  void writeTensor(StringRef handle, const void* buf);
  template <typename T>
  void writeTensor(StringRef handle, ArrayRef<T> buf) {
    writeTensor(handle, static_cast<const void*>(buf.data()),
                static_cast<const void*>(buf.data() + buf.size()));
  }

  /// The same for tensors of type QUARTER, with their metadata.
  void readTensor(StringRef handle, QuarterMetadata& metadata, void* buf, void* bufEnd);
  void writeTensor(StringRef handle, const QuarterMetadata& metadata, const void* buf,
                   const void* bufEnd);

  /// A circular buffer: each transfer takes the next part and wraps at the end. With replicas,
  /// their parts of one transfer follow one another.
  void connectStream(StringRef handle, void* begin, void* end);
  void connectStream(StringRef handle, void* p);
  template <typename T>
  void connectStream(StringRef handle, ArrayRef<T> data) {
    T* begin = const_cast<T*>(data.data());
    connectStream(handle, static_cast<void*>(begin), static_cast<void*>(begin + data.size()));
  }
  /// Without an index the callback serves all replicas, one after another.
  void connectStreamToCallback(StringRef handle, StreamCallbackHandle f);
  void connectStreamToCallback(StringRef handle, unsigned index, StreamCallbackHandle f);

  /// The stream itself stands for its handle.
  void connectStream(const DataStream& stream, void* begin, void* end) {
    connectStream(stream.handle(), begin, end);
  }
  void connectStream(const DataStream& stream, void* p) { connectStream(stream.handle(), p); }
  template <typename T>
  void connectStream(const DataStream& stream, ArrayRef<T> data) {
    connectStream(stream.handle(), data);
  }
  void connectStreamToCallback(const DataStream& stream, StreamCallbackHandle f) {
    connectStreamToCallback(stream.handle(), std::move(f));
  }
  void connectStreamToCallback(const DataStream& stream, unsigned index, StreamCallbackHandle f) {
    connectStreamToCallback(stream.handle(), index, std::move(f));
  }

  void copyFromRemoteBuffer(StringRef handle, void* w, std::uint64_t repeatIndex,
                            unsigned replicationIndex = 0);
  template <typename T>
  void copyFromRemoteBuffer(StringRef handle, ArrayRef<T> w, std::uint64_t repeatIndex,
                            unsigned replicationIndex = 0) {
    copyFromRemoteBuffer(handle, static_cast<void*>(const_cast<T*>(w.data())), repeatIndex,
                         replicationIndex);
  }
  void copyToRemoteBuffer(const void* w, StringRef handle, std::uint64_t repeatIndex,
                          unsigned replicationIndex = 0);
  template <typename T>
  void copyToRemoteBuffer(ArrayRef<T> w, StringRef handle, std::uint64_t repeatIndex,
                          unsigned replicationIndex = 0) {
    copyToRemoteBuffer(static_cast<const void*>(w.data()), handle, repeatIndex, replicationIndex);
  }

  void connectHostFunction(StringRef handle, unsigned index, HostCallbackHandle f);

  /// Where Print programs write; std::cerr at first.
  void setPrintStream(std::ostream& stream);
  void setPrintTensorStream(std::ostream& stream);

  /// Handles of all streams.
  std::vector<std::string> listStreams() const;
  const OptionFlags& getEngineOptions() const;

  static TimerTimePoint getTimeStamp() { return TimerTimePoint(); }
  static std::string reportTiming(const TimerTimePoint& start, const TimerTimePoint& end);

  /// The profile so far, by the names of Graphcore's libpva; include <pva/pva.hpp>. Every figure is
  /// modelled. Throws poplar_error for a deserialised executable.
  pva::Report getReport(bool reportExecution = true);

  /// The same as text. Options: showExecutionSteps, showVarStorage, showOptimizations and (ours)
  /// showMachine, which lists the machine's parameters and their sources.
  void printProfileSummary(std::ostream& outputStream, const OptionFlags& opts = {});

  /// The same as trees with the field names of the old graph.json and execution.json.
  ProfileValue getGraphProfile();
  ProfileValue getExecutionProfile();
  /// Both: {"graphProfile": .., "executionProfile": ..}.
  ProfileValue getProfile();

  /// Rows of comma-separated numbers: begin and end in cycles, tiles that compute, tiles that wait
  /// for others, tiles that exchange.
  void reportIntervals(std::ostream& outputStream);

  void resetExecutionProfile();
  void disableExecutionProfiling();
  void enableExecutionProfiling();

  /// For the library itself.
  ipumodel::EngineImpl& getImpl() const { return *impl_; }

private:
  std::unique_ptr<ipumodel::EngineImpl> impl_;
};

/// Text of profiles that were kept: of a file, as Engine::printProfileSummary writes it, or of the
/// trees of an engine, in short. Options are those of Engine::printProfileSummary.
void printGraphSummary(std::ostream& out, const std::string& profilePath,
                       const OptionFlags& opts = {});
void printProfileSummary(std::ostream& out, const std::string& profilePath,
                         const OptionFlags& opts = {});
void printGraphSummary(std::ostream& out, const ProfileValue& graphProfile,
                       const OptionFlags& opts = {});
void printExecutionSummary(std::ostream& out, const ProfileValue& graphProfile,
                           const ProfileValue& executionProfile, const OptionFlags& opts = {});
void printProfileSummary(std::ostream& out, const ProfileValue& graphProfile,
                         const ProfileValue& executionProfile, const OptionFlags& opts = {});

} // namespace poplar
