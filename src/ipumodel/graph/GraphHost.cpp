// What a graph shares with the host: handles, streams, remote buffers, functions.
#include "graph/Access.hpp"
#include "graph/SameGraph.hpp"
#include "graph/ViewQueries.hpp"

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/exceptions.hpp>

#include <algorithm>

namespace poplar {
namespace {

using ipumodel::GraphData;
using ipumodel::viewOf;

// Streams, remote buffers and host functions share one space of names.
void requireNewHandle(const GraphData& graph, const std::string& handle) {
  const auto has = [&](const auto& list) {
    return std::any_of(list.begin(), list.end(), [&](const auto& x) { return x.handle == handle; });
  };
  if (has(graph.streams))
    throw stream_connection_error("there is already a stream with handle '" + handle + "'");
  if (has(graph.remoteBuffers))
    throw stream_connection_error("there is already a remote buffer with handle '" + handle + "'");
  if (has(graph.hostFunctions))
    throw stream_connection_error("there is already a host function with handle '" + handle + "'");
}

// A handle stands for one tensor, whether it is read, written or both.
void setView(ipumodel::HostAccess& access, const std::string& handle, const Tensor& t) {
  if ((access.canRead || access.canWrite) && !sameElements(access.view, viewOf(t)))
    throw stream_connection_error("host handle '" + handle +
                                  "' already stands for another tensor than " + t.getVarStr());
  access.view = viewOf(t);
}

DataStream addStream(GraphData& graph, std::string handle, const Type& type,
                     std::size_t numElements, DataStreamType direction, ReplicatedStreamMode mode,
                     const OptionFlags& options) {
  requireNewHandle(graph, handle);
  static const char* const kKnown[] = {"splitLimit", "bufferingDepth", "addressSpace",
                                       "exchangeBlocks"};
  for (const auto& [option, value] : options)
    if (std::find(std::begin(kKnown), std::end(kKnown), option) == std::end(kKnown))
      throw invalid_option(
          "unrecognised option '" + option + "' of stream '" + handle +
          "'; it must be splitLimit, bufferingDepth, addressSpace or exchangeBlocks");
  const auto id = static_cast<unsigned>(graph.streams.size());
  graph.streams.push_back({handle,
                           isHostToDevice(direction) ? ipumodel::StreamDirection::HostToDevice
                                                     : ipumodel::StreamDirection::DeviceToHost,
                           type, numElements,
                           mode == ReplicatedStreamMode::BROADCAST
                               ? ipumodel::StreamReplication::Broadcast
                               : ipumodel::StreamReplication::PerReplica});
  return DataStream(id, std::move(handle), type, numElements, graph.replicationFactor, mode,
                    direction);
}

} // namespace

void Graph::createHostWrite(StringRef handle, const Tensor& t, bool) {
  viewIn(*data_, t, "createHostWrite");
  ipumodel::HostAccess& access = data_->hostAccess[handle.cloneAsString()];
  if (access.canWrite)
    throw stream_connection_error("there is already a host write with handle '" + handle + "'");
  if (t.containsConstant())
    throw poplar_error("host write '" + handle.cloneAsString() + "' to constant tensor " +
                       t.getVarStr());
  if (t.containsAliases())
    throw poplar_error("host write '" + handle.cloneAsString() + "' to tensor " + t.getVarStr() +
                       ", in which elements occur more than once");
  setView(access, handle, t);
  access.canWrite = true;
  if (t.hasMetadata())
    createHostWrite(handle + "/metadata", t.getMetadata());
}

void Graph::createHostRead(StringRef handle, const Tensor& t, bool) {
  viewIn(*data_, t, "createHostRead");
  ipumodel::HostAccess& access = data_->hostAccess[handle.cloneAsString()];
  if (access.canRead)
    throw stream_connection_error("there is already a host read with handle '" + handle + "'");
  setView(access, handle, t);
  access.canRead = true;
  if (t.hasMetadata())
    createHostRead(handle + "/metadata", t.getMetadata());
}

DataStream Graph::addHostToDeviceFIFO(StringRef handle, const Type& elementType,
                                      std::size_t numElements, ReplicatedStreamMode replicatedMode,
                                      const OptionFlags& options) {
  return addStream(*data_, handle, elementType, numElements, DataStreamType::HostToDeviceFIFO,
                   replicatedMode, options);
}

DataStream Graph::addDeviceToHostFIFO(StringRef handle, const Type& elementType,
                                      std::size_t numElements, const OptionFlags& options) {
  return addStream(*data_, handle, elementType, numElements, DataStreamType::DeviceToHostFIFO,
                   ReplicatedStreamMode::REPLICATE, options);
}

RemoteBuffer Graph::addRemoteBuffer(StringRef handle, const Type& elementType,
                                    std::size_t numElements, std::size_t repeats,
                                    bool rearrangeOnHost, bool optimiseMemory) {
  requireNewHandle(*data_, handle);
  if (repeats == 0)
    throw poplar_error("remote buffer '" + handle.cloneAsString() +
                       "' of 0 rows; it must have at least 1");
  const auto id = static_cast<unsigned>(data_->remoteBuffers.size());
  data_->remoteBuffers.push_back({handle, elementType, numElements, repeats});
  return RemoteBuffer(id, handle, elementType, numElements, repeats, rearrangeOnHost,
                      optimiseMemory);
}

HostFunction Graph::addHostFunction(StringRef handle, ArrayRef<HostFunctionArgument> inputs,
                                    ArrayRef<HostFunctionArgument> outputs) {
  requireNewHandle(*data_, handle);
  ipumodel::HostFunctionData function{handle, {}, {}};
  for (const HostFunctionArgument& a : inputs)
    function.inputs.push_back({a.elementType, a.numElements});
  for (const HostFunctionArgument& a : outputs)
    function.outputs.push_back({a.elementType, a.numElements});
  data_->hostFunctions.push_back(std::move(function));
  return HostFunction(static_cast<unsigned>(data_->hostFunctions.size() - 1));
}

Function Graph::addFunction(const program::Program& program) {
  data_->functions.push_back(ipumodel::nodeOf(program));
  return Function(static_cast<unsigned>(data_->functions.size() - 1));
}

FunctionBuffer Graph::addFunctionBuffer(const Function& function, FunctionBufferMappingType) {
  if (function.getId() >= data_->functions.size())
    throw poplar_error("addFunctionBuffer: the function is not of this graph");
  return FunctionBuffer(function.getId());
}

std::string toString(DataStreamType type) {
  switch (type) {
  case DataStreamType::HostToDeviceFIFO:
    return "HostToDeviceFIFO";
  case DataStreamType::DeviceToHostFIFO:
    return "DeviceToHostFIFO";
  case DataStreamType::HostToDeviceBuffer:
    return "HostToDeviceBuffer";
  case DataStreamType::DeviceToHostBuffer:
    return "DeviceToHostBuffer";
  }
  throw poplar_error("unknown DataStreamType");
}
std::ostream& operator<<(std::ostream& os, DataStreamType type) {
  return os << toString(type);
}

} // namespace poplar
