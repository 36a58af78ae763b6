// Collectives between replicas, for popops and gcl. Their results are those of gcl/Collectives.hpp.
#pragma once

#include <gcl/CollectiveOperator.hpp>
#include <gcl/CommGroup.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/OperationDef.hpp>

namespace popops::replicas {

// The reduction that an operator other than LOCAL stands for; MEAN still has to be divided.
Operation reduction(gcl::CollectiveOperator op);

poplar::Tensor allReduce(poplar::Graph& graph, const poplar::Tensor& data,
                         gcl::CollectiveOperator op, const gcl::CommGroup& group,
                         poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);
poplar::Tensor reduceScatter(poplar::Graph& graph, const poplar::Tensor& data,
                             gcl::CollectiveOperator op, const gcl::CommGroup& group,
                             poplar::program::Sequence& prog,
                             const poplar::DebugContext& debugContext);
poplar::Tensor allGather(poplar::Graph& graph, const poplar::Tensor& data,
                         const gcl::CommGroup& group, poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext);
poplar::Tensor allToAll(poplar::Graph& graph, const poplar::Tensor& data,
                        const gcl::CommGroup& group, poplar::program::Sequence& prog,
                        const poplar::DebugContext& debugContext);

} // namespace popops::replicas
