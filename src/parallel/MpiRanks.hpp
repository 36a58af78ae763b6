// Ranks over MPI.
#pragma once

#include "parallel/Ranks.hpp"

namespace spillway {

class Watchdog;

// Initialises MPI and finalises it: one object a process, in one thread. Its end is collective.
class MpiRanks final : public Ranks {
public:
  MpiRanks();
  ~MpiRanks() override;
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  unsigned rank() const override { return rank_; }
  unsigned size() const override { return size_; }
  void exchange(std::span<const float> mine, std::span<const std::size_t> ends,
                const std::vector<bool>& gives, std::span<float> theirs) override;
  void gather(std::span<float> values, std::span<const std::size_t> ends) override;
  void sum(std::span<std::uint64_t> values) override;
  void broadcast(std::span<float> values) override;
  std::string broadcast(const std::string& text) override;
  std::vector<std::string> gather(const std::string& text) override;
  void watch(const std::function<void(unsigned silent)>& lost) override;
  [[noreturn]] void abort(int code) override;

private:
  unsigned rank_ = 0, size_ = 1;
  bool anyThread_ = false; // MPI may be called from several at once
  std::unique_ptr<Watchdog> watchdog_;
};

} // namespace spillway
