#include "train/GateKeeping.hpp"

#include <gtest/gtest.h>

namespace spillway {
namespace {

// Gates of T steps take 4 * 8 * 32 * T floats, weights and gradients 2 * 3 * (20 + 32) * 32.
constexpr std::uint32_t kMostSteps = 2 * 3 * 52 / (4 * 8);

Settings settingsOf(std::uint32_t numSteps) {
  Settings settings;
  settings.network.numInputs = 20;
  LayerSpec layer;
  layer.kind = LayerKind::Egru;
  layer.size = 32;
  settings.network.layers = {layer};
  settings.data.numSteps = numSteps;
  settings.train.batchSize = 8;
  return settings;
}

TEST(GateKeeping, IsChosenWhereGatesNeedNoMoreMemoryThanWeightsAndGradients) {
  EXPECT_TRUE(keepsGates(settingsOf(kMostSteps)));
  EXPECT_FALSE(keepsGates(settingsOf(kMostSteps + 1)));
}

TEST(GateKeeping, IsChosenOnlyWhereNothingSpeaksAgainstIt) {
  Settings budgeted = settingsOf(2), onModel = budgeted, spiking = budgeted, paper = budgeted;
  budgeted.checkpoint.memoryBudgetBytes = 1u << 30;
  onModel.machine.device = DeviceKind::Model;
  spiking.network.layers[0].kind = LayerKind::Spiking;
  paper.network.layers[0].gated.convention = GatedConvention::Paper;
  for (const Settings& settings : {budgeted, onModel, spiking, paper}) {
    EXPECT_FALSE(keepsGates(settings));
  }
}

TEST(GateKeeping, IsAsAskedFor) {
  Settings settings = settingsOf(2);
  settings.checkpoint.keepGates = KeepGates::No;
  EXPECT_FALSE(keepsGates(settings));
  settings = settingsOf(kMostSteps + 1);
  settings.checkpoint.keepGates = KeepGates::Yes;
  EXPECT_TRUE(keepsGates(settings));
}

} // namespace
} // namespace spillway
