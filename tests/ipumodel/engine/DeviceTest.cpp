// Targets, the IPU Model's defaults, and the devices a manager offers.
#include <poplar/Device.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Target.hpp>
#include <poplar/Type.hpp>
#include <poplar/exceptions.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <string>

using namespace poplar;

namespace {

TEST(IPUModel, HasTheDocumentedMachines) {
  IPUModel mk2;
  EXPECT_EQ(mk2.IPUVersion, "ipu2");
  EXPECT_EQ(mk2.numIPUs, 1u);
  EXPECT_EQ(mk2.tilesPerIPU, 1472u);
  EXPECT_EQ(mk2.memoryBytesPerTile, 638976u);
  EXPECT_EQ(mk2.numWorkerContexts, 6u);
  EXPECT_EQ(mk2.exchangeBytesPerCycle, 4u);
  EXPECT_EQ(mk2.memcpyBytesPerCycle, 8u);
  EXPECT_EQ(mk2.tilesPerSuperTile, 2u);
  EXPECT_DOUBLE_EQ(mk2.tileClockFrequency, 1.33e9);
  IPUModel mk1("ipu1");
  EXPECT_EQ(mk1.tilesPerIPU, 1216u);
  EXPECT_EQ(mk1.memoryBytesPerTile, 262144u);
  EXPECT_DOUBLE_EQ(mk1.tileClockFrequency, 1.6e9);
  EXPECT_EQ(IPUModel("ipu21").tilesPerIPU, 1472u);
  EXPECT_THROW(IPUModel("ipu7"), invalid_option);
}

// Codelets of convolutions exist for these numbers only.
TEST(IPUModel, HasTheMatrixUnitsThatCodeletsAreMadeFor) {
  const Target mk2 = IPUModel("ipu2").createDevice().getTarget();
  EXPECT_EQ(mk2.getNumConvUnits(HALF, HALF), 16u);
  EXPECT_EQ(mk2.getNumConvUnits(HALF, FLOAT), 8u);
  EXPECT_EQ(mk2.getNumConvUnits(FLOAT, FLOAT), 16u);
  EXPECT_EQ(mk2.getWeightsPerConvUnit(HALF), 16u);
  EXPECT_EQ(mk2.getWeightsPerConvUnit(FLOAT), 8u);
  const Target mk1 = IPUModel("ipu1").createDevice().getTarget();
  for (const bool floatInput : {false, true})
    EXPECT_EQ(mk1.getNumConvUnits(floatInput, true), 8u);
  EXPECT_EQ(mk1.getNumConvUnits(false, false), 8u);
}

TEST(IPUModel, DevicesTakeOverItsFields) {
  IPUModel model;
  model.numIPUs = 3;
  model.tilesPerIPU = 10;
  model.memoryBytesPerTile = 1000;
  model.tileClockFrequency = 1.85e9;
  model.minIPUSyncDelay = 5;
  model.relativeSyncDelay = IPUModel::RelativeSyncDelayType::NO_DELAY;
  Device device = model.createDevice();
  const Target& target = device.getTarget();
  EXPECT_EQ(target.getTargetType(), TargetType::IPU_MODEL);
  EXPECT_EQ(target.getNumTiles(), 30u);
  EXPECT_EQ(target.getMemoryBytes(), 30000u);
  EXPECT_DOUBLE_EQ(target.getTileClockFrequency(), 1.85e9);
  EXPECT_EQ(target.getMaxIPUSyncDelay(), 5u);
  EXPECT_TRUE(device.attach());
  EXPECT_TRUE(device.supportsRemoteBuffers());
  EXPECT_EQ(device.createVirtualDevice(4).getTarget().getNumTiles(), 12u);
  EXPECT_EQ(device.getAttribute(IPUAttributes::AttributeId::BoardType), "IPU Model");
  EXPECT_EQ(device.getAttribute(IPUAttributes::AttributeId::BoardVariant),
            target.getTargetSystemString());
}

// The planner of the sixth Poplar tutorial: a matrix-vector product whose rows are cut into `split`
// partial sums. Its costs are published for both machines.
struct ProductPlan {
  unsigned bestSplit = 0, bestCost = ~0u, worstCost = 0;

  explicit ProductPlan(const Target& target, unsigned rows = 10000, unsigned columns = 1000) {
    const auto up = [](unsigned a, unsigned b) { return (a + b - 1) / b; };
    const unsigned tiles = target.getNumTiles(), workers = target.getNumWorkerContexts();
    const auto compute = [&](unsigned verticesOfATile, unsigned terms) {
      return up(verticesOfATile, workers) * workers * (5 + (terms + 1) / 2);
    };
    const auto receive = [&](unsigned floats) {
      return floats * 4 / target.getExchangeBytesPerCycle();
    };
    for (unsigned split = 1; split < columns; ++split) {
      const unsigned products = up(rows * split, tiles), sums = up(rows, tiles);
      const unsigned terms = up(columns, split);
      const unsigned cost = compute(products, terms) + receive(up(products, rows) * terms) +
                            compute(sums, split) + receive(sums * split);
      worstCost = std::max(worstCost, cost);
      if (cost < bestCost) {
        bestCost = cost;
        bestSplit = split;
      }
    }
  }
};

TEST(Target, GivesTheKnownPlansOfTheSixthTutorial) {
  const ProductPlan mk2(IPUModel("ipu2").createDevice().getTarget());
  EXPECT_EQ(mk2.bestSplit, 7u);
  EXPECT_EQ(mk2.bestCost, 3996u);
  EXPECT_EQ(mk2.worstCost, 53807u);
  const ProductPlan mk1(IPUModel("ipu1").createDevice().getTarget());
  EXPECT_EQ(mk1.bestSplit, 5u);
  EXPECT_EQ(mk1.bestCost, 4751u);
  EXPECT_EQ(mk1.worstCost, 64373u);
}

TEST(Target, KnowsTypesAndVectors) {
  const Target target = Target::createIPUTarget(2, "ipu2");
  EXPECT_EQ(target.getTargetType(), TargetType::IPU);
  EXPECT_EQ(target.getTargetArchString().cloneAsString(), "ipu2");
  EXPECT_EQ(target.getTypeSize(HALF), 2u);
  EXPECT_EQ(target.getTypeSize(BOOL), 1u);
  EXPECT_EQ(target.getTypeSize(LONGLONG), 8u);
  EXPECT_EQ(target.getVectorWidth(FLOAT), 2u);
  EXPECT_EQ(target.getVectorWidth(HALF), 4u);
  EXPECT_EQ(target.getMemoryElementOffsets().size(), 39u);
  EXPECT_EQ(target, Target::createIPUTarget(2, "ipu2"));
  EXPECT_NE(target, Target::createIPUTarget(1, "ipu2"));
  EXPECT_EQ(target.createVirtualTarget(1, 7).getNumTiles(), 7u);
  EXPECT_THROW(target.createVirtualTarget(3, 7), poplar_error);
  EXPECT_THROW(Target::createIPUTarget(1, "abacus"), invalid_option);
}

TEST(Target, ConvertsHalvesWithIeeeRounding) {
  const Target target = Target::createCPUTarget();
  // Exact, a tie to even, overflow, a subnormal, and minus zero.
  const float values[] = {1.5f, 2049.0f, 1e6f, 6e-8f, -0.0f};
  unsigned short halves[5];
  float back[5];
  copyFloatToDeviceHalf(target, values, halves, 5);
  copyDeviceHalfToFloat(target, halves, back, 5);
  EXPECT_EQ(halves[0], 0x3e00);
  EXPECT_EQ(back[1], 2048.0f);
  EXPECT_EQ(halves[2], 0x7c00);
  EXPECT_EQ(halves[3], 0x0001);
  EXPECT_EQ(halves[4], 0x8000);
}

TEST(Device, CpuIsOneTileWithOneWorkerPerIpu) {
  Device device = Device::createCPUDevice(2);
  EXPECT_EQ(device.getTarget().getTargetType(), TargetType::CPU);
  EXPECT_EQ(device.getTarget().getNumIPUs(), 2u);
  EXPECT_EQ(device.getTarget().getTilesPerIPU(), 1u);
  EXPECT_EQ(device.getTarget().getNumWorkerContexts(), 1u);
}

TEST(DeviceManager, OffersIpusOnlyWhenAsked) {
  unsetenv("IPUMODEL_DEVICES");
  EXPECT_TRUE(DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1).empty());
  setenv("IPUMODEL_DEVICES", "4", 1);
  DeviceManager manager = DeviceManager::createDeviceManager();
  EXPECT_EQ(manager.getDevices(TargetType::IPU, 1).size(), 4u);
  EXPECT_EQ(manager.getDevices(TargetType::IPU, 2).size(), 2u);
  EXPECT_EQ(manager.getDevices(TargetType::IPU, 4).size(), 1u);
  EXPECT_EQ(manager.getChildDeviceIds(manager.getDevices(TargetType::IPU, 2)[1].getId()),
            (std::vector<unsigned>{2, 3}));
  Device device = manager.acquireAvailableDevice(TargetType::IPU, 2);
  EXPECT_TRUE(device.isAttached());
  EXPECT_EQ(device.getTarget().getTargetType(), TargetType::IPU);
  EXPECT_EQ(device.getTarget().getTilesPerIPU(), 1472u);
  setenv("IPUMODEL_DEVICES", "ipu1:1", 1);
  EXPECT_EQ(DeviceManager().getDevices(TargetType::IPU, 1).at(0).getTarget().getTilesPerIPU(),
            1216u);
  setenv("IPUMODEL_DEVICES", "many", 1);
  EXPECT_THROW(DeviceManager(), invalid_option);
  unsetenv("IPUMODEL_DEVICES");
}

// As many IPUs as that while it lives; processes that are given `locks` share them.
class OfferedIpus {
public:
  explicit OfferedIpus(const char* count, const char* locks = nullptr)
      : manager(managerOf(count, locks)) {}
  ~OfferedIpus() {
    unsetenv("IPUMODEL_DEVICES");
    unsetenv("IPUMODEL_DEVICE_LOCKS");
  }
  const DeviceManager manager;

private:
  static DeviceManager managerOf(const char* count, const char* locks) {
    setenv("IPUMODEL_DEVICES", count, 1);
    if (locks)
      setenv("IPUMODEL_DEVICE_LOCKS", locks, 1);
    return DeviceManager();
  }
};

TEST(Device, IsAttachedToByOneHandleAtATime) {
  const OfferedIpus offered("2");
  Device first = offered.manager.getDevice(0), again = offered.manager.getDevice(0);
  EXPECT_TRUE(first.attach());
  EXPECT_TRUE(first.attach());
  EXPECT_FALSE(again.attach());
  EXPECT_FALSE(again.isAttached());
  EXPECT_THROW(offered.manager.acquireDeviceById(0), poplar_error);
  EXPECT_TRUE(offered.manager.getDevice(1).attach());
  first.detach();
  EXPECT_FALSE(first.isAttached());
  EXPECT_TRUE(again.attach());
  EXPECT_FALSE(first.attach());
}

TEST(Device, IsFreeWhenItsHandleIsGone) {
  const OfferedIpus offered("1");
  {
    const Device handle = offered.manager.acquireAvailableDevice(1);
    EXPECT_THROW(offered.manager.acquireAvailableDevice(1), poplar_error);
    const Device part = handle.createVirtualDevice(4);
    EXPECT_TRUE(part.attach());
  }
  Device moved = offered.manager.acquireAvailableDevice(1);
  const Device kept = std::move(moved);
  EXPECT_TRUE(kept.isAttached());
  EXPECT_FALSE(offered.manager.getDevice(0).attach());
}

TEST(Device, OfSeveralIpusTakesThemAll) {
  const OfferedIpus offered("4");
  const Device pair = offered.manager.acquireAvailableDevice(2);
  EXPECT_EQ(pair.getDriverIDs(), (std::vector<int>{0, 1}));
  EXPECT_FALSE(offered.manager.getDevice(1).attach());
  EXPECT_TRUE(offered.manager.getDevice(2).attach());
  EXPECT_TRUE(offered.manager.getDevices(TargetType::IPU, 4).at(0).getDriverIDs().size() == 4);
  EXPECT_FALSE(offered.manager.getDevices(TargetType::IPU, 4).at(0).attach());
  EXPECT_EQ(offered.manager.acquireAvailableDevice(2).getDriverIDs(), (std::vector<int>{2, 3}));
}

TEST(Device, IsAttachedToByOneProcessOfThoseThatShareLocks) {
  const std::string folder = testing::TempDir();
  const OfferedIpus offered("1", folder.c_str());
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const Device theirs = offered.manager.getDevice(0);
    const char isAttached = theirs.attach() ? 'y' : 'n';
    if (write(ready[1], &isAttached, 1) == 1)
      pause();
    _exit(0);
  }
  char isAttached = 0;
  ASSERT_EQ(read(ready[0], &isAttached, 1), 1);
  EXPECT_EQ(isAttached, 'y');
  EXPECT_FALSE(offered.manager.getDevice(0).attach());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(offered.manager.getDevice(0).attach());
}

TEST(Device, OfTheModelOrTheCpuIsAlwaysFree) {
  for (int i = 0; i != 2; ++i) {
    EXPECT_TRUE(IPUModel().createDevice().attach());
    EXPECT_TRUE(Device::createCPUDevice().isAttached());
  }
}

TEST(TargetType, HasAName) {
  EXPECT_EQ(toString(TargetType::IPU), "IPU");
  EXPECT_EQ(toString(TargetType::IPU_MODEL), "IPU_MODEL");
  std::ostringstream text;
  text << TargetType::CPU;
  EXPECT_EQ(text.str(), "CPU");
}

} // namespace
