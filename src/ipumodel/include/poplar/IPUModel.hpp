// Describes an IPU for the model to imitate: fill in what differs from the defaults, then
// createDevice().
#pragma once

#include <poplar/Device.hpp>
#include <poplar/GlobalExchangeConstraints.hpp>
#include <poplar/OptionFlags.hpp>

namespace poplar {

struct IPUModel {
  /// How the sync delay grows with a tile's distance from the sync controller.
  enum class RelativeSyncDelayType { AUTO, NO_DELAY };

  /// "ipu1" (Mk1, GC2), "ipu2" (Mk2, GC200) or "ipu21" (C600). Throws invalid_option for another.
  explicit IPUModel(const char* IPUVersion = "ipu2");
  ~IPUModel();
  IPUModel(const IPUModel&);
  IPUModel(IPUModel&&) noexcept;
  IPUModel& operator=(const IPUModel&);
  IPUModel& operator=(IPUModel&&) noexcept;

  std::string IPUVersion;
  unsigned numIPUs;
  unsigned tilesPerSuperTile; // tiles that share an exchange bus
  unsigned tilesPerIPU;
  unsigned numWorkerContexts;
  unsigned memoryBytesPerTile;
  double tileClockFrequency;      // Hz; set 1.85e9 for a Bow IPU
  unsigned exchangeBytesPerCycle; // one tile, one direction
  unsigned memcpyBytesPerCycle;
  unsigned instructionBytes;
  bool supportsSuperTileSendReceive;
  unsigned interleavedMemoryElementIndex; // first interleaved memory element
  unsigned minIPUSyncDelay;               // cycles, of the tile nearest to the sync controller
  RelativeSyncDelayType relativeSyncDelay;
  unsigned globalSyncCycles;
  std::vector<GlobalExchangeConstraint> globalExchangeConstraints;

  unsigned numStrideBits;
  unsigned dataPathWidth; // bits
  unsigned fp8ConvUnitMaxPipelineDepth;
  unsigned fp16ConvUnitMaxPipelineDepth;
  unsigned fp32ConvUnitMaxPipelineDepth;
  unsigned fp8ConvUnitInputLoadElemsPerCycle;
  unsigned fp16ConvUnitInputLoadElemsPerCycle;
  unsigned fp32ConvUnitInputLoadElemsPerCycle;
  unsigned fp8InFp16OutConvUnitsPerTile;
  unsigned fp16InFp16OutConvUnitsPerTile;
  unsigned fp16InFp32OutConvUnitsPerTile;
  unsigned fp32InFp32OutConvUnitsPerTile;
  unsigned convUnitCoeffLoadBytesPerCycle;
  unsigned rptCountMax;
  std::size_t atomicStoreGranularity; // bytes

  /// Accepted for source compatibility. Codelets always run on the host, and code sizes are
  /// estimates.
  bool compileIPUCode;

  /// `accurateHalf` is accepted for source compatibility: HALF is always IEEE binary16 here.
  Device createDevice(OptionFlags opts = {}, bool accurateHalf = false,
                      unsigned deviceManagerId = std::numeric_limits<unsigned>::max()) const;
};

} // namespace poplar
