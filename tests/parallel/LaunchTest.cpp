#include "parallel/Ranks.hpp"

#include <gtest/gtest.h>

#include <map>

namespace spillway {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): launchOf takes a function
std::map<std::string, std::string> environment;

const char* variable(const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? nullptr : found->second.c_str();
}

Launch launched(std::map<std::string, std::string> by) {
  environment = std::move(by);
  return launchOf(variable);
}

TEST(Launch, IsOfOneRankWithoutALauncher) {
  EXPECT_EQ(launched({}).numRanks, 1u);
  // The script of a job of several tasks, before it starts any.
  EXPECT_EQ(launched({{"SLURM_NTASKS", "3"}, {"SLURM_PROCID", "0"}}).numRanks, 1u);
  EXPECT_EQ(launched({{"SLURM_NTASKS", "3"}, {"SLURM_STEP_NUM_TASKS", "1"}}).numRanks, 1u);
}

TEST(Launch, TellsTasksThatFindEachOtherFromOthers) {
  const Launch apart = launched({{"SLURM_STEP_NUM_TASKS", "3"}, {"SLURM_PROCID", "2"}});
  EXPECT_EQ(apart.numRanks, 3u);
  EXPECT_EQ(apart.rank, 2u);
  EXPECT_FALSE(apart.joined);
  EXPECT_TRUE(launched({{"SLURM_STEP_NUM_TASKS", "3"}, {"PMIX_RANK", "2"}}).joined);
}

// It starts its daemons, one on each of two hosts, with srun.
TEST(Launch, IsThatOfMpirunWithinASlurmJob) {
  const Launch alone = launched({{"SLURM_STEP_NUM_TASKS", "2"},
                                 {"SLURM_PROCID", "1"},
                                 {"PMIX_RANK", "0"},
                                 {"OMPI_COMM_WORLD_SIZE", "1"},
                                 {"OMPI_COMM_WORLD_RANK", "0"}});
  EXPECT_EQ(alone.numRanks, 1u);
  EXPECT_EQ(alone.rank, 0u);
  EXPECT_TRUE(alone.joined);
}

TEST(Launch, IsKnownOfEveryLauncher) {
  const Launch mpirun =
      launched({{"OMPI_COMM_WORLD_SIZE", "6"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"}});
  EXPECT_EQ(mpirun.numRanks, 6u);
  EXPECT_EQ(mpirun.numOnHost, 3u);
  EXPECT_EQ(launched({{"PMI_SIZE", "4"}}).numRanks, 4u);
  const Launch srun = launched(
      {{"PMIX_RANK", "1"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_STEP_TASKS_PER_NODE", "4(x2)"}});
  EXPECT_EQ(srun.numRanks, 8u);
  EXPECT_EQ(srun.numOnHost, 4u);
  EXPECT_EQ(srun.rank, 1u);
}

// What PopRun gives each of two instances with two replicas.
TEST(Launch, IsKnownOfPopRun) {
  const Launch poprun = launched({{"OMPI_COMM_WORLD_SIZE", "2"},
                                  {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                  {"OMPI_COMM_WORLD_RANK", "1"},
                                  {"POPDIST_NUM_TOTAL_REPLICAS", "4"},
                                  {"POPDIST_NUM_LOCAL_REPLICAS", "2"},
                                  {"POPDIST_NUM_IPUS_PER_REPLICA", "1"},
                                  {"POPDIST_REPLICA_INDEX_OFFSET", "2"},
                                  {"POPDIST_LOCAL_INSTANCE_INDEX", "1"}});
  EXPECT_EQ(poprun.numRanks, 2u);
  EXPECT_EQ(poprun.numOnHost, 2u);
  EXPECT_EQ(poprun.rank, 1u);
}

} // namespace
} // namespace spillway
