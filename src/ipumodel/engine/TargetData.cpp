#include "engine/TargetData.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <cctype>

namespace ipumodel {

namespace {

// 16 KiB elements. Mk2 tile memory: 208 KiB that is not interleaved, then the interleaved pairs.
constexpr unsigned kMemoryElementBytes = 16 * 1024;
constexpr unsigned kMk2InterleavedElement = 208 / 16;
constexpr unsigned kMk1InterleavedElement = 128 / 16;

// Farthest tile 126 cycles on an Mk2; how it splits into a minimum and a share by distance is not
// public, so the split is an assumption.
constexpr unsigned kMk2MinSyncDelayCycles = 64;
constexpr unsigned kMk2RelativeSyncDelayCycles = 62;

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<unsigned> elementOffsets(unsigned bytesPerTile) {
  std::vector<unsigned> offsets;
  for (unsigned offset = 0; offset < bytesPerTile; offset += kMemoryElementBytes)
    offsets.push_back(offset);
  return offsets;
}

TargetData mk2(const char* architecture, double clockHz) {
  TargetData t;
  t.architecture = architecture;
  t.tilesPerIPU = 1472;
  t.bytesPerTile = 638'976;
  t.tileClockFrequencyHz = clockHz;
  t.minSyncDelayCycles = kMk2MinSyncDelayCycles;
  t.globalSyncCycles = 600;
  t.memoryElementOffsets = elementOffsets(t.bytesPerTile);
  t.interleavedMemoryElementIndex = kMk2InterleavedElement;
  return t;
}

TargetData mk1() {
  TargetData t;
  t.architecture = "ipu1";
  t.tilesPerIPU = 1216;
  t.bytesPerTile = 262'144;
  t.tileClockFrequencyHz = 1.6e9;
  t.minSyncDelayCycles = kMk2MinSyncDelayCycles;
  t.globalSyncCycles = 500;
  t.memoryElementOffsets = elementOffsets(t.bytesPerTile);
  t.interleavedMemoryElementIndex = kMk1InterleavedElement;
  t.convUnits.fp16InFp16OutPerTile = 8;
  t.convUnits.fp16InFp32OutPerTile = 8;
  t.convUnits.fp32InFp32OutPerTile = 8;
  t.convUnits.fp8InFp16OutPerTile = 0;
  t.convUnits.coeffLoadBytesPerCycle = 16;
  return t;
}

} // namespace

unsigned relativeSyncDelayCycles(const TargetData& target) {
  return target.relativeSyncDelay == RelativeSyncDelay::None ? 0 : kMk2RelativeSyncDelayCycles;
}

TargetData ipuTarget(const std::string& name) {
  const std::string wanted = lowered(name);
  const auto has = [&](const char* part) { return wanted.find(part) != std::string::npos; };
  TargetData t;
  if (wanted == "ipu1" || has("mk1") || has("gc2-"))
    t = mk1();
  else if (wanted == "ipu21" || has("c600"))
    t = mk2("ipu21", 1.486e9);
  else if (has("bow"))
    t = mk2("ipu2", 1.85e9);
  else if (wanted == "ipu2" || has("mk2") || has("pod") || has("m2000"))
    t = mk2("ipu2", 1.33e9);
  else
    throw poplar::invalid_option("IPU version '" + name +
                                 "' is not one of ipu1, ipu2, ipu21, or a system "
                                 "name such as IPU-POD16 or Bow-POD16");
  t.system = name;
  return t;
}

TargetData cpuTarget(unsigned numIPUs) {
  TargetData t;
  t.type = poplar::TargetType::CPU;
  t.architecture = "cpu";
  t.system = "cpu";
  t.numIPUs = numIPUs;
  t.tilesPerIPU = 1;
  t.tilesPerSharedExchangeBus = 1;
  t.numWorkerContexts = 1;
  t.bytesPerTile = 1u << 30; // as good as unlimited
  t.tileClockFrequencyHz = 1e9;
  t.supportsExchangeBusSharing = false;
  t.memoryElementOffsets = {0};
  t.relativeSyncDelay = RelativeSyncDelay::None;
  t.atomicStoreGranularityBytes = 1;
  return t;
}

} // namespace ipumodel
