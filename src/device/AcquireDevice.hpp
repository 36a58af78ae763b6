// Gets the device that was asked for, or throws: never another one.
#pragma once

#include <poplar/Device.hpp>
#include <poplar/Engine.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace spillway {

enum class DeviceClass {
  Cpu,      // an IPU Model sized for the host: few tiles, one worker each, no memory limit
  IpuModel, // an IPU Model of a real chip
  Ipu       // hardware
};

struct DeviceRequest {
  DeviceClass deviceClass = DeviceClass::Cpu;
  std::string chip = "ipu2";      // IpuModel: ipu1, ipu2 or bow
  std::uint32_t numTiles = 0;     // per IPU; 0: the chip's own. REQUIRES: not 0 for Cpu
  std::uint32_t numIpus = 1;      // of a replica
  std::uint32_t numReplicas = 1;  // on this device
  std::uint32_t numProcesses = 1; // whose devices are of one graph, each with numReplicas
  std::uint32_t process = 0;      // of those, this one
};

struct AcquiredDevice {
  poplar::Device device;
  poplar::Target target;   // of the graph: the devices of all processes
  std::string description; // "IPU Model of ipu2, 1472 tiles", for records
};

// Throws UserError when there is no such device.
AcquiredDevice acquireDevice(const DeviceRequest& request);

struct EngineSettings {
  std::uint32_t threads = 0;            // 0: all cores
  bool account = false;                 // bytes and cycles, by the IPU Model
  std::string remoteFolder;             // of the files of remote buffers; empty: memory
  bool overlapRemote = false;           // a thread moves remote buffers beside the program
  double streamingBytesPerSecond = 0.0; // of modelled Streaming Memory; 0: the chip's own
  std::string partlyUsed = {}; // parts of names, with commas, of variables with room to spare
};

// The engine options that ask for them: of the SDK, which has no such choices, none. To either,
// which replicas of several processes' graph are this one's.
poplar::OptionFlags engineOptions(const EngineSettings& settings, const DeviceRequest& device);

// How often the programs of an engine waited for a transfer to or from remote memory, and how long.
struct TransferStalls {
  std::uint64_t numTransfers = 0, numStalls = 0;
  double seconds = 0.0;
  std::uint64_t stalledCycles = 0, hiddenCycles = 0; // modelled, of transfers on IO tiles
};
// The SDK does not tell.
std::optional<TransferStalls> transferStalls(const poplar::Engine& engine);

// Whether an engine that is asked for reports leaves a profile.json; the SDK's are PopVision's.
bool reportsAsJson();

// "model" or "sdk": who provides Poplar in this build.
const char* poplarProvider();

} // namespace spillway
