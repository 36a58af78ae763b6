// Collectives between the IPUs of one replica, for popops and gcl: row i of the data lies on IPU i.
#pragma once

#include <gcl/CollectiveOperator.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/CollectiveTypes.hpp>

namespace popops::rows {

// Every row becomes the reduction of all rows, where it lies.
poplar::Tensor allReduce(poplar::Graph& graph, const poplar::Tensor& data,
                         gcl::CollectiveOperator op, poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext);
// Part i of the reduction, where that part of row i lies. REQUIRES: rank 2.
Chunks reduceScatter(poplar::Graph& graph, const poplar::Tensor& data, gcl::CollectiveOperator op,
                     poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);
// [chunks][elements of all]: row i on the IPU of chunk i.
poplar::Tensor allGather(poplar::Graph& graph, const Chunks& chunks,
                         poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);

} // namespace popops::rows
