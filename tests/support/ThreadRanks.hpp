// Ranks that are threads of one process, for tests without MPI.
#pragma once

#include "parallel/Ranks.hpp"

#include <algorithm>
#include <barrier>
#include <functional>
#include <stdexcept>
#include <thread>

namespace spillway {

// What the threads of one group share: each posts where its data is, and reads the others'.
struct RankBoard {
  explicit RankBoard(unsigned size) : barrier(size), floats(size), words(size), texts(size) {}
  std::barrier<> barrier;
  std::vector<std::span<const float>> floats;
  std::vector<std::vector<std::uint64_t>> words;
  std::vector<std::string> texts;
};

class ThreadRank final : public Ranks {
public:
  ThreadRank(RankBoard& board, unsigned rank) : board_(board), rank_(rank) {}

  unsigned rank() const override { return rank_; }
  unsigned size() const override { return static_cast<unsigned>(board_.floats.size()); }

  void exchange(std::span<const float> mine, std::span<const std::size_t> ends,
                const std::vector<bool>& gives, std::span<float> theirs) override {
    const std::size_t begin = rank_ == 0 ? 0 : ends[rank_ - 1];
    const std::size_t part = ends[rank_] - begin;
    post(board_.floats, mine);
    auto to = theirs.begin();
    for (unsigned r = 0; r < size(); ++r) {
      if (gives[r] != !board_.floats[r].empty()) {
        throw std::logic_error("a rank gives what it did not announce");
      }
      if (gives[r]) {
        const auto slice = board_.floats[r].subspan(begin, part);
        to = std::copy(slice.begin(), slice.end(), to);
      }
    }
    board_.barrier.arrive_and_wait();
  }
  void gather(std::span<float> values, std::span<const std::size_t> ends) override {
    post(board_.floats, std::span<const float>(values));
    for (unsigned r = 0; r < size(); ++r) {
      const std::size_t begin = r == 0 ? 0 : ends[r - 1];
      if (r != rank_) {
        const auto slice = board_.floats[r].subspan(begin, ends[r] - begin);
        std::copy(slice.begin(), slice.end(), values.begin() + static_cast<std::ptrdiff_t>(begin));
      }
    }
    board_.barrier.arrive_and_wait();
  }
  void sum(std::span<std::uint64_t> values) override {
    post(board_.words, std::vector<std::uint64_t>(values.begin(), values.end()));
    std::fill(values.begin(), values.end(), 0);
    for (const auto& ofRank : board_.words) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += ofRank[i];
      }
    }
    board_.barrier.arrive_and_wait();
  }
  void broadcast(std::span<float> values) override {
    post(board_.floats, std::span<const float>(values));
    if (rank_ != 0) {
      std::copy(board_.floats[0].begin(), board_.floats[0].end(), values.begin());
    }
    board_.barrier.arrive_and_wait();
  }
  std::string broadcast(const std::string& text) override { return gather(text)[0]; }
  std::vector<std::string> gather(const std::string& text) override {
    post(board_.texts, text);
    std::vector<std::string> all = board_.texts;
    board_.barrier.arrive_and_wait();
    return all;
  }
  [[noreturn]] void abort(int) override { throw std::logic_error("abort"); }

private:
  template <class T>
  void post(std::vector<T>& board, T mine) {
    board[rank_] = std::move(mine);
    board_.barrier.arrive_and_wait();
  }

  RankBoard& board_;
  unsigned rank_;
};

// Runs `body` on every rank and waits for all.
inline void onThreads(unsigned numRanks, const std::function<void(Ranks&)>& body) {
  RankBoard board(numRanks);
  std::vector<std::thread> threads;
  for (unsigned r = 0; r < numRanks; ++r) {
    threads.emplace_back([&, r] {
      ThreadRank rank(board, r);
      body(rank);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

} // namespace spillway
