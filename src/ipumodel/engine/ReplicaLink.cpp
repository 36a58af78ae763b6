#include "engine/ReplicaLink.hpp"

#include <poplar/exceptions.hpp>

#include <climits>
#include <cstdlib>
#include <string>

#ifdef IPUMODEL_HAS_MPI
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace ipumodel {
namespace {

// Open MPI's mpirun (PopRun's, too), MPICH's and Slurm's PMI; with PMIx Slurm gives the step's
// size.
bool wasStartedWithOthers() {
  const bool pmix = std::getenv("PMIX_RANK") != nullptr;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && (pmix || std::string(name).compare(0, 5, "SLURM") != 0))
      return std::strtoul(value, nullptr, 10) > 1;
  }
  return false;
}

#ifdef IPUMODEL_HAS_MPI

void finaliseMpi() {
  int done = 0;
  MPI_Finalized(&done);
  if (!done)
    MPI_Finalize();
}

class MpiReplicaLink final : public ReplicaLink {
public:
  MpiReplicaLink() {
    int started = 0;
    MPI_Initialized(&started);
    if (!started) {
      int provided = 0;
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
      std::atexit(finaliseMpi);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
    MPI_Comm_rank(communicator_, &process_);
    MPI_Comm_size(communicator_, &numProcesses_);
  }
  ~MpiReplicaLink() override {
    int done = 0;
    MPI_Finalized(&done);
    if (!done)
      MPI_Comm_free(&communicator_);
  }
  MpiReplicaLink(const MpiReplicaLink&) = delete;
  MpiReplicaLink& operator=(const MpiReplicaLink&) = delete;

  unsigned process() const override { return static_cast<unsigned>(process_); }
  unsigned numProcesses() const override { return static_cast<unsigned>(numProcesses_); }

  void exchange(const std::vector<Message>& sent, const std::vector<Message>& received) override {
    for (const auto* messages : {&sent, &received}) // before MPI may write into any of them
      for (const Message& m : *messages)
        countOf(m);
    requests_.clear();
    for (const Message& m : received)
      MPI_Irecv(m.data, countOf(m), MPI_BYTE, static_cast<int>(m.process), m.tag, communicator_,
                &requests_.emplace_back());
    for (const Message& m : sent)
      MPI_Isend(m.data, countOf(m), MPI_BYTE, static_cast<int>(m.process), m.tag, communicator_,
                &requests_.emplace_back());
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

private:
  static int countOf(const Message& message) {
    if (message.bytes > INT_MAX)
      throw poplar::runtime_error("a cross-replica copy of " + std::to_string(message.bytes) +
                                  " bytes between processes: MPI takes at most 2147483647");
    return static_cast<int>(message.bytes);
  }

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int process_ = 0, numProcesses_ = 1;
  std::vector<MPI_Request> requests_;
};

#endif

} // namespace

std::unique_ptr<ReplicaLink> openReplicaLink() {
  if (!wasStartedWithOthers())
    return nullptr;
#ifdef IPUMODEL_HAS_MPI
  return std::make_unique<MpiReplicaLink>();
#else
  throw poplar::poplar_error("one of several processes, but this IPU Model was built without MPI: "
                             "replicas cannot meet those of the others");
#endif
}

} // namespace ipumodel
