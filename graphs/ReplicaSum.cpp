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
  numSlots_ = plan::sumNeedsOf(numReplicas_, numLeaves).mostSlots;
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
  std::vector<poplar::Tensor> pieces;
  for (const TrainedTensor& parameter : parameters_) {
    for (std::size_t i = 0; !parameter.frozen && i < parameter.gradient.numPieces(); ++i) {
      pieces.push_back(parameter.gradient.piece(i));
    }
  }
  return pieces;
}

std::vector<poplar::Tensor> ReplicaSum::slot(std::size_t index) const {
  if (numSlots_ == 0) {
    return gradients();
  }
  std::vector<poplar::Tensor> pieces;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    for (std::size_t i = 0; !parameters_[p].frozen && i < stacks_[p].numPieces(); ++i) {
      const poplar::Tensor piece = stacks_[p].piece(i);
      const std::size_t size = piece.numElements() / numSlots_;
      pieces.push_back(piece.slice(index * size, (index + 1) * size));
    }
  }
  return pieces;
}

poplar::Tensor ReplicaSum::inRows(poplar::Graph& graph,
                                  const std::vector<poplar::Tensor>& pieces) const {
  std::vector<poplar::Tensor> rows;
  for (const poplar::Tensor& piece : pieces) {
    const std::size_t size = piece.numElements(), columns = columnsOf(size);
    const auto missing = static_cast<std::ptrdiff_t>(columns * numReplicas_ - size);
    rows.push_back(
        popops::pad(graph, piece, 0, missing, 0, 0.0f, popops::padding::MappingMethod::EDGE)
            .reshape({numReplicas_, columns}));
  }
  return poplar::concat(rows, 1);
}

poplar::Tensor ReplicaSum::fromRows(const poplar::Tensor& rows) const {
  std::vector<poplar::Tensor> pieces;
  std::size_t column = 0;
  for (const poplar::Tensor& piece : gradients()) {
    const std::size_t size = piece.numElements(), end = column + columnsOf(size);
    pieces.push_back(rows.slice(column, end, 1).flatten().slice(0, size));
    column = end;
  }
  return poplar::concat(pieces);
}

Program ReplicaSum::finish(poplar::Graph& graph) const {
  Sequence prog({}, {name_, "allReduce"});
  std::vector<std::vector<plan::LeafRange>> sumsOf;
  std::size_t rounds = 0;
  for (std::size_t replica = 0; replica < numReplicas_; ++replica) {
    sumsOf.push_back(plan::holdingOf(replica, numReplicas_, numLeaves_).sums);
    rounds = std::max(rounds, sumsOf.back().size());
  }
  // [round][replica]: its sum of that round, my slice.
  std::vector<poplar::Tensor> received;
  for (std::size_t round = 0; round < rounds; ++round) {
    received.push_back(
        gcl::allToAllCrossReplica(graph, inRows(graph, slot(round)), prog, {name_, "allToAll"}));
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
  prog.add(Copy(fromRows(total), poplar::concat(gradients()), false, {name_, "total"}));
  return prog;
}

} // namespace spillway
