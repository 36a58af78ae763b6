#include "engine/DeviceData.hpp"
#include "engine/TargetData.hpp"

#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {

using ipumodel::RelativeSyncDelay;
using ipumodel::TargetData;

IPUModel::~IPUModel() = default;
IPUModel::IPUModel(const IPUModel&) = default;
IPUModel::IPUModel(IPUModel&&) noexcept = default;
IPUModel& IPUModel::operator=(const IPUModel&) = default;
IPUModel& IPUModel::operator=(IPUModel&&) noexcept = default;

IPUModel::IPUModel(const char* version) : IPUVersion(version) {
  if (IPUVersion != "ipu1" && IPUVersion != "ipu2" && IPUVersion != "ipu21")
    throw invalid_option("IPUModel version '" + IPUVersion + "' is not one of ipu1, ipu2, ipu21");
  const TargetData t = ipumodel::ipuTarget(IPUVersion);
  numIPUs = t.numIPUs;
  tilesPerSuperTile = t.tilesPerSharedExchangeBus;
  tilesPerIPU = t.tilesPerIPU;
  numWorkerContexts = t.numWorkerContexts;
  memoryBytesPerTile = t.bytesPerTile;
  tileClockFrequency = t.tileClockFrequencyHz;
  exchangeBytesPerCycle = t.exchangeBytesPerCycle;
  memcpyBytesPerCycle = t.memcpyBytesPerCycle;
  instructionBytes = t.instructionBytes;
  supportsSuperTileSendReceive = t.supportsExchangeBusSharing;
  interleavedMemoryElementIndex = t.interleavedMemoryElementIndex;
  minIPUSyncDelay = t.minSyncDelayCycles;
  relativeSyncDelay = RelativeSyncDelayType::AUTO;
  globalSyncCycles = t.globalSyncCycles;
  numStrideBits = t.numStrideBits;
  dataPathWidth = t.dataPathWidthBits;
  fp8ConvUnitMaxPipelineDepth = t.convUnits.fp8MaxPipelineDepth;
  fp16ConvUnitMaxPipelineDepth = t.convUnits.fp16MaxPipelineDepth;
  fp32ConvUnitMaxPipelineDepth = t.convUnits.fp32MaxPipelineDepth;
  fp8ConvUnitInputLoadElemsPerCycle = t.convUnits.fp8InputLoadElemsPerCycle;
  fp16ConvUnitInputLoadElemsPerCycle = t.convUnits.fp16InputLoadElemsPerCycle;
  fp32ConvUnitInputLoadElemsPerCycle = t.convUnits.fp32InputLoadElemsPerCycle;
  fp8InFp16OutConvUnitsPerTile = t.convUnits.fp8InFp16OutPerTile;
  fp16InFp16OutConvUnitsPerTile = t.convUnits.fp16InFp16OutPerTile;
  fp16InFp32OutConvUnitsPerTile = t.convUnits.fp16InFp32OutPerTile;
  fp32InFp32OutConvUnitsPerTile = t.convUnits.fp32InFp32OutPerTile;
  convUnitCoeffLoadBytesPerCycle = t.convUnits.coeffLoadBytesPerCycle;
  rptCountMax = t.rptCountMax;
  atomicStoreGranularity = t.atomicStoreGranularityBytes;
  compileIPUCode = false;
}

Device IPUModel::createDevice(OptionFlags, bool, unsigned deviceManagerId) const {
  TargetData t = ipumodel::ipuTarget(IPUVersion);
  t.type = TargetType::IPU_MODEL;
  t.numIPUs = numIPUs;
  t.tilesPerSharedExchangeBus = tilesPerSuperTile;
  t.tilesPerIPU = tilesPerIPU;
  t.numWorkerContexts = numWorkerContexts;
  t.bytesPerTile = memoryBytesPerTile;
  t.tileClockFrequencyHz = tileClockFrequency;
  t.exchangeBytesPerCycle = exchangeBytesPerCycle;
  t.memcpyBytesPerCycle = memcpyBytesPerCycle;
  t.instructionBytes = instructionBytes;
  t.supportsExchangeBusSharing = supportsSuperTileSendReceive;
  t.interleavedMemoryElementIndex = interleavedMemoryElementIndex;
  t.minSyncDelayCycles = minIPUSyncDelay;
  t.relativeSyncDelay = relativeSyncDelay == RelativeSyncDelayType::AUTO
                            ? RelativeSyncDelay::ByDistance
                            : RelativeSyncDelay::None;
  t.globalSyncCycles = globalSyncCycles;
  t.globalExchangeConstraints = globalExchangeConstraints;
  t.numStrideBits = numStrideBits;
  t.dataPathWidthBits = dataPathWidth;
  t.convUnits.fp8MaxPipelineDepth = fp8ConvUnitMaxPipelineDepth;
  t.convUnits.fp16MaxPipelineDepth = fp16ConvUnitMaxPipelineDepth;
  t.convUnits.fp32MaxPipelineDepth = fp32ConvUnitMaxPipelineDepth;
  t.convUnits.fp8InputLoadElemsPerCycle = fp8ConvUnitInputLoadElemsPerCycle;
  t.convUnits.fp16InputLoadElemsPerCycle = fp16ConvUnitInputLoadElemsPerCycle;
  t.convUnits.fp32InputLoadElemsPerCycle = fp32ConvUnitInputLoadElemsPerCycle;
  t.convUnits.fp8InFp16OutPerTile = fp8InFp16OutConvUnitsPerTile;
  t.convUnits.fp16InFp16OutPerTile = fp16InFp16OutConvUnitsPerTile;
  t.convUnits.fp16InFp32OutPerTile = fp16InFp32OutConvUnitsPerTile;
  t.convUnits.fp32InFp32OutPerTile = fp32InFp32OutConvUnitsPerTile;
  t.convUnits.coeffLoadBytesPerCycle = convUnitCoeffLoadBytesPerCycle;
  t.rptCountMax = rptCountMax;
  t.atomicStoreGranularityBytes = atomicStoreGranularity;

  auto data = std::make_unique<ipumodel::DeviceData>();
  data->id = deviceManagerId == std::numeric_limits<unsigned>::max() ? 0 : deviceManagerId;
  data->target = Target(std::make_shared<const TargetData>(std::move(t)));
  data->hold->take();
  return Device(std::move(data));
}

} // namespace poplar
