#include "machine/MachineParameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace ipumodel {
namespace {

TEST(MachineParameters, KnowTheDocumentedMachines) {
  EXPECT_EQ(MachineParameters::of(MachineVersion::Mk1).tilesPerIpu, 1216u);
  EXPECT_EQ(MachineParameters::of(MachineVersion::Mk1).bytesPerTile, 256u * 1024);
  const auto gc200 = MachineParameters::of(MachineVersion::Gc200);
  EXPECT_EQ(gc200.tilesPerIpu * gc200.bytesPerTile, 940'572'672u);
  EXPECT_DOUBLE_EQ(gc200.clockHz, 1.33e9);
  EXPECT_DOUBLE_EQ(MachineParameters::of(MachineVersion::Bow).clockHz, 1.85e9);
}

TEST(MachineParameters, EveryNumberNamesItsSource) {
  for (const char* name : {"mk1", "gc200", "bow", "c600"}) {
    const MachineDescription machine(machineVersion(name)); // outlives the loop over its notes
    for (const ParameterNote& note : machine.notes()) {
      EXPECT_FALSE(note.source.empty()) << note.name;
      EXPECT_GT(note.value, 0) << note.name;
    }
  }
}

TEST(MachineParameters, StreamingMemoryIsFlaggedAsUncalibrated) {
  const MachineDescription machine(MachineVersion::Gc200);
  for (const ParameterNote& note : machine.notes()) {
    if (note.name == "streamingMemoryBytesPerSecond") {
      EXPECT_EQ(note.confidence, Confidence::Uncalibrated);
    }
  }
}

TEST(MachineParameters, AnOverrideReplacesValueAndSource) {
  MachineDescription machine(MachineVersion::Gc200);
  machine.setAll("streamingMemoryBytesPerSecond=5.5e9,tilesPerIpu=64", "environment");
  EXPECT_DOUBLE_EQ(machine.parameters().streamingMemoryBytesPerSecond, 5.5e9);
  EXPECT_EQ(machine.parameters().tilesPerIpu, 64u);
  for (const ParameterNote& note : machine.notes()) {
    if (note.name == "tilesPerIpu") {
      EXPECT_EQ(note.source, "environment");
      EXPECT_EQ(note.confidence, Confidence::Chosen);
      EXPECT_EQ(note.value, 64);
    }
  }
}

std::string messageOf(std::string_view assignments) {
  try {
    MachineDescription(MachineVersion::Gc200).setAll(assignments, "test");
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(MachineParameters, ABadOverrideNamesTheLegalValues) {
  EXPECT_THAT(messageOf("clokHz=1e9"), testing::HasSubstr("known are tilesPerIpu"));
  EXPECT_THAT(messageOf("workerContexts=0"), testing::HasSubstr("from 1.000000 to 16.000000"));
  EXPECT_THAT(messageOf("workerContexts=2.5"), testing::HasSubstr("whole number"));
  EXPECT_THAT(messageOf("clockHz"), testing::HasSubstr("name=number"));
  EXPECT_THAT(messageOf("clockHz=fast"), testing::HasSubstr("name=number"));
}

TEST(MachineParameters, TimeBecomesCyclesOfTheOwnClock) {
  const auto gc200 = MachineParameters::of(MachineVersion::Gc200);
  const auto bow = MachineParameters::of(MachineVersion::Bow);
  EXPECT_EQ(cyclesOf(1e-6, gc200), 1330u);
  EXPECT_EQ(cyclesOf(1e-6, bow), 1850u);
  EXPECT_EQ(cyclesOf(1.5 / 1.33e9, gc200), 2u);
}

} // namespace
} // namespace ipumodel
