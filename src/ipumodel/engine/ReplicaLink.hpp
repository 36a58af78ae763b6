// The other processes that run replicas of the same graph, as PopRun's instances do.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace ipumodel {

class ReplicaLink {
public:
  struct Message {
    unsigned process = 0;
    int tag = 0; // the same at both ends
    std::byte* data = nullptr;
    std::size_t bytes = 0;
  };

  virtual ~ReplicaLink() = default;
  virtual unsigned process() const = 0;
  virtual unsigned numProcesses() const = 0;
  // Collective: returns when all were sent and received.
  virtual void exchange(const std::vector<Message>& sent, const std::vector<Message>& received) = 0;
};

// The processes that mpirun, srun or PopRun started with this one; null where it was started alone.
// Collective, and keeps MPI running until the process ends where nobody else has started it. Throws
// poplar::poplar_error where there are several and this library was built without MPI.
std::unique_ptr<ReplicaLink> openReplicaLink();

} // namespace ipumodel
