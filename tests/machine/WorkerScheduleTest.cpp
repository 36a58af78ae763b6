#include "machine/WorkerSchedule.hpp"

#include "machine/MachineParameters.hpp"

#include <gtest/gtest.h>

namespace ipumodel {
namespace {

TEST(WorkerSchedule, OneBusyWorkerIsAsSlowAsSix) {
  WorkerSchedule one(6), six(6);
  one.addWorker(100);
  for (int i = 0; i < 6; ++i)
    six.addWorker(100);
  EXPECT_EQ(one.result().cycles, 600u);
  EXPECT_EQ(six.result().cycles, 600u);
  EXPECT_EQ(one.result().busyCycles, 600u);
  EXPECT_EQ(six.result().busyCycles, 3600u);
}

TEST(WorkerSchedule, TheSeventhVertexTakesTheContextThatIsFreeFirst) {
  WorkerSchedule schedule(6);
  for (std::uint64_t cycles : {100, 100, 10, 100, 100, 100, 50})
    schedule.addWorker(cycles);
  EXPECT_EQ(schedule.result().cycles, 600u);
}

TEST(WorkerSchedule, WholeTileVerticesFollowOneAnother) {
  WorkerSchedule schedule(6);
  schedule.add(VertexKind::Supervisor, 1000);
  schedule.add(VertexKind::Multi, 500);
  schedule.add(VertexKind::Worker, 10);
  EXPECT_EQ(schedule.result().cycles, 1560u);
}

TEST(WorkerSchedule, AnUnknownEstimateIsCountedAndNotFree) {
  WorkerSchedule schedule(6);
  schedule.add(VertexKind::Worker, std::nullopt);
  schedule.add(VertexKind::Worker, 5);
  EXPECT_EQ(schedule.result().unknownVertices, 1u);
  EXPECT_EQ(schedule.result().cycles, 30u);
}

TEST(WorkerSchedule, MatchesTheMeasuredPairOfSupervisorVertices) {
  // Graphcore's lightweight profiling tutorial measured 7,236 cycles for two Executes of a
  // supervisor vertex of about 3,600.
  const auto machine = MachineParameters::of(MachineVersion::Gc200);
  std::uint64_t cycles = 0;
  for (int i = 0; i < 2; ++i) {
    WorkerSchedule schedule(6);
    schedule.add(VertexKind::Supervisor, 3600);
    cycles += schedule.result().cycles + machine.executeControlCycles;
  }
  EXPECT_NEAR(static_cast<double>(cycles), 7236, 0.02 * 7236);
}

TEST(WorkerSchedule, RejectsNoWorkers) {
  EXPECT_THROW(WorkerSchedule(0), std::invalid_argument);
}

} // namespace
} // namespace ipumodel
