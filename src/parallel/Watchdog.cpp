#include "parallel/Watchdog.hpp"

#include "parallel/Ranks.hpp"

#include <chrono>
#include <utility>

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

namespace spillway {
namespace {

constexpr std::chrono::milliseconds kBetweenBeats{500};
constexpr unsigned kSilentBeats = kSilentRankSeconds * 1000 / kBetweenBeats.count();

} // namespace

struct Watchdog::Beats {
  Beats() {
    int rank = 0, size = 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator); // so that no message meets one of the ranks' own
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    before = (rank + size - 1) % size;
    after = (rank + 1) % size;
  }

  // One at a time: the rank before may be the silent one.
  void send() {
    int sent = 1;
    if (request != MPI_REQUEST_NULL) {
      MPI_Test(&request, &sent, MPI_STATUS_IGNORE);
    }
    if (sent != 0) {
      MPI_Isend(&beat, 1, MPI_CHAR, before, 0, communicator, &request);
    }
  }

  bool receiveAll() {
    bool any = false;
    for (int there = 1; there != 0;) {
      MPI_Iprobe(after, 0, communicator, &there, MPI_STATUS_IGNORE);
      if (there != 0) {
        char heard = 0;
        MPI_Recv(&heard, 1, MPI_CHAR, after, 0, communicator, MPI_STATUS_IGNORE);
        any = true;
      }
    }
    return any;
  }

  MPI_Comm communicator = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  char beat = 1;
  int before = 0, after = 0;
};

Watchdog::Watchdog(std::function<void(unsigned silent)> lost)
    : lost_(std::move(lost)), beats_(std::make_unique<Beats>()), thread_([this] { run(); }) {}

Watchdog::~Watchdog() {
  MPI_Barrier(beats_->communicator); // the last rank has got here: nobody need be watched
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
  MPI_Barrier(beats_->communicator); // nobody sends any more
  beats_->receiveAll();
  if (beats_->request != MPI_REQUEST_NULL) {
    MPI_Wait(&beats_->request, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&beats_->communicator);
}

void Watchdog::run() {
  unsigned numSilent = 0;
  std::unique_lock lock(mutex_);
  while (!ends_) {
    lock.unlock();
    beats_->send();
    numSilent = beats_->receiveAll() ? 0 : numSilent + 1;
    if (numSilent == kSilentBeats) {
      lost_(static_cast<unsigned>(beats_->after));
    }
    lock.lock();
    changed_.wait_for(lock, kBetweenBeats, [this] { return ends_; });
  }
}

} // namespace spillway
