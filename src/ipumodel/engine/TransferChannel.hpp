// Remote transfers beside the program: one thread, one outgoing and one incoming staging buffer.
#pragma once

#include "engine/RemoteStore.hpp"

#include <ipumodel/TransferStalls.hpp>

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
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
// longer than most transfers. What goes wrong in the thread is thrown to the next caller.
class TransferChannel {
public:
  TransferChannel();
  ~TransferChannel(); // serves what was started

  // Where the next outgoing transfer is put together; waits until the one before has left.
  std::byte* outgoing(std::size_t bytes);
  // Rows one after another from outgoing().
  void startWrite(RemoteStore& store, const std::vector<std::uint64_t>& rows);
  // REQUIRES: no read is under way.
  void startRead(RemoteStore& store, const std::vector<std::uint64_t>& rows);
  // The rows read, one after another; valid until the next read.
  const std::byte* finishRead();
  // Waits for everything.
  void drain();

  const TransferStalls& stalls() const { return stalls_; }

private:
  struct Job {
    RemoteStore* store = nullptr;
    std::vector<std::uint64_t> rows;
    StagingBuffer staging;
    std::uint64_t turn = 0; // among all jobs
    enum class Progress { None, Waiting, Served } progress = Progress::None;
    bool isUnderWay() const { return progress != Progress::None; }
  };

  void start(Job& job, RemoteStore& store, const std::vector<std::uint64_t>& rows);
  void waitFor(const Job& job);
  void run(); // the thread
  // The job whose turn it is, unless it is being served.
  Job* nextJob();
  // Takes the job's turn with the lock open meanwhile.
  void serve(Job& job, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable toThread_, fromThread_;
  Job write_, read_;
  std::uint64_t turns_ = 0;
  bool isEnding_ = false;
  std::exception_ptr failure_;
  TransferStalls stalls_;
  std::thread thread_;
};

} // namespace ipumodel
