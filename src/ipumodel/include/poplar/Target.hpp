// The machine a graph is built for: how many tiles, how much memory, how fast its parts are.
#pragma once

#include <poplar/GlobalExchangeConstraints.hpp>
#include <poplar/IpuLinkConfiguration.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/StdIncludes.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/TargetType.hpp>
#include <poplar/Type.hpp>

namespace ipumodel {
struct TargetData;
}

namespace poplar {

/// A value; copies share one immutable description. A default-constructed target describes nothing
/// and may only be assigned to or compared.
class Target {
public:
  Target();
  ~Target();
  Target(const Target&);
  Target(Target&&) noexcept;
  Target& operator=(const Target&);
  Target& operator=(Target&&) noexcept;

  bool operator==(const Target&) const;
  bool operator!=(const Target&) const;
  bool operator<(const Target&) const;
  std::size_t hash() const;

  TargetType getTargetType() const;
  StringRef getTargetSystemString() const;
  StringRef getTargetArchString() const; // "ipu1", "ipu2", "ipu21" or "cpu"

  unsigned getNumIPUs() const;
  unsigned getTilesPerIPU() const;
  unsigned getNumTiles() const; // over all IPUs
  unsigned getNumWorkerContexts() const;
  unsigned getBytesPerTile() const;
  std::uint64_t getMemoryBytes() const; // over all tiles
  double getTileClockFrequency() const; // Hz

  unsigned getExchangeBytesPerCycle() const; // one tile, one direction
  unsigned getMemcpyBytesPerCycle() const;
  unsigned getMinIPUSyncDelay() const; // cycles, nearest tile
  unsigned getMaxIPUSyncDelay() const; // cycles, farthest tile
  unsigned getGlobalSyncCycles() const;
  bool supportsExchangeBusSharing() const;
  unsigned getTilesPerSharedExchangeBus() const;
  const std::vector<GlobalExchangeConstraint>& getGlobalExchangeConstraints() const;
  IpuLinkConfiguration getIpuLinkConfiguration() const;
  IpuLinkTopology getIpuLinkTopology() const;
  unsigned getIpuLinkDomainSize() const;
  unsigned getInstanceSize() const;
  bool getGatewayMode() const;

  const std::vector<unsigned>&
  getMemoryElementOffsets() const;                   // bytes from the start of tile memory
  unsigned getInterleavedMemoryElementIndex() const; // first interleaved element
  std::size_t getAtomicStoreGranularity() const;     // bytes

  unsigned getNumStrideBits() const;
  unsigned getDataPathWidth() const; // bits
  unsigned getRptCountMax() const;
  unsigned getFloatVectorWidth() const;
  unsigned getHalfVectorWidth() const;
  unsigned getQuarterVectorWidth() const;
  unsigned getVectorWidth(const Type& type) const;
  std::size_t getTypeSize(const Type& type) const; // bytes on the device

  unsigned getFp8ConvUnitMaxPipelineDepth() const;
  unsigned getFp16ConvUnitMaxPipelineDepth() const;
  unsigned getFp32ConvUnitMaxPipelineDepth() const;
  unsigned getConvUnitMaxPipelineDepth(const Type& inputType) const;
  unsigned getFp8ConvUnitInputLoadElemsPerCycle() const;
  unsigned getFp16ConvUnitInputLoadElemsPerCycle() const;
  unsigned getFp32ConvUnitInputLoadElemsPerCycle() const;
  unsigned getConvUnitInputLoadElemsPerCycle(const Type& inputType) const;
  unsigned getConvUnitInputLoadElemsPerCycle(bool floatActivations) const;
  unsigned getFp8InFp16OutConvUnitsPerTile() const;
  unsigned getFp16InFp16OutConvUnitsPerTile() const;
  unsigned getFp16InFp32OutConvUnitsPerTile() const;
  unsigned getFp32InFp32OutConvUnitsPerTile() const;
  unsigned getNumConvUnits(const Type& inputType, const Type& partialType) const;
  unsigned getNumConvUnits(bool floatActivations, bool floatPartial) const;
  unsigned getConvUnitCoeffLoadBytesPerCycle() const;
  unsigned getWeightsPerConvUnit(const Type& inputType) const;
  unsigned getWeightsPerConvUnit(bool floatActivations) const;

  unsigned getNumTilesPerXBContext() const;
  unsigned getNumContextsPerXB() const;
  unsigned getTileHostExchangeXB(unsigned tile) const;
  unsigned getTileHostExchangeContext(unsigned tile) const;
  unsigned getTileHostExchangeContextPosition(unsigned tile) const;

  /// The largest and the lowest finite value of a device type.
  template <typename T = double>
  T getTypeLimitsMaxAs(const Type& type) const {
    return static_cast<T>(typeLimitMax(type));
  }
  template <typename T = double>
  T getTypeLimitsLowestAs(const Type& type) const {
    return static_cast<T>(typeLimitLowest(type));
  }

  std::uint32_t makeFpIctlValue(bool inv, bool div0, bool oflo, bool esr, bool nanoo) const;
  unsigned getFpIctlRegIndex() const;
  unsigned getDbgDataRegIndex() const;

  /// The host: `numIPUs` IPUs of one tile with one worker each. With one IPU, what is not mapped
  /// lies on its tile.
  static Target createCPUTarget(bool accurateHalf = false, unsigned numIPUs = 1);

  /// `systemType` is an architecture ("ipu1", "ipu2", "ipu21") or one of Graphcore's system names
  /// that contain it ("IPU-POD16", "Bow-POD16", "ipu2"). Throws invalid_option for another.
  static Target createIPUTarget(StringRef systemType, const OptionFlags& opts = {});
  static Target createIPUTarget(unsigned numIPUs, StringRef systemType,
                                const OptionFlags& opts = {});
  static Target createIPUTarget(unsigned numIPUs, unsigned tilesPerIPU, StringRef systemType,
                                const OptionFlags& opts = {});

  /// The same kind of machine with other numbers. REQUIRES: both at most this target's.
  Target createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const;

  explicit Target(std::shared_ptr<const ipumodel::TargetData> data);
  const ipumodel::TargetData& getImpl() const { return *data_; }

private:
  double typeLimitMax(const Type& type) const;
  double typeLimitLowest(const Type& type) const;

  std::shared_ptr<const ipumodel::TargetData> data_;
};

/// IEEE binary16 as the device stores it, to and from host floating point; rounds to nearest even.
void copyDeviceHalfToFloat(const Target& target, const void* src, float* dst,
                           std::size_t numElements);
void copyFloatToDeviceHalf(const Target& target, const float* src, void* dst,
                           std::size_t numElements);
void copyDeviceHalfToDouble(const Target& target, const void* src, double* dst,
                            std::size_t numElements);
void copyDoubleToDeviceHalf(const Target& target, const double* src, void* dst,
                            std::size_t numElements);

} // namespace poplar
