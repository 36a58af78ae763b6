// A process that trains alone.
#pragma once

#include "parallel/Ranks.hpp"

#include <cstdlib>

namespace spillway {

class OneRank final : public Ranks {
public:
  unsigned rank() const override { return 0; }
  unsigned size() const override { return 1; }

  void exchange(std::span<const float> mine, std::span<const std::size_t>, const std::vector<bool>&,
                std::span<float> theirs) override {
    std::copy(mine.begin(), mine.end(), theirs.begin());
  }
  void gather(std::span<float>, std::span<const std::size_t>) override {}
  void sum(std::span<std::uint64_t>) override {}
  void broadcast(std::span<float>) override {}
  std::string broadcast(const std::string& text) override { return text; }
  std::vector<std::string> gather(const std::string& text) override { return {text}; }
  [[noreturn]] void abort(int code) override { std::exit(code); }
};

} // namespace spillway
