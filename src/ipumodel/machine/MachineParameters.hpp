// Every number the cost model takes from the outside, with where it comes from.
//
// The functions of this folder are pure: parameters in, cycles or bytes out. A parameter can be
// overridden by name, and a report prints the table of those in force, so a modelled figure can
// always be traced to its sources.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ipumodel {

enum class MachineVersion { Mk1, Gc200, Bow, C600 };

// Vendor: stated by the vendor's code or documents, or measured on hardware by them.
// ThirdParty: measured or stated by others. Derived: arithmetic on the former two.
// Uncalibrated: a usual figure without a document behind it; calibrate before relying on it.
// Chosen: set by the user.
enum class Confidence { Vendor, ThirdParty, Derived, Uncalibrated, Chosen };

struct MachineParameters {
  MachineVersion version = MachineVersion::Gc200;

  // Chip.
  std::uint64_t tilesPerIpu;
  std::uint64_t bytesPerTile;
  double clockHz;
  std::uint64_t workerContexts;

  // Issue.
  std::uint64_t supervisorLaunchCycles; // supervisor part of launching one MultiVertex
  std::uint64_t executeControlCycles;   // control around one Execute
  std::uint64_t onTileCopyFixedCycles;  // launch and rendezvous of a six-worker copy
  std::uint64_t memcpyBytesPerCycle;    // tile

  // Exchange on the chip.
  std::uint64_t exchangeBytesPerCycle;      // a tile sends and receives this much at once
  std::uint64_t sharedBusFactor;            // when both tiles of a pair receive the same data
  std::uint64_t tilesPerSharedBus;          //
  std::uint64_t exchangeFixedCycles;        // per exchange
  std::uint64_t controlCyclesPerFragment;   // supervisor instructions of a receive fragment
  std::uint64_t controlCyclesPerContiguous; // of one that continues the fragment before it
  std::uint64_t internalSyncCycles;         // before each exchange, worst tile

  // Off the chip. Times, not cycles: they do not follow the tile clock.
  std::uint64_t globalSyncCycles;       // between IPUs
  double ipuLinkBytesPerSecond;         // per IPU and direction
  double hostBytesPerSecond;            // per IPU
  double hostCallbackSeconds;           // floor of a stream copy that waits for the host
  double streamFloorSeconds;            // floor when the other side waits already
  double streamingMemoryBytesPerSecond; // per machine, each direction
  double streamingMemoryLatencySeconds; // floor of a remote copy
  std::uint64_t ipusPerMachine;         // that share one Streaming Memory

  // Packets off the chip.
  std::uint64_t packetHeaderBytes;
  std::uint64_t payloadToHostBytes;   // largest of one packet
  std::uint64_t payloadFromHostBytes; //

  // Memory the program takes besides its data.
  std::uint64_t workerStackBytes;
  std::uint64_t supervisorStackBytes;
  std::uint64_t vertexCodeBytes;      // of one vertex type, once per tile that uses it
  std::uint64_t executeControlBytes;  // control code of an Execute
  std::uint64_t exchangeControlBytes; // of an exchange, a loop or a branch
  std::uint64_t exchangeInstructionBytes;

  // The parameters of that machine.
  static MachineParameters of(MachineVersion version);
};

// One row of the table that says where the numbers come from.
struct ParameterNote {
  std::string name;
  double value;
  std::string unit;
  std::string source;
  Confidence confidence;
};

// The machine and the overrides in force.
class MachineDescription {
public:
  explicit MachineDescription(MachineVersion version);

  // Sets one parameter. Throws std::invalid_argument with the known names, or with the value and
  // the legal range. `origin` says who asked, for the table: "environment", "engine option".
  void set(std::string_view name, double value, std::string_view origin);

  // "name=value,name=value", the form of the environment variable IPUMODEL_MACHINE.
  void setAll(std::string_view assignments, std::string_view origin);

  const MachineParameters& parameters() const { return parameters_; }
  const std::vector<ParameterNote>& notes() const { return notes_; }

private:
  MachineParameters parameters_;
  std::vector<ParameterNote> notes_;
};

// "gc200" and the like; "ipu1", "ipu2", "ipu21" are the SDK's names of Mk1, GC200 and C600.
// Throws std::invalid_argument on any other.
MachineVersion machineVersion(std::string_view name);
std::string_view toString(MachineVersion version);
std::string_view toString(Confidence confidence);

// Time on the tile clock, rounded up.
std::uint64_t cyclesOf(double seconds, const MachineParameters& machine);

} // namespace ipumodel
