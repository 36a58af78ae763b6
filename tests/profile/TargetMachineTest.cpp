#include "profile/TargetMachine.hpp"

#include "TestGraph.hpp"

#include <poplar/exceptions.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace ipumodel {
namespace {

poplar::Target targetOf(const char* version) {
  return poplar::IPUModel(version).createDevice().getTarget();
}

TEST(TargetMachine, TheTargetsOfTheModelAreTheDocumentedMachines) {
  // The figures Graphcore's matrix planner tutorial prints follow from these.
  EXPECT_EQ(targetOf("ipu2").getNumTiles(), 1472u);
  EXPECT_EQ(targetOf("ipu1").getNumTiles(), 1216u);
  for (const char* version : {"ipu1", "ipu2", "ipu21"}) {
    EXPECT_EQ(targetOf(version).getNumWorkerContexts(), 6u);
    EXPECT_EQ(targetOf(version).getExchangeBytesPerCycle(), 4u);
    const MachineDescription machine = machineOf(targetOf(version));
    for (const ParameterNote& note : machine.notes())
      EXPECT_NE(note.confidence, Confidence::Chosen) << version << " " << note.name;
  }
}

TEST(TargetMachine, TheClockTellsABow) {
  poplar::IPUModel model("ipu2");
  model.tileClockFrequency = 1.85e9;
  EXPECT_EQ(machineOf(model.createDevice().getTarget()).parameters().version, MachineVersion::Bow);
}

TEST(TargetMachine, FieldsOfTheModelOverrideTheMachine) {
  poplar::IPUModel model("ipu2");
  model.memoryBytesPerTile = 1 << 20;
  model.exchangeBytesPerCycle = 16;
  const MachineParameters machine = machineOf(model.createDevice().getTarget()).parameters();
  EXPECT_EQ(machine.bytesPerTile, 1u << 20);
  EXPECT_EQ(machine.exchangeBytesPerCycle, 16u);
}

const ParameterNote& noteOf(const MachineDescription& machine, const std::string& name) {
  for (const ParameterNote& note : machine.notes())
    if (note.name == name)
      return note;
  throw std::out_of_range(name);
}

TEST(TargetMachine, SaysWhoSetAParameter) {
  const std::string name = "streamingMemoryBytesPerSecond";
  const std::string standard = noteOf(machineOf(testTarget()), name).source;
  EXPECT_EQ(noteOf(machineOf(testTarget(), name + "=5e9"), name).source,
            "engine option ipumodel.machine");
  EXPECT_EQ(machineOf(testTarget(), name + "=5e9").parameters().streamingMemoryBytesPerSecond, 5e9);
  EXPECT_EQ(noteOf(machineOf(testTarget(), name + "=20e9"), name).source, standard)
      << "what holds anyway is nobody's choice";
  EXPECT_THROW(machineOf(testTarget(), "streaming=1"), poplar::invalid_option);
}

TEST(TargetMachine, TheEnvironmentHasTheLastWord) {
  ::setenv("IPUMODEL_MACHINE", "streamingMemoryBytesPerSecond=5e9", 1);
  const MachineParameters machine = machineOf(testTarget()).parameters();
  ::setenv("IPUMODEL_MACHINE", "streamingMemory=5e9", 1);
  EXPECT_THROW(machineOf(testTarget()), poplar::invalid_option);
  ::unsetenv("IPUMODEL_MACHINE");
  EXPECT_DOUBLE_EQ(machine.streamingMemoryBytesPerSecond, 5e9);
}

} // namespace
} // namespace ipumodel
