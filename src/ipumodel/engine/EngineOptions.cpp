#include "engine/EngineOptions.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace ipumodel {

namespace {

// Every key an engine takes. Most describe how the SDK compiles or instruments; they are accepted
// and change nothing here, since there is one way to run on the model.
constexpr auto kKnown = std::to_array<std::string_view>({
    "autoReport.all",
    "autoReport.directory",
    "autoReport.executionProfileProgramRunCount",
    "autoReport.outputArchive",
    "autoReport.outputDebugInfo",
    "autoReport.outputExecutionProfile",
    "autoReport.outputGraphProfile",
    "autoReport.outputLoweredVars",
    "autoReport.outputSerializedGraph",
    "autoReport.streamAtEachRun",
    "debug.allowOutOfMemory",
    "debug.branchRecordTile",
    "debug.checkForSOCErrorAtRun",
    "debug.computeInstrumentationLevel",
    "debug.cpuMultiThreadExecution",
    "debug.exceptOnSOCError",
    "debug.externalExchangeInstrumentationLevel",
    "debug.floatPointOpException",
    "debug.instrument",
    "debug.instrumentCompute",
    "debug.instrumentControlFlow",
    "debug.instrumentExternalExchange",
    "debug.loweredVarDumpFile",
    "debug.nanOverflowException",
    "debug.nanOverflowMode",
    "debug.outputAllSymbols",
    "debug.profilingTile",
    "debug.retainDebugInformation",
    "debug.runtimeVerify",
    "debug.supervisorStackSizeInBytes",
    "debug.trace",
    "debug.traceFile",
    "debug.verify",
    "debug.workerStackSizeInBytes",
    "exchange.enablePrefetch",
    "exchange.multicastPolicy",
    "exchange.streamBufferOverlap",
    "ipumodel.account",
    "ipumodel.machine",
    "ipumodel.numThreads",
    "ipumodel.overlapRemote",
    "ipumodel.partlyUsed",
    "ipumodel.remoteBufferFolder",
    "ipumodel.timesFile",
    "opt.enableInlining",
    "opt.enableMultiAccessCopies",
    "opt.enableSkewSubdivision",
    "opt.enableSwSyncs",
    "opt.internalExchangeOptimisationTarget",
    "opt.limitVertexStateToLower256K",
    "opt.maxCompilationThreads",
    "opt.maxComputeSetsPerLoweredCopy",
    "opt.maxCopyMergeSize",
    "opt.maxLinkerThreads",
    "opt.useAutoloader",
    "prng.enable",
    "prng.enableStochasticRounding",
    "prng.seed",
    "profiler.blocks.bufferSize",
    "profiler.blocks.filter",
    "profiler.blocks.implicitFlush",
    "profiler.blocks.tile",
    "profiler.format",
    "profiler.includeCycleEstimates",
    "profiler.includeFlopEstimates",
    "profiler.perExecutionStreamCopyCycles",
    "profiler.programs.filter",
    "profiler.replicaToProfile",
    "profiler.useOutOfBandReporting",
    "streamCallbacks.maxLookahead",
    "streamCallbacks.multiThreadMode",
    "streamCallbacks.numWorkerThreads",
    "streamCallbacks.numWorkerThreadsPerNumaNode",
    "streamCallbacks.numaAware",
    "streamCallbacks.workerThreadsAffinity",
    "target.deterministicWorkers",
    "target.extendedMemory",
    "target.firstRuntimeReplica",
    "target.gatewayMode",
    "target.gatewayWriteCombining",
    "target.hostSyncTimeout",
    "target.ipuLinkConfiguration",
    "target.ipuLinkDomainSize",
    "target.ipuLinkTopology",
    "target.maxStreamCallbackThreadsPerNumaNode",
    "target.numberRuntimeReplica",
    "target.saveArchive",
    "target.supervisorStackSizeInBytes",
    "target.syncMethod",
    "target.syncPollPeriodUs",
    "target.syncReplicasIndependently",
    "target.textSectionSizeInBytes",
    "target.useBufferedCompletions",
    "target.workerStackSizeInBytes",
});

void checkKeys(const poplar::OptionFlags& flags) {
  for (const auto& [key, value] : flags)
    if (std::find(kKnown.begin(), kKnown.end(), key) == kKnown.end())
      throw poplar::invalid_option("Unrecognised option '" + key + "'");
}

void readBool(const poplar::OptionFlags& flags, const char* key, bool& value) {
  const auto it = flags.find(key);
  if (it == flags.end())
    return;
  if (it->second != "true" && it->second != "false")
    throw poplar::invalid_option("option '" + std::string(key) + "' is '" + it->second +
                                 "'; it must be true or false");
  value = it->second == "true";
}

bool isNumber(const std::string& text) {
  return !text.empty() && text.size() <= 4 &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

void readReplica(const poplar::OptionFlags& flags, const char* key,
                 std::optional<unsigned>& value) {
  const auto it = flags.find(key);
  if (it == flags.end())
    return;
  if (!isNumber(it->second))
    throw poplar::invalid_option("option '" + std::string(key) + "' is '" + it->second +
                                 "'; it must be a whole number up to 9999");
  value = static_cast<unsigned>(std::stoul(it->second));
}

std::optional<std::regex> readExpression(const poplar::OptionFlags& flags, const char* key) {
  const auto it = flags.find(key);
  if (it == flags.end() || it->second.empty())
    return std::nullopt;
  try {
    return std::regex(it->second);
  } catch (const std::regex_error& error) {
    throw poplar::invalid_option("option '" + std::string(key) + "' is '" + it->second +
                                 "', which is no regular expression: " + error.what());
  }
}

void readBlockFilter(const poplar::OptionFlags& flags, BlockFilter& filter) {
  filter.blocks = readExpression(flags, "profiler.blocks.filter");
  filter.programs = readExpression(flags, "profiler.programs.filter");
  readBool(flags, "debug.instrument", filter.transfers);
  readBool(flags, "debug.instrumentExternalExchange", filter.transfers);
  if (const auto it = flags.find("profiler.blocks.tile"); it != flags.end()) {
    if (!isNumber(it->second))
      throw poplar::invalid_option("option 'profiler.blocks.tile' is '" + it->second +
                                   "'; it must be a tile of an IPU");
    filter.tile = static_cast<unsigned>(std::stoul(it->second));
  }
}

unsigned parseThreads(const std::string& where, const std::string& text) {
  if (!isNumber(text) || text == "0")
    throw poplar::invalid_option(where + " is '" + text +
                                 "'; it must be a number of threads from 1 to 9999");
  return static_cast<unsigned>(std::stoul(text));
}

void readEnvironment(EngineOptions& options) {
  if (const char* threads = std::getenv("IPUMODEL_NUM_THREADS"))
    options.numThreads = parseThreads("IPUMODEL_NUM_THREADS", threads);
  if (const char* account = std::getenv("IPUMODEL_ACCOUNT")) {
    const std::string text = account;
    if (text != "on" && text != "off")
      throw poplar::invalid_option("IPUMODEL_ACCOUNT is '" + text + "'; it must be on or off");
    options.account = text == "on";
  }
  if (const char* file = std::getenv("IPUMODEL_TIMES_FILE"))
    options.timesFile = file;
}

std::vector<std::string> splitAtCommas(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');)
    if (!part.empty())
      parts.push_back(part);
  return parts;
}

} // namespace

EngineOptions parseEngineOptions(const poplar::OptionFlags& given) {
  EngineOptions options;
  options.flags = given;
  poplar::readJSONFromEnv("POPLAR_ENGINE_OPTIONS", options.flags);
  checkKeys(options.flags);
  readEnvironment(options);
  const poplar::OptionFlags& flags = options.flags;
  if (const auto it = flags.find("ipumodel.numThreads"); it != flags.end())
    options.numThreads = parseThreads("option 'ipumodel.numThreads'", it->second);
  readBool(flags, "ipumodel.account", options.account);
  readBool(flags, "ipumodel.overlapRemote", options.overlapRemote);
  if (const auto it = flags.find("ipumodel.remoteBufferFolder"); it != flags.end())
    options.remoteBufferFolder = it->second;
  if (const auto it = flags.find("ipumodel.partlyUsed"); it != flags.end())
    options.partlyUsed = splitAtCommas(it->second);
  if (const auto it = flags.find("ipumodel.machine"); it != flags.end())
    options.machine = it->second;
  if (const auto it = flags.find("ipumodel.timesFile"); it != flags.end())
    options.timesFile = it->second;
  readReplica(flags, "target.firstRuntimeReplica", options.firstReplica);
  readReplica(flags, "target.numberRuntimeReplica", options.numReplicas);
  readBool(flags, "exchange.enablePrefetch", options.enablePrefetch);
  readBool(flags, "debug.allowOutOfMemory", options.allowOutOfMemory);
  readBool(flags, "autoReport.all", options.autoReportAll);
  options.outputGraphProfile = options.outputExecutionProfile = options.autoReportAll;
  readBool(flags, "autoReport.outputGraphProfile", options.outputGraphProfile);
  readBool(flags, "autoReport.outputExecutionProfile", options.outputExecutionProfile);
  if (const auto it = flags.find("autoReport.directory"); it != flags.end())
    options.reportDirectory = it->second;
  readBlockFilter(flags, options.blocks);
  return options;
}

void checkRuntimeOptions(const poplar::OptionFlags& given) {
  poplar::OptionFlags flags = given;
  poplar::readJSONFromEnv("POPLAR_RUNTIME_OPTIONS", flags);
  checkKeys(flags);
}

} // namespace ipumodel
