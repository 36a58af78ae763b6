// The link to other processes as a build without MPI has it: its source is compiled into this test.
#include "engine/ReplicaLink.hpp"

#include <poplar/exceptions.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace ipumodel {
namespace {

class ReplicaLinkWithoutMpi : public testing::Test {
protected:
  void TearDown() override {
    ::unsetenv("OMPI_COMM_WORLD_SIZE");
    ::unsetenv("PMIX_RANK");
    ::unsetenv("SLURM_STEP_NUM_TASKS");
  }
};

TEST_F(ReplicaLinkWithoutMpi, IsNoneOfAProcessAlone) {
  EXPECT_EQ(openReplicaLink(), nullptr);
  ::setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
  EXPECT_EQ(openReplicaLink(), nullptr);
  ::unsetenv("OMPI_COMM_WORLD_SIZE");
  ::setenv("SLURM_STEP_NUM_TASKS", "2", 1); // srun without MPI
  EXPECT_EQ(openReplicaLink(), nullptr);
}

TEST_F(ReplicaLinkWithoutMpi, IsRefusedToOneOfSeveral) {
  ::setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  EXPECT_THROW(openReplicaLink(), poplar::poplar_error);
  ::unsetenv("OMPI_COMM_WORLD_SIZE");
  ::setenv("SLURM_STEP_NUM_TASKS", "2", 1);
  ::setenv("PMIX_RANK", "0", 1);
  EXPECT_THROW(openReplicaLink(), poplar::poplar_error);
}

} // namespace
} // namespace ipumodel
