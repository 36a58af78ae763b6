#include "graphs/ReplicaSum.hpp"

#include "codelets/maths/Keep.hpp"
#include "graphs/SnnGraph.hpp"
#include "plan/TreeOrder.hpp"

#include <gcl/Collectives.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Pad.hpp>
#include <popops/codelets.hpp>

#include <algorithm>

namespace spillway {
namespace {

using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Program;
using poplar::program::Sequence;

// What a replica's stack holds in the end, and the most slots it needs on the way.
struct Stack {
  std::vector<plan::LeafRange> sums;
  std::size_t mostSlots = 0;
};

Stack stackOf(std::size_t replica, std::size_t numReplicas, std::size_t numLeaves) {
  Stack stack;
  plan::SumStack order(numLeaves);
  const plan::LeafRange range = plan::leavesOf(replica, numReplicas, numLeaves);
  for (std::size_t leaf = range.begin; leaf < range.end; ++leaf) {
    order.push({leaf, leaf + 1});
    stack.mostSlots = std::max(stack.mostSlots, order.sums().size());
  }
  stack.sums = order.sums();
  return stack;
}

} // namespace

ReplicaSum::ReplicaSum(poplar::Graph& graph, const Geometry& geometry,
                       const std::vector<TrainedTensor>& parameters, std::size_t numLeaves,
                       const poplar::DebugContext& debugContext)
    : parameters_(parameters),
      numLeaves_(numLeaves),
      numReplicas_(graph.getReplicationFactor()),
      name_(poplar::DebugInfo(debugContext, "spillway")) {
  popops::addCodelets(graph);
  if (numLeaves == numReplicas_) {
    return;
  }
  for (std::size_t replica = 0; replica < numReplicas_; ++replica) {
    numSlots_ = std::max(numSlots_, stackOf(replica, numReplicas_, numLeaves).mostSlots);
  }
  control_ = graph.addVariable(poplar::UNSIGNED_INT, {kKeepWords}, {name_, "control"});
  graph.setTileMapping(control_, geometry.controlTile);
  for (const TrainedTensor& parameter : parameters) {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < parameter.tiles.size(); ++i) {
      sizes.push_back(parameter.frozen ? 0 : numSlots_ * parameter.gradient.piece(i).numElements());
    }
    stacks_.emplace_back(graph, poplar::FLOAT, parameter.tiles, sizes,
                         poplar::DebugContext{name_, "sums"});
  }
}

Program ReplicaSum::keep(poplar::Graph& graph) const {
  Sequence prog({}, {name_, "keep"});
  if (numSlots_ == 0) {
    return prog;
  }
  prog.add(
      Copy(graph.addHostToDeviceFIFO(host::kKeep, poplar::UNSIGNED_INT, kKeepWords), control_));
  poplar::ComputeSet set = graph.addComputeSet({name_, "keep"});
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const TrainedTensor& parameter = parameters_[p];
    for (std::size_t i = 0; !parameter.frozen && i < parameter.tiles.size(); ++i) {
      auto vertex = graph.addVertex(set, "KeepGradient",
                                    {{"control", control_},
                                     {"gradient", parameter.gradient.piece(i)},
                                     {"sums", stacks_[p].piece(i)}});
      graph.setTileMapping(vertex, parameter.tiles[i]);
    }
  }
  prog.add(Execute(set, {name_, "keep"}));
  return prog;
}

std::vector<poplar::Tensor> ReplicaSum::gradients() const {
  std::vector<poplar::Tensor> flat;
  for (const TrainedTensor& parameter : parameters_) {
    if (!parameter.frozen) {
      flat.push_back(parameter.gradient.flat());
    }
  }
  return flat;
}

poplar::Tensor ReplicaSum::slot(std::size_t index) const {
  if (numSlots_ == 0) {
    return poplar::concat(gradients());
  }
  std::vector<poplar::Tensor> pieces;
  for (const TiledTensor& stack : stacks_) {
    for (std::size_t i = 0; i < stack.numPieces(); ++i) {
      const poplar::Tensor piece = stack.piece(i);
      const std::size_t size = piece.numElements() / numSlots_;
      if (size != 0) {
        pieces.push_back(piece.slice(index * size, (index + 1) * size));
      }
    }
  }
  return poplar::concat(pieces);
}

Program ReplicaSum::finish(poplar::Graph& graph) const {
  Sequence prog({}, {name_, "allReduce"});
  std::vector<std::vector<plan::LeafRange>> sumsOf;
  std::size_t rounds = 0;
  for (std::size_t replica = 0; replica < numReplicas_; ++replica) {
    sumsOf.push_back(stackOf(replica, numReplicas_, numLeaves_).sums);
    rounds = std::max(rounds, sumsOf.back().size());
  }
  // [round][replica]: its sum of that round, my slice.
  std::vector<poplar::Tensor> received;
  std::size_t size = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    poplar::Tensor mine = slot(round);
    size = mine.numElements();
    const std::size_t part = (size + numReplicas_ - 1) / numReplicas_;
    mine = popops::pad(graph, mine, 0, static_cast<std::ptrdiff_t>(part * numReplicas_ - size), 0,
                       0.0f, popops::padding::MappingMethod::EDGE);
    received.push_back(gcl::allToAllCrossReplica(graph, mine.reshape({numReplicas_, part}), prog,
                                                 {name_, "allToAll"}));
  }
  plan::SumStack order(numLeaves_);
  std::vector<poplar::Tensor> stack;
  for (std::size_t replica = 0; replica < numReplicas_; ++replica) {
    for (std::size_t round = 0; round < sumsOf[replica].size(); ++round) {
      poplar::Tensor sum = received[round][replica];
      for (std::size_t merges = order.push(sumsOf[replica][round]); merges > 0; --merges) {
        popops::addInPlace(graph, stack.back(), sum, prog, {name_, "add"});
        sum = stack.back();
        stack.pop_back();
      }
      stack.push_back(sum);
    }
  }
  const poplar::Tensor total =
      gcl::allGatherCrossReplica(graph, stack.front(), prog, {name_, "allGather"});
  prog.add(
      Copy(total.flatten().slice(0, size), poplar::concat(gradients()), false, {name_, "total"}));
  return prog;
}

} // namespace spillway
