// The sum of the gradients of micro-batches that run on the replicas of a graph, made on the
// device: replica r of G has neighbouring micro-batches (plan::leavesOf), one after the other.
//
// The order of the sum is that of plan::SumStack, whatever the number of replicas. Each adds its
// own up as far as that order allows; then an all-to-all gives it its slice of everybody's sums,
// which it adds in order, and an all-gather gives the slices to all. That moves what an all-reduce
// moves; gcl's own promises no order.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/OptimiserPass.hpp"

#include <poplar/Program.hpp>

namespace spillway {

class ReplicaSum {
public:
  // numLeaves: micro-batches of an update, at least one for each replica of the graph.
  ReplicaSum(poplar::Graph& graph, const Geometry& geometry,
             const std::vector<TrainedTensor>& parameters, std::size_t numLeaves,
             const poplar::DebugContext& debugContext);

  // Whether a replica has more than one micro-batch.
  bool keepsSums() const { return numSlots_ != 0; }
  // After a micro-batch: takes its gradients in, as the stream host::kKeep says (KeepWord).
  poplar::program::Program keep(poplar::Graph& graph) const;
  // After the last one: the total of all replicas becomes the gradient on each. Replicas meet.
  poplar::program::Program finish(poplar::Graph& graph) const;

private:
  std::vector<poplar::Tensor> gradients() const; // of all that are updated, by parameter
  poplar::Tensor slot(std::size_t index) const;  // all of them in that slot of the stack, flat

  const std::vector<TrainedTensor>& parameters_;
  std::size_t numLeaves_, numReplicas_;
  std::size_t numSlots_ = 0;        // that a replica's stack needs; 0: the gradient itself is all
  std::vector<TiledTensor> stacks_; // by parameter; a piece is [numSlots][piece of the gradient]
  poplar::Tensor control_;          // UNSIGNED_INT [kKeepWords]
  poplar::DebugNameAndId name_;
};

} // namespace spillway
