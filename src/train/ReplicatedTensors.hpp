// Tensors by handle on all replicas of a graph: the host reads the first's, or each one's, and
// writes all alike, or each its own.
#pragma once

#include <poplar/Engine.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace spillway {

class ReplicatedTensors {
public:
  ReplicatedTensors(poplar::Engine& engine, unsigned numReplicas)
      : engine_(engine), numReplicas_(numReplicas) {}

  // Of replica 0.
  template <class T>
  void read(const std::string& handle, T* values, std::size_t size) {
    if (numReplicas_ == 1) {
      engine_.readTensor(handle, values, values + size);
    } else {
      const std::vector<T> all = readEach<T>(handle, size);
      std::copy_n(all.begin(), size, values);
    }
  }
  // Replica after replica.
  template <class T>
  std::vector<T> readEach(const std::string& handle, std::size_t size) {
    std::vector<T> all(size * numReplicas_);
    engine_.readTensor(handle, all.data(), all.data() + all.size());
    return all;
  }
  // The same to all replicas.
  template <class T>
  void write(const std::string& handle, const T* values, std::size_t size) {
    if (numReplicas_ == 1) {
      engine_.writeTensor(handle, values, values + size);
      return;
    }
    std::vector<T> all;
    all.reserve(size * numReplicas_);
    for (unsigned replica = 0; replica < numReplicas_; ++replica) {
      all.insert(all.end(), values, values + size);
    }
    writeEach(handle, all);
  }
  template <class T>
  void writeEach(const std::string& handle, const std::vector<T>& all) {
    engine_.writeTensor(handle, all.data(), all.data() + all.size());
  }

  unsigned numReplicas() const { return numReplicas_; }

private:
  poplar::Engine& engine_;
  unsigned numReplicas_;
};

} // namespace spillway
