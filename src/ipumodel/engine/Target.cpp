#include "engine/TargetData.hpp"
#include "graph/TypeInfo.hpp"

#include <poplar/Target.hpp>
#include <poplar/Type.hpp>
#include <poplar/exceptions.hpp>

#include <limits>
#include <tuple>

namespace poplar {

using ipumodel::TargetData;

Target::Target() = default;
Target::~Target() = default;
Target::Target(const Target&) = default;
Target::Target(Target&&) noexcept = default;
Target& Target::operator=(const Target&) = default;
Target& Target::operator=(Target&&) noexcept = default;
Target::Target(std::shared_ptr<const TargetData> data) : data_(std::move(data)) {}

namespace {

auto identity(const TargetData& t) {
  return std::tie(t.type, t.architecture, t.numIPUs, t.tilesPerIPU, t.numWorkerContexts,
                  t.bytesPerTile, t.tileClockFrequencyHz, t.exchangeBytesPerCycle,
                  t.memcpyBytesPerCycle, t.minSyncDelayCycles, t.globalSyncCycles);
}

constexpr double kMaxHalf = 65504;

} // namespace

bool Target::operator==(const Target& other) const {
  if (!data_ || !other.data_)
    return data_ == other.data_;
  return identity(*data_) == identity(*other.data_);
}
bool Target::operator!=(const Target& other) const {
  return !(*this == other);
}
bool Target::operator<(const Target& other) const {
  if (!data_ || !other.data_)
    return !data_ && other.data_;
  return identity(*data_) < identity(*other.data_);
}
std::size_t Target::hash() const {
  return data_ ? std::hash<std::string>()(data_->architecture) ^
                     (std::size_t{data_->numIPUs} << 40) ^ (std::size_t{data_->tilesPerIPU} << 20)
               : 0;
}

TargetType Target::getTargetType() const {
  return data_->type;
}
StringRef Target::getTargetSystemString() const {
  return data_->system;
}
StringRef Target::getTargetArchString() const {
  return data_->architecture;
}
unsigned Target::getNumIPUs() const {
  return data_->numIPUs;
}
unsigned Target::getTilesPerIPU() const {
  return data_->tilesPerIPU;
}
unsigned Target::getNumTiles() const {
  return data_->numIPUs * data_->tilesPerIPU;
}
unsigned Target::getNumWorkerContexts() const {
  return data_->numWorkerContexts;
}
unsigned Target::getBytesPerTile() const {
  return data_->bytesPerTile;
}
std::uint64_t Target::getMemoryBytes() const {
  return std::uint64_t{getNumTiles()} * data_->bytesPerTile;
}
double Target::getTileClockFrequency() const {
  return data_->tileClockFrequencyHz;
}
unsigned Target::getExchangeBytesPerCycle() const {
  return data_->exchangeBytesPerCycle;
}
unsigned Target::getMemcpyBytesPerCycle() const {
  return data_->memcpyBytesPerCycle;
}
unsigned Target::getMinIPUSyncDelay() const {
  return data_->minSyncDelayCycles;
}
unsigned Target::getMaxIPUSyncDelay() const {
  return data_->minSyncDelayCycles + relativeSyncDelayCycles(*data_);
}
unsigned Target::getGlobalSyncCycles() const {
  return data_->globalSyncCycles;
}
bool Target::supportsExchangeBusSharing() const {
  return data_->supportsExchangeBusSharing;
}
unsigned Target::getTilesPerSharedExchangeBus() const {
  return data_->tilesPerSharedExchangeBus;
}
const std::vector<GlobalExchangeConstraint>& Target::getGlobalExchangeConstraints() const {
  return data_->globalExchangeConstraints;
}
IpuLinkConfiguration Target::getIpuLinkConfiguration() const {
  return IpuLinkConfiguration::Default;
}
IpuLinkTopology Target::getIpuLinkTopology() const {
  return IpuLinkTopology::Mesh;
}
unsigned Target::getIpuLinkDomainSize() const {
  return data_->numIPUs;
}
unsigned Target::getInstanceSize() const {
  return data_->numIPUs;
}
bool Target::getGatewayMode() const {
  return data_->type == TargetType::IPU;
}
const std::vector<unsigned>& Target::getMemoryElementOffsets() const {
  return data_->memoryElementOffsets;
}
unsigned Target::getInterleavedMemoryElementIndex() const {
  return data_->interleavedMemoryElementIndex;
}
std::size_t Target::getAtomicStoreGranularity() const {
  return data_->atomicStoreGranularityBytes;
}
unsigned Target::getNumStrideBits() const {
  return data_->numStrideBits;
}
unsigned Target::getDataPathWidth() const {
  return data_->dataPathWidthBits;
}
unsigned Target::getRptCountMax() const {
  return data_->rptCountMax;
}
unsigned Target::getFloatVectorWidth() const {
  return data_->dataPathWidthBits / 32;
}
unsigned Target::getHalfVectorWidth() const {
  return data_->dataPathWidthBits / 16;
}
unsigned Target::getQuarterVectorWidth() const {
  return data_->dataPathWidthBits / 8;
}
unsigned Target::getVectorWidth(const Type& type) const {
  const std::size_t bits = getTypeSize(type) * 8;
  return bits > data_->dataPathWidthBits ? 1
                                         : static_cast<unsigned>(data_->dataPathWidthBits / bits);
}
std::size_t Target::getTypeSize(const Type& type) const {
  return ipumodel::sizeOf(type);
}

unsigned Target::getFp8ConvUnitMaxPipelineDepth() const {
  return data_->convUnits.fp8MaxPipelineDepth;
}
unsigned Target::getFp16ConvUnitMaxPipelineDepth() const {
  return data_->convUnits.fp16MaxPipelineDepth;
}
unsigned Target::getFp32ConvUnitMaxPipelineDepth() const {
  return data_->convUnits.fp32MaxPipelineDepth;
}
unsigned Target::getConvUnitMaxPipelineDepth(const Type& type) const {
  return type == FLOAT  ? getFp32ConvUnitMaxPipelineDepth()
         : type == HALF ? getFp16ConvUnitMaxPipelineDepth()
                        : getFp8ConvUnitMaxPipelineDepth();
}
unsigned Target::getFp8ConvUnitInputLoadElemsPerCycle() const {
  return data_->convUnits.fp8InputLoadElemsPerCycle;
}
unsigned Target::getFp16ConvUnitInputLoadElemsPerCycle() const {
  return data_->convUnits.fp16InputLoadElemsPerCycle;
}
unsigned Target::getFp32ConvUnitInputLoadElemsPerCycle() const {
  return data_->convUnits.fp32InputLoadElemsPerCycle;
}
unsigned Target::getConvUnitInputLoadElemsPerCycle(const Type& type) const {
  return type == QUARTER ? getFp8ConvUnitInputLoadElemsPerCycle()
                         : getConvUnitInputLoadElemsPerCycle(type == FLOAT);
}
unsigned Target::getConvUnitInputLoadElemsPerCycle(bool floatActivations) const {
  return floatActivations ? getFp32ConvUnitInputLoadElemsPerCycle()
                          : getFp16ConvUnitInputLoadElemsPerCycle();
}
unsigned Target::getFp8InFp16OutConvUnitsPerTile() const {
  return data_->convUnits.fp8InFp16OutPerTile;
}
unsigned Target::getFp16InFp16OutConvUnitsPerTile() const {
  return data_->convUnits.fp16InFp16OutPerTile;
}
unsigned Target::getFp16InFp32OutConvUnitsPerTile() const {
  return data_->convUnits.fp16InFp32OutPerTile;
}
unsigned Target::getFp32InFp32OutConvUnitsPerTile() const {
  return data_->convUnits.fp32InFp32OutPerTile;
}
unsigned Target::getNumConvUnits(const Type& inputType, const Type& partialType) const {
  return inputType == QUARTER ? getFp8InFp16OutConvUnitsPerTile()
                              : getNumConvUnits(inputType == FLOAT, partialType == FLOAT);
}
unsigned Target::getNumConvUnits(bool floatActivations, bool floatPartial) const {
  if (floatActivations)
    return getFp32InFp32OutConvUnitsPerTile();
  return floatPartial ? getFp16InFp32OutConvUnitsPerTile() : getFp16InFp16OutConvUnitsPerTile();
}
unsigned Target::getConvUnitCoeffLoadBytesPerCycle() const {
  return data_->convUnits.coeffLoadBytesPerCycle;
}
unsigned Target::getWeightsPerConvUnit(const Type& type) const {
  return getConvUnitMaxPipelineDepth(type) * getConvUnitInputLoadElemsPerCycle(type);
}
unsigned Target::getWeightsPerConvUnit(bool floatActivations) const {
  return getWeightsPerConvUnit(floatActivations ? FLOAT : HALF);
}

// The exchange block layout that the host reaches tiles through: 32 tiles to a context.
unsigned Target::getNumTilesPerXBContext() const {
  return 32;
}
unsigned Target::getNumContextsPerXB() const {
  return 2;
}
unsigned Target::getTileHostExchangeXB(unsigned tile) const {
  return tile / (getNumTilesPerXBContext() * getNumContextsPerXB());
}
unsigned Target::getTileHostExchangeContext(unsigned tile) const {
  return tile / getNumTilesPerXBContext() % getNumContextsPerXB();
}
unsigned Target::getTileHostExchangeContextPosition(unsigned tile) const {
  return tile % getNumTilesPerXBContext();
}

std::uint32_t Target::makeFpIctlValue(bool inv, bool div0, bool oflo, bool esr, bool nanoo) const {
  return (inv ? 1u : 0u) | (div0 ? 2u : 0u) | (oflo ? 4u : 0u) | (esr ? 8u : 0u) |
         (nanoo ? 16u : 0u);
}
unsigned Target::getFpIctlRegIndex() const {
  return 0;
}
unsigned Target::getDbgDataRegIndex() const {
  return 1;
}

double Target::typeLimitMax(const Type& type) const {
  if (type == FLOAT)
    return std::numeric_limits<float>::max();
  if (type == HALF)
    return kMaxHalf;
  if (type == BOOL)
    return 1;
  const int bits = static_cast<int>(getTypeSize(type)) * 8 - (ipumodel::isSigned(type) ? 1 : 0);
  return static_cast<double>(bits == 64 ? ~0ull : (1ull << bits) - 1);
}

double Target::typeLimitLowest(const Type& type) const {
  if (type == FLOAT || type == HALF)
    return -typeLimitMax(type);
  return ipumodel::isSigned(type) ? -typeLimitMax(type) - 1 : 0;
}

Target Target::createCPUTarget(bool, unsigned numIPUs) {
  return Target(std::make_shared<const TargetData>(ipumodel::cpuTarget(numIPUs)));
}

Target Target::createIPUTarget(StringRef systemType, const OptionFlags& opts) {
  return createIPUTarget(1, systemType, opts);
}

Target Target::createIPUTarget(unsigned numIPUs, StringRef systemType, const OptionFlags& opts) {
  const unsigned tiles = ipumodel::ipuTarget(systemType.cloneAsString()).tilesPerIPU;
  return createIPUTarget(numIPUs, tiles, systemType, opts);
}

Target Target::createIPUTarget(unsigned numIPUs, unsigned tilesPerIPU, StringRef systemType,
                               const OptionFlags&) {
  TargetData data = ipumodel::ipuTarget(systemType.cloneAsString());
  data.type = TargetType::IPU;
  data.numIPUs = numIPUs;
  data.tilesPerIPU = tilesPerIPU;
  return Target(std::make_shared<const TargetData>(std::move(data)));
}

Target Target::createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const {
  if (numIPUs > data_->numIPUs || tilesPerIPU > data_->tilesPerIPU)
    throw poplar_error("a virtual target of " + std::to_string(numIPUs) + " IPUs with " +
                       std::to_string(tilesPerIPU) + " tiles does not fit into " +
                       std::to_string(data_->numIPUs) + " IPUs with " +
                       std::to_string(data_->tilesPerIPU) + " tiles");
  TargetData data = *data_;
  data.numIPUs = numIPUs;
  data.tilesPerIPU = tilesPerIPU;
  return Target(std::make_shared<const TargetData>(std::move(data)));
}

std::string toString(TargetType type) {
  switch (type) {
  case TargetType::IPU:
    return "IPU";
  case TargetType::IPU_MODEL:
    return "IPU_MODEL";
  case TargetType::CPU:
    return "CPU";
  }
  throw poplar_error("unknown TargetType");
}
std::ostream& operator<<(std::ostream& os, TargetType type) {
  return os << toString(type);
}

} // namespace poplar
