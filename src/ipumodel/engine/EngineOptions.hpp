// The options of an engine: Graphcore's names where it has one, ours under "ipumodel.".
#pragma once

#include "profile/BlockFilter.hpp"

#include <poplar/OptionFlags.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ipumodel {

struct EngineOptions {
  // Options of ours and the environment variables that set their defaults.
  unsigned numThreads = 0; // ipumodel.numThreads, IPUMODEL_NUM_THREADS; 0: all cores
  bool account = true;     // ipumodel.account, IPUMODEL_ACCOUNT: keep books of cycles and bytes
  std::string timesFile;   // ipumodel.timesFile, IPUMODEL_TIMES_FILE; empty: time is not measured

  std::string machine;            // ipumodel.machine: parameters, "name=value,name=value"
  std::string remoteBufferFolder; // ipumodel.remoteBufferFolder; empty: remote buffers in memory
  bool overlapRemote = false;     // ipumodel.overlapRemote: remote copies beside the program
  std::vector<std::string> partlyUsed; // ipumodel.partlyUsed: parts of variables' names

  // target.firstRuntimeReplica, target.numberRuntimeReplica: which of a graph's replicas are this
  // process's. Here they follow from the device and the launcher; an engine that says otherwise is
  // refused when it is loaded.
  std::optional<unsigned> firstReplica, numReplicas;

  bool enablePrefetch = false;   // exchange.enablePrefetch
  bool allowOutOfMemory = false; // debug.allowOutOfMemory
  bool autoReportAll = false;    // autoReport.all
  bool outputGraphProfile = false;
  bool outputExecutionProfile = false;
  std::string reportDirectory = "."; // autoReport.directory

  BlockFilter blocks; // profiler.blocks.*, profiler.programs.filter

  poplar::OptionFlags flags; // as given, with POPLAR_ENGINE_OPTIONS on top
};

// Program options first, then POPLAR_ENGINE_OPTIONS, which overrides them. Throws
// poplar::invalid_option for a key that does not exist or a value that does not fit it.
EngineOptions parseEngineOptions(const poplar::OptionFlags& given);

// The same checks for POPLAR_RUNTIME_OPTIONS and the options of a run or a load.
void checkRuntimeOptions(const poplar::OptionFlags& given);

} // namespace ipumodel
