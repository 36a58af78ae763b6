#include "engine/TransferChannel.hpp"

#include <algorithm>
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
  Job& job = writes_[nextWrite_];
  waitFor(job);
  return job.staging.withRoomFor(bytes);
}

void TransferChannel::startWrite(RemoteStore& store, const std::vector<std::uint64_t>& rows) {
  if (const auto ahead = ahead_.find(&store); ahead != ahead_.end()) {
    std::unique_lock lock(mutex_);
    const std::vector<std::uint64_t>& read = ahead->second.job.rows;
    if (!read.empty() && std::find(rows.begin(), rows.end(), read.front()) != rows.end())
      forget(ahead->second, lock);
  }
  Job& job = writes_[nextWrite_];
  job.isWrite = true;
  nextWrite_ = (nextWrite_ + 1) % writes_.size();
  start(job, store, rows);
}

void TransferChannel::startRead(RemoteStore& store, const std::vector<std::uint64_t>& rows) {
  if (const auto ahead = ahead_.find(&store); ahead != ahead_.end()) {
    std::unique_lock lock(mutex_);
    Ahead& one = ahead->second;
    if (one.job.rows == rows && (one.holds || one.job.progress == Job::Progress::Served)) {
      found_ = &one;
      ++stalls_.numTransfers;
      return;
    }
    forget(one, lock);
  }
  read_.staging.withRoomFor(store.rowBytes() * rows.size());
  start(read_, store, rows);
}

const std::byte* TransferChannel::finishRead() {
  if (found_) {
    waitFor(found_->job);
    if (found_->holds)
      return found_->job.staging.data();
    start(read_, *found_->job.store, found_->job.rows); // says what is wrong
    --stalls_.numTransfers;
    found_ = nullptr;
  }
  waitFor(read_);
  return read_.staging.data();
}

void TransferChannel::endRead() {
  const Job& job = found_ ? found_->job : read_;
  RemoteStore& store = *job.store;
  const std::vector<std::uint64_t> rows = job.rows;
  found_ = nullptr;
  if (rows.size() == 1)
    readAhead(store, rows.front());
}

void TransferChannel::readAhead(RemoteStore& store, std::uint64_t row) {
  std::unique_lock lock(mutex_);
  Ahead& ahead = ahead_[&store];
  forget(ahead, lock);
  const std::optional<std::uint64_t> last = std::exchange(ahead.last, row);
  const bool rises = last && row == *last + 1, falls = last && row + 1 == *last;
  if ((!rises && !falls) || (rises && row + 1 == store.numRows()) || (falls && row == 0))
    return;
  ahead.job.staging.withRoomFor(store.rowBytes());
  ahead.job.store = &store;
  ahead.job.rows = {rises ? row + 1 : row - 1};
  ahead.job.progress = Job::Progress::Waiting;
  lock.unlock();
  toThread_.notify_one();
}

void TransferChannel::forget(Ahead& ahead, std::unique_lock<std::mutex>& lock) {
  if (ahead.job.progress == Job::Progress::Waiting)
    ahead.job.progress = Job::Progress::None;
  fromThread_.wait(lock, [&] { return !ahead.job.isUnderWay(); });
  ahead.holds = false;
  ahead.job.rows.clear();
}

void TransferChannel::drain() {
  for (const Job& write : writes_)
    waitFor(write);
  waitFor(read_);
  std::unique_lock lock(mutex_);
  for (auto& [store, ahead] : ahead_) {
    forget(ahead, lock);
    ahead.last.reset();
  }
  found_ = nullptr;
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
        serveInTurn(*next, lock);
      else
        fromThread_.wait(lock);
    }
    ++stalls_.numStalls;
    stalls_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (nextAhead()) // the thread may have found it too early
      toThread_.notify_one();
  }
  if (failure_)
    std::rethrow_exception(std::exchange(failure_, nullptr));
}

TransferChannel::Job* TransferChannel::nextJob() {
  Job* first = nullptr;
  for (Job* const job : {&writes_[0], &writes_[1], &read_})
    if (job->isUnderWay() && (!first || job->turn < first->turn))
      first = job;
  return first && first->progress == Job::Progress::Waiting ? first : nullptr;
}

// Only while nobody has started anything: what was written before is then there.
TransferChannel::Ahead* TransferChannel::nextAhead() {
  if (writes_[0].isUnderWay() || writes_[1].isUnderWay() || read_.isUnderWay())
    return nullptr;
  for (auto& [store, ahead] : ahead_)
    if (ahead.job.progress == Job::Progress::Waiting)
      return &ahead;
  return nullptr;
}

std::exception_ptr TransferChannel::serve(Job& job, std::unique_lock<std::mutex>& lock) {
  job.progress = Job::Progress::Served;
  lock.unlock();
  std::exception_ptr failure;
  try {
    std::byte* at = job.staging.data();
    for (const std::uint64_t row : job.rows) {
      if (job.isWrite)
        job.store->write(row, at);
      else
        job.store->read(row, at);
      at += job.store->rowBytes();
    }
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  job.progress = Job::Progress::None;
  return failure;
}

void TransferChannel::serveInTurn(Job& job, std::unique_lock<std::mutex>& lock) {
  if (const std::exception_ptr failure = serve(job, lock))
    failure_ = failure;
}

void TransferChannel::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    toThread_.wait(lock, [&] { return isEnding_ || nextJob() || nextAhead(); });
    if (Job* const job = nextJob())
      serveInTurn(*job, lock);
    else if (isEnding_)
      return;
    else if (Ahead* const ahead = nextAhead()) // one that fails is asked for again
      ahead->holds = serve(ahead->job, lock) == nullptr;
    fromThread_.notify_one();
  }
}

} // namespace ipumodel
