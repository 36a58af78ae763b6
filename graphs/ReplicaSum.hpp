// The sum of the gradients of micro-batches that run on the replicas of a graph, made on the
// device: replica r of G has neighbouring micro-batches (plan::leavesOf), one after the other.
//
// The order of the sum is that of plan::SumStack, whatever the number of replicas. Each adds its
// own up as far as that order allows; then an all-to-all gives it its slice of everybody's sums,
// which it adds in order, and an all-gather gives the slices to all. That moves what an all-reduce
// moves; gcl's own promises no order. A slice has a part of what lies on each tile, so that no
// value leaves its tile but to the same one of another replica, and buffers are as even as
// parameters.
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
  const std::vector<TiledTensor>& stacks() const { return stacks_; } // by parameter; or none
  // After a micro-batch: takes its gradients in, as the stream host::kKeep says (KeepWord).
  poplar::program::Program keep(poplar::Graph& graph) const;
  // After the last one: the total of all replicas becomes the gradient on each. Replicas meet.
  poplar::program::Program finish(poplar::Graph& graph) const;

private:
  // Of all that are updated, by parameter and tile; the same in a slot of the stack.
  std::vector<poplar::Tensor> gradients() const;
  std::vector<poplar::Tensor> slot(std::size_t index) const;
  // [replica][element of its slice], with zeros where a piece does not divide; and back, flat.
  poplar::Tensor inRows(poplar::Graph& graph, const std::vector<poplar::Tensor>& pieces) const;
  poplar::Tensor fromRows(const poplar::Tensor& rows) const;
  std::size_t columnsOf(std::size_t size) const { return (size + numReplicas_ - 1) / numReplicas_; }

  const std::vector<TrainedTensor>& parameters_;
  std::size_t numLeaves_, numReplicas_;
  std::size_t numSlots_ = 0;        // that a replica's stack needs; 0: the gradient itself is all
  std::vector<TiledTensor> stacks_; // by parameter; a piece is [numSlots][piece of the gradient]
  poplar::Tensor control_;          // UNSIGNED_INT [kKeepWords]
  poplar::DebugNameAndId name_;
};

} // namespace spillway
