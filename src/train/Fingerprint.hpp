// Tells contents apart: XXH3 of all that was added, in order.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace spillway {

class DataSet;

class Fingerprint {
public:
  Fingerprint();
  ~Fingerprint();

  void add(std::span<const std::byte> bytes);
  std::string text() const; // 16 hexadecimal digits

private:
  struct State;
  std::unique_ptr<State> state_;
};

// Name, sizes, and a mark of a few samples of every split: tells data apart that a configuration
// cannot, being files that were replaced.
std::string describeData(const DataSet& data);

} // namespace spillway
