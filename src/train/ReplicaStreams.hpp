// The host's end of one replica's streams: what it is to run next, and what came out.
#pragma once

#include "data/EventBatch.hpp"
#include "graphs/SnnGraph.hpp"
#include "train/ReadResult.hpp"
#include "train/TrainingSession.hpp"

#include <poplar/Engine.hpp>

#include <vector>

namespace spillway {

// What the loss of a batch is a mean over, and what its run is for.
struct RunUse {
  MeanOver mean;
  bool training = false;
  std::uint32_t maskKeyOffset = 0;
};

class ReplicaStreams {
public:
  // Of replica `index` of a graph with several or one; connects them. The engine keeps pointers
  // into this object, which must not move.
  ReplicaStreams(const SnnGraph& snn, unsigned index, poplar::Engine& engine);
  ReplicaStreams(const ReplicaStreams&) = delete;
  ReplicaStreams& operator=(const ReplicaStreams&) = delete;

  // REQUIRES: the batch has the shape of the graph.
  void put(const EventBatch& batch, const RunUse& use);
  // What is to be done with the gradients, once the schedule ran.
  void put(const KeptShare& kept);
  // Of the batch that was put, after the schedule ran.
  BatchResult result() const;
  ScheduleCounts counts() const { return readCounts(results_); }

private:
  enum class Direction { In, Out };
  template <class T>
  void connect(const char* name, std::vector<T>& buffer, std::size_t size, Direction direction);
  void connectAll();
  void putInput(const EventBatch& batch);

  const SnnGraph& snn_;
  unsigned index_;
  poplar::Engine& engine_;
  RunUse use_;
  std::uint64_t numLabels_ = 0;  // of the batch
  std::uint32_t numFillers_ = 0; // likewise
  std::vector<std::uint16_t> input_, inputPart_;
  std::vector<std::int32_t> labels_, words_;
  std::vector<float> targets_, lossScale_;
  std::vector<std::uint32_t> phase_, keep_;
  HostResults results_;
};

} // namespace spillway
