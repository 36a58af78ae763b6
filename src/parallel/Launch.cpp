#include "network/UserError.hpp"
#include "parallel/EveryRankError.hpp"
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

unsigned firstOf(const char* (*variable)(const char*), std::initializer_list<const char*> names,
                 unsigned least) {
  for (const char* name : names) {
    if (const char* value = variable(name)) {
      return std::max(least, static_cast<unsigned>(std::strtoul(value, nullptr, 10)));
    }
  }
  return least;
}

const char* fromEnvironment(const char* name) {
  return std::getenv(name);
}

} // namespace

Launch launchOf(const char* (*variable)(const char* name)) {
  Launch launch;
  if (variable("OMPI_COMM_WORLD_SIZE") != nullptr || variable("PMI_SIZE") != nullptr) {
    // Open MPI's mpirun, MPICH's, and Slurm's PMI.
    launch.numRanks = firstOf(variable, {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1);
    launch.numOnHost = firstOf(variable, {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}, 1);
    launch.rank = firstOf(variable, {"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0);
  } else if (variable("SLURM_STEP_NUM_TASKS") != nullptr) {
    // srun; a batch script is no step, however many tasks its job has. PMIx gives only a rank.
    launch.numRanks = firstOf(variable, {"SLURM_STEP_NUM_TASKS"}, 1);
    launch.numOnHost = firstOf(variable, {"SLURM_STEP_TASKS_PER_NODE"}, 1);
    launch.rank = firstOf(variable, {"PMIX_RANK", "SLURM_PROCID"}, 0);
    launch.joined = variable("PMIX_RANK") != nullptr;
  }
  return launch;
}

Launch launchHere() {
  return launchOf(fromEnvironment);
}

unsigned threadsOfRank() {
  const unsigned numCores = std::max(1u, std::thread::hardware_concurrency());
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const unsigned numAllowed = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0
                                  ? static_cast<unsigned>(CPU_COUNT(&allowed))
                                  : numCores;
  const unsigned share = numCores / launchHere().numOnHost;
  return std::max(1u, std::min(numAllowed, share));
}

std::unique_ptr<Ranks> openRanks() {
  const Launch launch = launchHere();
  if (launch.numRanks == 1) {
    return std::make_unique<OneRank>();
  }
  if (!launch.joined) {
    throw EveryRankError(
        "srun started " + std::to_string(launch.numRanks) +
        " tasks that cannot find each other, and each would train on its own: use srun --mpi=pmix, "
        "or mpirun; for runs that are meant to be apart, env -u SLURM_STEP_NUM_TASKS spillway ...");
  }
#ifdef SPILLWAY_HAS_MPI
  auto ranks = std::make_unique<MpiRanks>();
  if (ranks->size() != launch.numRanks) {
    // Each would train on its own, in one folder.
    throw UserError("the launcher started " + std::to_string(launch.numRanks) +
                    " ranks, but MPI knows of " + std::to_string(ranks->size()) +
                    ": start them with the mpirun of the Open MPI that this build uses, or srun "
                    "with its PMIx");
  }
  return ranks;
#else
  throw UserError("started as one of " + std::to_string(launch.numRanks) +
                  " ranks, but this build has no MPI: install libopenmpi-dev and configure with "
                  "-DSPILLWAY_MPI=on, or start a single process");
#endif
}

} // namespace spillway
