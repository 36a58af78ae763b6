#include "parallel/MpiRanks.hpp"

#include "network/UserError.hpp"
#include "parallel/Watchdog.hpp"

#include <cstdlib>
#include <limits>
#include <numeric>

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

namespace spillway {
namespace {

// MPI counts in int.
int countOf(std::size_t count) {
  if (count > std::numeric_limits<int>::max()) {
    throw UserError(std::to_string(count) + " values in one message: MPI takes at most 2147483647; "
                                            "use more ranks or a smaller network");
  }
  return static_cast<int>(count);
}

// The counts and offsets of parts that end at `ends`.
struct Parts {
  explicit Parts(std::span<const std::size_t> ends) {
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      counts.push_back(countOf(end - begin));
      offsets.push_back(countOf(begin));
      begin = end;
    }
  }
  std::vector<int> counts, offsets;
};

} // namespace

MpiRanks::MpiRanks() {
  int provided = 0, rank = 0, size = 1;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<unsigned>(rank);
  size_ = static_cast<unsigned>(size);
  anyThread_ = provided == MPI_THREAD_MULTIPLE;
}

MpiRanks::~MpiRanks() {
  watchdog_.reset(); // waits for all ranks, which are watched while it does
  MPI_Finalize();
}

void MpiRanks::watch(const std::function<void(unsigned silent)>& lost) {
  if (size_ > 1 && anyThread_) {
    watchdog_ = std::make_unique<Watchdog>(lost);
  }
}

void MpiRanks::exchange(std::span<const float> mine, std::span<const std::size_t> ends,
                        const std::vector<bool>& gives, std::span<float> theirs) {
  Parts sent(ends);
  if (mine.empty()) {
    sent.counts.assign(size_, 0);
  }
  const std::size_t part = ends[rank_] - (rank_ == 0 ? 0 : ends[rank_ - 1]);
  std::vector<std::size_t> received;
  for (std::size_t r = 0, at = 0; r < size_; ++r) {
    received.push_back(at += gives[r] ? part : 0);
  }
  const Parts into(received);
  MPI_Alltoallv(mine.data(), sent.counts.data(), sent.offsets.data(), MPI_FLOAT, theirs.data(),
                into.counts.data(), into.offsets.data(), MPI_FLOAT, MPI_COMM_WORLD);
}

void MpiRanks::gather(std::span<float> values, std::span<const std::size_t> ends) {
  const Parts parts(ends);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_FLOAT, values.data(), parts.counts.data(),
                 parts.offsets.data(), MPI_FLOAT, MPI_COMM_WORLD);
}

void MpiRanks::sum(std::span<std::uint64_t> values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), countOf(values.size()), MPI_UINT64_T, MPI_SUM,
                MPI_COMM_WORLD);
}

void MpiRanks::broadcast(std::span<float> values) {
  MPI_Bcast(values.data(), countOf(values.size()), MPI_FLOAT, 0, MPI_COMM_WORLD);
}

std::string MpiRanks::broadcast(const std::string& text) {
  std::uint64_t size = text.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  std::string all = rank_ == 0 ? text : std::string(size, '\0');
  MPI_Bcast(all.data(), countOf(size), MPI_CHAR, 0, MPI_COMM_WORLD);
  return all;
}

std::vector<std::string> MpiRanks::gather(const std::string& text) {
  std::vector<std::uint64_t> sizes(size_, 0);
  sizes[rank_] = text.size();
  sum(sizes);
  std::vector<std::size_t> ends(size_);
  std::inclusive_scan(sizes.begin(), sizes.end(), ends.begin());
  const Parts parts(ends);
  std::string all(ends.back(), '\0');
  MPI_Allgatherv(text.data(), countOf(text.size()), MPI_CHAR, all.data(), parts.counts.data(),
                 parts.offsets.data(), MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (unsigned r = 0; r < size_; ++r) {
    texts.push_back(all.substr(ends[r] - sizes[r], sizes[r]));
  }
  return texts;
}

void MpiRanks::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code); // MPI_Abort does not return, but does not say so
}

} // namespace spillway
