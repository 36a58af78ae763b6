#include "engine/TransferChannel.hpp"

#include <chrono>
#include <utility>

namespace ipumodel {

TransferChannel::TransferChannel() : thread_([this] { run(); }) {}

TransferChannel::~TransferChannel() {
  {
    const std::lock_guard lock(mutex_);
    isEnding_ = true;
  }
  toThread_.notify_one();
  thread_.join();
}

std::byte* TransferChannel::outgoing(std::size_t bytes) {
  waitFor(write_);
  return write_.staging.withRoomFor(bytes);
}

void TransferChannel::startWrite(RemoteStore& store, const std::vector<std::uint64_t>& rows) {
  start(write_, store, rows);
}

void TransferChannel::startRead(RemoteStore& store, const std::vector<std::uint64_t>& rows) {
  read_.staging.withRoomFor(store.rowBytes() * rows.size());
  start(read_, store, rows);
}

const std::byte* TransferChannel::finishRead() {
  waitFor(read_);
  return read_.staging.data();
}

void TransferChannel::drain() {
  waitFor(write_);
  waitFor(read_);
}

void TransferChannel::start(Job& job, RemoteStore& store, const std::vector<std::uint64_t>& rows) {
  {
    const std::lock_guard lock(mutex_);
    job.store = &store;
    job.rows = rows;
    job.turn = turns_++;
    job.progress = Job::Progress::Waiting;
  }
  ++stalls_.numTransfers;
  toThread_.notify_one();
}

void TransferChannel::waitFor(const Job& job) {
  std::unique_lock lock(mutex_);
  if (job.isUnderWay()) {
    const auto begin = std::chrono::steady_clock::now();
    while (job.isUnderWay()) {
      if (Job* const next = nextJob())
        serve(*next, lock);
      else
        fromThread_.wait(lock);
    }
    ++stalls_.numStalls;
    stalls_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  if (failure_)
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

TransferChannel::Job* TransferChannel::nextJob() {
  Job* const first =
      write_.isUnderWay() && (!read_.isUnderWay() || write_.turn < read_.turn) ? &write_ : &read_;
  return first->progress == Job::Progress::Waiting ? first : nullptr;
}

void TransferChannel::serve(Job& job, std::unique_lock<std::mutex>& lock) {
  job.progress = Job::Progress::Served;
  lock.unlock();
  std::exception_ptr failure;
  try {
    std::byte* at = job.staging.data();
    for (const std::uint64_t row : job.rows) {
      if (&job == &read_)
        job.store->read(row, at);
      else
        job.store->write(row, at);
      at += job.store->rowBytes();
    }
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  if (failure)
    failure_ = failure;
  job.progress = Job::Progress::None;
}

void TransferChannel::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    toThread_.wait(lock, [&] { return isEnding_ || nextJob() != nullptr; });
    Job* const job = nextJob();
    if (job == nullptr)
      return;
    serve(*job, lock);
    fromThread_.notify_one();
  }
}

} // namespace ipumodel
