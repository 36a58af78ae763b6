// Known answers: the values PopLibs' published estimators give, worked out by hand.
#include "machine/OpCycles.hpp"

#include <gtest/gtest.h>

namespace ipumodel {
namespace {

const MachineParameters kMachine = MachineParameters::of(MachineVersion::Gc200);
constexpr auto kAnywhere = OperandPlacement::Anywhere;
constexpr auto kDistinct = OperandPlacement::DistinctElements;

void expectWithinATenth(std::uint64_t cycles, double known) {
  EXPECT_NEAR(static_cast<double>(cycles), known, 0.1 * known);
}

TEST(OpCycles, ScaledAddMatchesPopLibs) {
  expectWithinATenth(scaledAddTile(128, 4, kAnywhere, kMachine), 369);
  expectWithinATenth(scaledAddTile(128, 4, kDistinct, kMachine), 315);
  expectWithinATenth(scaledAddTile(1024, 4, kAnywhere, kMachine), 1719);
  expectWithinATenth(scaledAddTile(1024, 4, kDistinct, kMachine), 1215);
  expectWithinATenth(scaledAddTile(1024, 2, kAnywhere, kMachine), 945);
}

TEST(OpCycles, BinaryAddMatchesPopLibs) {
  expectWithinATenth(binaryOpTile(1024, 4, 3, kMachine), 1733);
  expectWithinATenth(binaryOpTile(1024, 2, 3, kMachine), 941);
}

TEST(OpCycles, ReduceMatchesPopLibs) {
  expectWithinATenth(reduceToScalarWorker(1000, 4), 17 + 500);
  expectWithinATenth(reduceToScalarWorker(1000, 2), 17 + 250);
  expectWithinATenth(stridedReduceWorker(10, 64, 4), 16 + 32 * (3 + 5 + 3 + 9));
}

TEST(OpCycles, SlicesMatchPopLibs) {
  expectWithinATenth(multiSliceTile(32, 2, 4, kMachine), 6 * (30 + 32 * 21));
  expectWithinATenth(multiUpdateAddTile(32, 4, kMachine), 6 * (32 + 32 * 20));
  expectWithinATenth(dynamicSliceTile(3, 96, 4, kMachine), 25 + 6 * (39 + 3 * (24 + 16)));
}

TEST(OpCycles, HalfIsNeverSlowerThanFloat) {
  for (std::uint64_t n = 1; n < 5000; n = 3 * n + 1) {
    EXPECT_LE(binaryOpTile(n, 2, 3, kMachine), binaryOpTile(n, 4, 3, kMachine)) << n;
    EXPECT_LE(scaledAddTile(n, 2, kAnywhere, kMachine), scaledAddTile(n, 4, kAnywhere, kMachine))
        << n;
    EXPECT_LE(fillWorker(n, 2), fillWorker(n, 4)) << n;
  }
}

TEST(OpCycles, RaggedSplitsChargeTheBusiestWorker) {
  EXPECT_EQ(binaryOpTile(13, 4, 3, kMachine), binaryOpTile(24, 4, 3, kMachine));
  EXPECT_LT(binaryOpTile(12, 4, 3, kMachine), binaryOpTile(13, 4, 3, kMachine));
}

} // namespace
} // namespace ipumodel
