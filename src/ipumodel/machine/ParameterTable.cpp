#include "machine/ParameterTable.hpp"

namespace ipumodel {
namespace {

using enum Confidence;
using P = MachineParameters;

} // namespace

// Sources: "PopLibs" is Graphcore's open library of that name; "ipu-stack" an independent open
// stack measured on a C600; "lightweight profiling" Graphcore's tutorial with hardware output;
// "popliner" Graphcore's profile tool, whose tests carry figures of real profiles.
// clang-format off
const std::vector<ParameterRow>& parameterTable() {
  static const std::vector<ParameterRow> table = {
      {"tilesPerIpu", "tiles", &P::tilesPerIpu, {1216, 1472, 1472, 1472},
       "PopLibs defaults and tests", Vendor, 1, 65536},
      {"bytesPerTile", "bytes", &P::bytesPerTile, {262144, 638976, 638976, 638976},
       "profiles in the TensorFlow add-ons; early PopLibs", Vendor, 1024, 1 << 30},
      {"clockHz", "Hz", &P::clockHz, {1.6e9, 1.33e9, 1.85e9, 1.486e9},
       "target of real profiles (GC200); data sheets' FLOP/s (others)", Derived, 1e6, 1e11},
      {"workerContexts", "contexts", &P::workerContexts, {6, 6, 6, 6},
       "Target::getNumWorkerContexts in PopLibs", Vendor, 1, 16},
      {"supervisorLaunchCycles", "cycles", &P::supervisorLaunchCycles, {11, 11, 11, 11},
       "PopLibs, supervisor overhead of basic ops", Vendor, 0, 1e6},
      {"executeControlCycles", "cycles", &P::executeControlCycles, {18, 18, 18, 18},
       "lightweight profiling: 7,236 measured for two vertices of 3,600", Derived, 0, 1e6},
      {"onTileCopyFixedCycles", "cycles", &P::onTileCopyFixedCycles, {288, 288, 288, 288},
       "ipu-stack, measured copy kernel", ThirdParty, 0, 1e6},
      {"memcpyBytesPerCycle", "bytes/cycle", &P::memcpyBytesPerCycle, {8, 8, 8, 8},
       "64-bit data path, early PopLibs", Vendor, 1, 1024},
      {"exchangeBytesPerCycle", "bytes/cycle", &P::exchangeBytesPerCycle, {4, 4, 4, 4},
       "Target::getExchangeBytesPerCycle; ipu-stack", Vendor, 1, 1024},
      {"sharedBusFactor", "", &P::sharedBusFactor, {2, 2, 2, 2},
       "PopLibs exchange estimator", Vendor, 1, 16},
      {"tilesPerSharedBus", "tiles", &P::tilesPerSharedBus, {2, 2, 2, 2},
       "PopLibs asserts getTilesPerSharedExchangeBus() == 2", Vendor, 1, 16},
      {"exchangeFixedCycles", "cycles", &P::exchangeFixedCycles, {100, 100, 100, 100},
       "PopLibs, CTC loss planner", Vendor, 0, 1e6},
      {"controlCyclesPerFragment", "cycles", &P::controlCyclesPerFragment, {3, 3, 3, 3},
       "ipu-stack cost model", ThirdParty, 0, 1e6},
      {"controlCyclesPerContiguous", "cycles", &P::controlCyclesPerContiguous, {2, 2, 2, 2},
       "ipu-stack cost model", ThirdParty, 0, 1e6},
      {"internalSyncCycles", "cycles", &P::internalSyncCycles, {126, 126, 126, 126},
       "Target::getMaxIPUSyncDelay as noted by ipu-stack; PopLibs says about 90", ThirdParty, 0, 1e6},
      {"globalSyncCycles", "cycles", &P::globalSyncCycles, {500, 600, 600, 600},
       "early PopLibs (Mk1); Target::getGlobalSyncCycles as noted by ipu-stack", ThirdParty, 0, 1e9},
      {"ipuLinkBytesPerSecond", "B/s", &P::ipuLinkBytesPerSecond, {54.4e9, 160e9, 160e9, 62.5e9},
       "PopLibs link model (Mk1: 4 x 128 Gbit/s x 0.85); data sheets, half of the both-way figure", Derived, 1e3, 1e15},
      {"hostBytesPerSecond", "B/s", &P::hostBytesPerSecond, {5.5e9, 5.5e9, 5.5e9, 5.5e9},
       "Graphcore examples, EfficientDet: through the gateway in practice", Vendor, 1e3, 1e15},
      {"hostCallbackSeconds", "s", &P::hostCallbackSeconds, {125e-6, 125e-6, 125e-6, 125e-6},
       "lightweight profiling: 166 k cycles with a host callback", Vendor, 0, 10},
      {"streamFloorSeconds", "s", &P::streamFloorSeconds, {1.35e-6, 1.35e-6, 1.35e-6, 1.35e-6},
       "lightweight profiling: 1.8 k cycles when the host waits already", Vendor, 0, 10},
      {"streamingMemoryBytesPerSecond", "B/s", &P::streamingMemoryBytesPerSecond, {8e9, 20e9, 20e9, 20e9},
       "usual quote, no document found", Uncalibrated, 1e3, 1e15},
      {"streamingMemoryLatencySeconds", "s", &P::streamingMemoryLatencySeconds, {1.35e-6, 1.35e-6, 1.35e-6, 1.35e-6},
       "taken to be the floor of a stream", Uncalibrated, 0, 10},
      {"ipusPerMachine", "IPUs", &P::ipusPerMachine, {2, 4, 4, 1},
       "data sheets: C2 card, IPU-M2000, Bow-2000, C600 card", Vendor, 1, 64},
      {"packetHeaderBytes", "bytes", &P::packetHeaderBytes, {8, 8, 8, 8},
       "ipu-stack exchange", ThirdParty, 0, 1024},
      {"payloadToHostBytes", "bytes", &P::payloadToHostBytes, {256, 256, 256, 256},
       "ipu-stack exchange", ThirdParty, 4, 1 << 20},
      {"payloadFromHostBytes", "bytes", &P::payloadFromHostBytes, {1024, 1024, 1024, 1024},
       "ipu-stack exchange", ThirdParty, 4, 1 << 20},
      {"workerStackBytes", "bytes", &P::workerStackBytes, {256, 256, 256, 256},
       "ipu-stack runtime; Poplar's own default is not published", ThirdParty, 0, 1 << 20},
      {"supervisorStackBytes", "bytes", &P::supervisorStackBytes, {224, 224, 224, 224},
       "ipu-stack runtime; Poplar's own default is not published", ThirdParty, 0, 1 << 20},
      {"vertexCodeBytes", "bytes", &P::vertexCodeBytes, {400, 400, 400, 400},
       "popliner: simple vertices take 76 to 700 bytes", Uncalibrated, 0, 1 << 20},
      {"executeControlBytes", "bytes", &P::executeControlBytes, {8, 8, 8, 8},
       "popliner, Relu row", Derived, 0, 1 << 20},
      {"exchangeControlBytes", "bytes", &P::exchangeControlBytes, {12, 12, 12, 12},
       "popliner, broadcast of a program id", Derived, 0, 1 << 20},
      {"exchangeInstructionBytes", "bytes", &P::exchangeInstructionBytes, {4, 4, 4, 4},
       "ISA: 32-bit instructions", Vendor, 1, 64},
  };
  return table;
}
// clang-format on

} // namespace ipumodel
