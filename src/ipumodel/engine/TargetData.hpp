// What a poplar::Target points at: one immutable description of a machine.
#pragma once

#include <poplar/GlobalExchangeConstraints.hpp>
#include <poplar/TargetType.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace ipumodel {

// How far the farthest tile's sync delay exceeds the nearest one's.
enum class RelativeSyncDelay { ByDistance, None };

struct TargetData {
  poplar::TargetType type = poplar::TargetType::IPU_MODEL;
  std::string architecture; // "ipu1", "ipu2", "ipu21", "cpu"
  std::string system;       // the name it was created by

  unsigned numIPUs = 1;
  unsigned tilesPerIPU = 1;
  unsigned tilesPerSharedExchangeBus = 2;
  unsigned numWorkerContexts = 6;
  unsigned bytesPerTile = 0;
  double tileClockFrequencyHz = 0;

  unsigned exchangeBytesPerCycle = 4;
  unsigned memcpyBytesPerCycle = 8;
  unsigned instructionBytes = 4;
  bool supportsExchangeBusSharing = true;
  unsigned minSyncDelayCycles = 0;
  RelativeSyncDelay relativeSyncDelay = RelativeSyncDelay::ByDistance;
  unsigned globalSyncCycles = 0;
  std::vector<poplar::GlobalExchangeConstraint> globalExchangeConstraints;

  std::vector<unsigned> memoryElementOffsets; // bytes
  unsigned interleavedMemoryElementIndex = 0;
  std::size_t atomicStoreGranularityBytes = 4;

  unsigned numStrideBits = 10;
  unsigned dataPathWidthBits = 64;
  unsigned rptCountMax = 4095;
  // Of the matrix unit. Weights of one of its parts are depth * elements per cycle: 16 halves or 8
  // floats. What PopLibs' codelets are made for: 8 or 16 parts, of halves summed in float 8 only,
  // since a tile stores two floats a cycle and sums last four.
  struct ConvUnits {
    unsigned fp8MaxPipelineDepth = 8, fp16MaxPipelineDepth = 4, fp32MaxPipelineDepth = 4;
    unsigned fp8InputLoadElemsPerCycle = 8, fp16InputLoadElemsPerCycle = 4,
             fp32InputLoadElemsPerCycle = 2;
    unsigned fp8InFp16OutPerTile = 16, fp16InFp16OutPerTile = 16, fp16InFp32OutPerTile = 8,
             fp32InFp32OutPerTile = 16;
    unsigned coeffLoadBytesPerCycle = 32;
  } convUnits;
};

// The difference between the farthest and the nearest tile's sync delay, cycles.
unsigned relativeSyncDelayCycles(const TargetData& target);

// The documented machines. Throws poplar::invalid_option for a name that is none of them.
TargetData ipuTarget(const std::string& architectureOrSystem);

TargetData cpuTarget(unsigned numIPUs);

} // namespace ipumodel
