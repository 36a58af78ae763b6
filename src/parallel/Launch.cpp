#include "network/UserError.hpp"
#include "parallel/OneRank.hpp"
#include "parallel/Ranks.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#ifdef SPILLWAY_HAS_MPI
#include "parallel/MpiRanks.hpp"
#endif

namespace spillway {
namespace {

unsigned firstOf(const char* (*variable)(const char*), std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const char* value = variable(name)) {
      return static_cast<unsigned>(std::max(1ul, std::strtoul(value, nullptr, 10)));
    }
  }
  return 1;
}

const char* fromEnvironment(const char* name) {
  return std::getenv(name);
}

} // namespace

Launch launchOf(const char* (*variable)(const char* name)) {
  // Open MPI's mpirun, MPICH's and Slurm's PMI; Slurm's PMIx gives only a rank, and the step's
  // size.
  Launch launch;
  launch.numRanks = firstOf(variable, {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"});
  launch.numOnHost = firstOf(variable, {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
  if (launch.numRanks == 1 && variable("PMIX_RANK") != nullptr) {
    launch.numRanks = firstOf(variable, {"SLURM_STEP_NUM_TASKS"});
    launch.numOnHost = firstOf(variable, {"SLURM_STEP_TASKS_PER_NODE"});
  }
  return launch;
}

unsigned threadsOfRank() {
  const unsigned numCores = std::max(1u, std::thread::hardware_concurrency());
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const unsigned numAllowed = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0
                                  ? static_cast<unsigned>(CPU_COUNT(&allowed))
                                  : numCores;
  const unsigned share = numCores / launchOf(fromEnvironment).numOnHost;
  return std::max(1u, std::min(numAllowed, share));
}

std::unique_ptr<Ranks> openRanks() {
  const Launch launch = launchOf(fromEnvironment);
  if (launch.numRanks == 1) {
    return std::make_unique<OneRank>();
  }
#ifdef SPILLWAY_HAS_MPI
  return std::make_unique<MpiRanks>();
#else
  throw UserError("started as one of " + std::to_string(launch.numRanks) +
                  " ranks, but this build has no MPI: install libopenmpi-dev and configure with "
                  "-DSPILLWAY_MPI=on, or start a single process");
#endif
}

} // namespace spillway
