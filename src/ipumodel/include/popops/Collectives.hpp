// Collectives under their older names; gcl/Collectives.hpp has the newer ones.
//
// The first three are between the IPUs of one replica, the others between replicas. Options
// change nothing but are checked: method, collectiveImplementation, useReplicatedImplementation,
// useSynclessCollectives, maxBytesPerTile, topology, link, and those that begin with "syncful." or
// "syncless.".
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/CollectiveTypes.hpp>

namespace popops {

/// Row i of toReduce, which has rank 2, lies on IPU i, and so does chunk i of the reduction of the
/// rows. The first chunks may have an element more than the last.
Chunks reduceScatter(poplar::Graph& graph, const poplar::Tensor& toReduce, CollectiveOperator op,
                     poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                     const poplar::OptionFlags& options = {});
/// The elements of all chunks, by index: [chunks][elements]. Row i lies on the IPU of chunk i.
poplar::Tensor allGather(poplar::Graph& graph, const Chunks& toGather,
                         poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {},
                         const poplar::OptionFlags& options = {});
/// The reduction of the rows, in every row.
poplar::Tensor allReduce(poplar::Graph& graph, const poplar::Tensor& toReduce,
                         CollectiveOperator op, poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {},
                         const poplar::OptionFlags& options = {});

/// The reduction over all replicas: a new tensor, or into `output`, or into the data itself.
poplar::Tensor replicatedAllReduce(poplar::Graph& graph, const poplar::Tensor& data,
                                   CollectiveOperator op, poplar::program::Sequence& prog,
                                   const poplar::DebugContext& debugContext = {},
                                   const poplar::OptionFlags& options = {});
/// `graph` is part of the parent graph, which does not matter here.
poplar::Tensor replicatedAllReduce(poplar::Graph& graph, poplar::Graph& parentGraph,
                                   const poplar::Tensor& data, CollectiveOperator op,
                                   poplar::program::Sequence& prog,
                                   const poplar::DebugContext& debugContext = {},
                                   const poplar::OptionFlags& options = {});
void replicatedAllReduceWithOutput(poplar::Graph& graph, const poplar::Tensor& data,
                                   const poplar::Tensor& output, CollectiveOperator op,
                                   poplar::program::Sequence& prog,
                                   const poplar::DebugContext& debugContext = {},
                                   const poplar::OptionFlags& options = {});
void replicatedAllReduceInPlace(poplar::Graph& graph, const poplar::Tensor& data,
                                CollectiveOperator op, poplar::program::Sequence& prog,
                                const poplar::DebugContext& debugContext = {},
                                const poplar::OptionFlags& options = {});

/// Part r of the reduction on replica r: the data in as many equal parts as there are replicas,
/// with zeros at the end if need be.
poplar::Tensor replicatedReduceScatter(poplar::Graph& graph, const poplar::Tensor& toReduce,
                                       CollectiveOperator op, poplar::program::Sequence& prog,
                                       const poplar::DebugContext& debugContext = {},
                                       const poplar::OptionFlags& options = {});

/// The data of all replicas: [replicas][shape...].
poplar::Tensor replicatedAllGather(poplar::Graph& graph, const poplar::Tensor& toGather,
                                   poplar::program::Sequence& prog,
                                   const poplar::DebugContext& debugContext = {},
                                   const poplar::OptionFlags& options = {});

/// Row s of the result on replica r is row r of the input on replica s. REQUIRES: as many rows as
/// there are replicas.
poplar::Tensor allToAllPersonalizedExchange(poplar::Graph& graph, const poplar::Tensor& input,
                                            poplar::program::Sequence& sequence,
                                            const poplar::DebugContext& debugContext = {},
                                            const poplar::OptionFlags& options = {});

/// With the operations of reductions, as the first programs name them.
inline Chunks reduceScatter(poplar::Graph& graph, const poplar::Tensor& toReduce, Operation op,
                            poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {},
                            const poplar::OptionFlags& options = {}) {
  return reduceScatter(graph, toReduce, operationToCollectiveOperator(op), prog, debugContext,
                       options);
}
inline poplar::Tensor allReduce(poplar::Graph& graph, const poplar::Tensor& toReduce, Operation op,
                                poplar::program::Sequence& prog,
                                const poplar::DebugContext& debugContext = {},
                                const poplar::OptionFlags& options = {}) {
  return allReduce(graph, toReduce, operationToCollectiveOperator(op), prog, debugContext, options);
}
inline poplar::Tensor replicatedAllReduce(poplar::Graph& graph, const poplar::Tensor& data,
                                          Operation op, poplar::program::Sequence& prog,
                                          const poplar::DebugContext& debugContext = {},
                                          const poplar::OptionFlags& options = {}) {
  return replicatedAllReduce(graph, data, operationToCollectiveOperator(op), prog, debugContext,
                             options);
}
inline poplar::Tensor replicatedAllReduce(poplar::Graph& graph, poplar::Graph& parentGraph,
                                          const poplar::Tensor& data, Operation op,
                                          poplar::program::Sequence& prog,
                                          const poplar::DebugContext& debugContext = {},
                                          const poplar::OptionFlags& options = {}) {
  return replicatedAllReduce(graph, parentGraph, data, operationToCollectiveOperator(op), prog,
                             debugContext, options);
}
inline void replicatedAllReduceWithOutput(poplar::Graph& graph, const poplar::Tensor& data,
                                          const poplar::Tensor& output, Operation op,
                                          poplar::program::Sequence& prog,
                                          const poplar::DebugContext& debugContext = {},
                                          const poplar::OptionFlags& options = {}) {
  replicatedAllReduceWithOutput(graph, data, output, operationToCollectiveOperator(op), prog,
                                debugContext, options);
}
inline void replicatedAllReduceInPlace(poplar::Graph& graph, const poplar::Tensor& data,
                                       Operation op, poplar::program::Sequence& prog,
                                       const poplar::DebugContext& debugContext = {},
                                       const poplar::OptionFlags& options = {}) {
  replicatedAllReduceInPlace(graph, data, operationToCollectiveOperator(op), prog, debugContext,
                             options);
}
inline poplar::Tensor replicatedReduceScatter(poplar::Graph& graph, const poplar::Tensor& toReduce,
                                              Operation op, poplar::program::Sequence& prog,
                                              const poplar::DebugContext& debugContext = {},
                                              const poplar::OptionFlags& options = {}) {
  return replicatedReduceScatter(graph, toReduce, operationToCollectiveOperator(op), prog,
                                 debugContext, options);
}

} // namespace popops
