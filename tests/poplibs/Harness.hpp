// Runs a small graph on an IPU Model and reads tensors back: only public headers.
#pragma once

#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Program.hpp>
#include <poplin/codelets.hpp>
#include <popops/codelets.hpp>
#include <poprand/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace harness {

using Shape = std::vector<std::size_t>;

inline poplar::Device makeDevice(unsigned numTiles, unsigned numIPUs = 1) {
  poplar::IPUModel model;
  model.tilesPerIPU = numTiles;
  model.numIPUs = numIPUs;
  return model.createDevice();
}

class TestGraph {
public:
  explicit TestGraph(unsigned numTiles = 12, unsigned replicas = 1)
      : device(makeDevice(numTiles, replicas)),
        graph(device.getTarget(), poplar::replication_factor(replicas)) {
    popops::addCodelets(graph);
    poplin::addCodelets(graph);
    poprand::addCodelets(graph);
  }

  // A tensor spread over the tiles, a few elements each, that holds `values` at the start.
  template <class T>
  poplar::Tensor input(const poplar::Type& type, const Shape& shape, const std::vector<T>& values) {
    const auto t = graph.addVariable(type, shape, "in");
    poputil::mapTensorLinearly(graph, t, 3, 1);
    setValues(t, values);
    return t;
  }
  template <class T>
  void setValues(const poplar::Tensor& t, const std::vector<T>& values) {
    graph.setInitialValue(t, poplar::ArrayRef<T>(values));
  }

  // Marks a tensor to be read after the run; gives its handle.
  std::string output(const poplar::Tensor& t) {
    const auto handle = "out" + std::to_string(numOutputs_++);
    graph.createHostRead(handle, t);
    tensors_.push_back(t);
    return handle;
  }

  void run(unsigned times = 1) {
    engine.reset(new poplar::Engine(graph, prog));
    engine->load(device);
    for (unsigned i = 0; i != times; ++i)
      engine->run(0);
  }

  // The elements as T; of HALF as float. Of all replicas, one after the other.
  template <class T>
  std::vector<T> read(const std::string& handle) {
    const auto& t = tensors_[static_cast<std::size_t>(std::stoul(handle.substr(3)))];
    const auto n = t.numElements() * graph.getReplicationFactor();
    if constexpr (std::is_same_v<T, bool>) {
      std::vector<std::uint8_t> raw(n);
      engine->readTensor(handle, raw.data(), raw.data() + n);
      return std::vector<bool>(raw.begin(), raw.end());
    } else {
      std::vector<T> values(n);
      if (t.elementType() == poplar::HALF) {
        std::vector<std::uint16_t> raw(n);
        engine->readTensor(handle, raw.data(), raw.data() + n);
        std::vector<float> wide(n);
        poplar::copyDeviceHalfToFloat(graph.getTarget(), raw.data(), wide.data(), n);
        for (std::size_t i = 0; i != n; ++i)
          values[i] = static_cast<T>(wide[i]);
      } else {
        engine->readTensor(handle, values.data(), values.data() + n);
      }
      return values;
    }
  }

  poplar::Device device;
  poplar::Graph graph;
  poplar::program::Sequence prog;
  std::unique_ptr<poplar::Engine> engine;

private:
  unsigned numOutputs_ = 0;
  std::vector<poplar::Tensor> tensors_;
};

inline std::vector<float> randomFloats(std::size_t n, unsigned seed, float low = -2,
                                       float high = 2) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> distribution(low, high);
  std::vector<float> values(n);
  for (auto& v : values)
    v = distribution(generator);
  return values;
}

inline std::vector<int> randomInts(std::size_t n, unsigned seed, int low = -50, int high = 50) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> distribution(low, high);
  std::vector<int> values(n);
  for (auto& v : values)
    v = distribution(generator);
  return values;
}

// The nearest half of a float.
inline float toHalf(const poplar::Target& target, float x) {
  std::uint16_t bits;
  float rounded;
  poplar::copyFloatToDeviceHalf(target, &x, &bits, 1);
  poplar::copyDeviceHalfToFloat(target, &bits, &rounded, 1);
  return rounded;
}

} // namespace harness
