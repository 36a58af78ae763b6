// Remote transfers beside the program: one thread, staging buffers, and rows read ahead.
#pragma once

#include "engine/RemoteStore.hpp"

#include <ipumodel/TransferStalls.hpp>

#include <array>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace ipumodel {

// Bytes that are not cleared when there are more of them.
class StagingBuffer {
public:
  std::byte* withRoomFor(std::size_t bytes) {
    if (bytes > size_) {
      bytes_.reset(); // the old ones first
      bytes_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
      size_ = bytes;
    }
    return bytes_.get();
  }
  std::byte* data() const { return bytes_.get(); }

private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
};

// Transfers are served in the order they are started, so a row that was written is read back whole.
// Whoever waits for one that the thread has not come to serves it himself: waking the thread takes
// longer than most transfers. Where rows of a store are read one after another, up or down, the
// thread reads the next one before it is asked for. What goes wrong in the thread is thrown to the
// next caller.
class TransferChannel {
public:
  TransferChannel();
  ~TransferChannel(); // serves what was started

  // Where the next outgoing transfer is put together; waits until the one before the last has left.
  std::byte* outgoing(std::size_t bytes);
  // Rows one after another from outgoing().
  void startWrite(RemoteStore& store, const std::vector<std::uint64_t>& rows);
  // REQUIRES: no read is under way.
  void startRead(RemoteStore& store, const std::vector<std::uint64_t>& rows);
  // The rows read, one after another; valid until endRead().
  const std::byte* finishRead();
  void endRead();
  // Waits for everything, and forgets what was read ahead.
  void drain();

  const TransferStalls& stalls() const { return stalls_; }

private:
  struct Job {
    RemoteStore* store = nullptr;
    std::vector<std::uint64_t> rows;
    StagingBuffer staging;
    std::uint64_t turn = 0; // among all jobs
    enum class Progress { None, Waiting, Served } progress = Progress::None;
    bool isWrite = false;
    bool isUnderWay() const { return progress != Progress::None; }
  };
  // Of one store: the row asked for last, and the one that is expected.
  struct Ahead {
    std::optional<std::uint64_t> last;
    Job job;
    bool holds = false; // the job's row has arrived
  };

  void start(Job& job, RemoteStore& store, const std::vector<std::uint64_t>& rows);
  void waitFor(const Job& job);
  void readAhead(RemoteStore& store, std::uint64_t row);
  // What is ahead of these rows is not what they will be. With the lock held.
  void forget(Ahead& ahead, std::unique_lock<std::mutex>& lock);
  void run(); // the thread
  // The job whose turn it is, unless it is being served.
  Job* nextJob();
  Ahead* nextAhead();
  // Takes the job's turn with the lock open meanwhile; what went wrong.
  std::exception_ptr serve(Job& job, std::unique_lock<std::mutex>& lock);
  void serveInTurn(Job& job, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable toThread_, fromThread_;
  std::array<Job, 2> writes_; // used in turns
  std::size_t nextWrite_ = 0;
  Job read_;
  std::map<RemoteStore*, Ahead> ahead_;
  Ahead* found_ = nullptr; // where the read under way was read ahead
  std::uint64_t turns_ = 0;
  bool isEnding_ = false;
  std::exception_ptr failure_;
  TransferStalls stalls_;
  std::thread thread_;
};

} // namespace ipumodel
