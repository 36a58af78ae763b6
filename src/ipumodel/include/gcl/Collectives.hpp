// Collectives between replicas.
//
// Results that all replicas of a group share are equal to the bit: each part is computed by one
// replica and passed on. Options change nothing but are checked; popops/Collectives.hpp lists them.
#pragma once

#include <gcl/CollectiveOperator.hpp>
#include <gcl/CommGroup.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/CollectiveTypes.hpp>

#include <vector>

namespace gcl {

/// Element-wise over the group: the same shape on each replica.
poplar::Tensor allReduceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                     CollectiveOperator op, poplar::program::Sequence& prog,
                                     const CommGroup& group,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});
poplar::Tensor allReduceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                     CollectiveOperator op, poplar::program::Sequence& prog,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});
void allReduceToDestinationCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                        const poplar::Tensor& destination, CollectiveOperator op,
                                        poplar::program::Sequence& prog, const CommGroup& group,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});
void allReduceToDestinationCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                        const poplar::Tensor& destination, CollectiveOperator op,
                                        poplar::program::Sequence& prog,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});
void allReduceInPlaceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                  CollectiveOperator op, poplar::program::Sequence& prog,
                                  const CommGroup& group,
                                  const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});
void allReduceInPlaceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                  CollectiveOperator op, poplar::program::Sequence& prog,
                                  const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});

/// The flattened data is cut into as many equal parts as the group has replicas (zeros at the end
/// if need be); replica i of the group gets part i, reduced: 1-D.
poplar::Tensor reduceScatterCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                         CollectiveOperator op, poplar::program::Sequence& prog,
                                         const CommGroup& group,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {});
poplar::Tensor reduceScatterCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                         CollectiveOperator op, poplar::program::Sequence& prog,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {});

/// Into a tensor of as many elements as a part has.
void reduceScatterToDestinationCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                            const poplar::Tensor& destination,
                                            CollectiveOperator op, poplar::program::Sequence& prog,
                                            const CommGroup& group,
                                            const poplar::DebugContext& debugContext = {},
                                            const poplar::OptionFlags& options = {});

/// The data of all replicas of the group: [group size, shape...].
poplar::Tensor allGatherCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                     poplar::program::Sequence& prog, const CommGroup& group,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});
poplar::Tensor allGatherCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                     poplar::program::Sequence& prog,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});

void allGatherToDestinationCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                        const poplar::Tensor& destination,
                                        poplar::program::Sequence& prog, const CommGroup& group,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});

/// Row j of the result on replica i of the group is row i of the data on replica j. REQUIRES:
/// data.dim(0) is the group size.
poplar::Tensor allToAllCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                    poplar::program::Sequence& prog, const CommGroup& group,
                                    const poplar::DebugContext& debugContext = {},
                                    const poplar::OptionFlags& options = {});
poplar::Tensor allToAllCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                    poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {},
                                    const poplar::OptionFlags& options = {});

/// The data of replica `rootReplica` of the group.
poplar::Tensor broadcastCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                     poplar::program::Sequence& prog, const CommGroup& group,
                                     unsigned rootReplica = 0,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});

/// The same for several tensors, which may differ in type and shape: result i, or destination i,
/// belongs to tensor i. REQUIRES: as many destinations as tensors.
std::vector<poplar::Tensor>
allReduceCrossReplica(poplar::Graph& graph, const std::vector<poplar::Tensor>& datas,
                      CollectiveOperator op, poplar::program::Sequence& prog,
                      const CommGroup& group, const poplar::DebugContext& debugContext = {},
                      const poplar::OptionFlags& options = {});
void allReduceToDestinationCrossReplica(poplar::Graph& graph,
                                        const std::vector<poplar::Tensor>& datas,
                                        const std::vector<poplar::Tensor>& destinations,
                                        CollectiveOperator op, poplar::program::Sequence& prog,
                                        const CommGroup& group,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});
void allReduceInPlaceCrossReplica(poplar::Graph& graph, const std::vector<poplar::Tensor>& datas,
                                  CollectiveOperator op, poplar::program::Sequence& prog,
                                  const CommGroup& group,
                                  const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});
std::vector<poplar::Tensor>
reduceScatterCrossReplica(poplar::Graph& graph, const std::vector<poplar::Tensor>& datas,
                          CollectiveOperator op, poplar::program::Sequence& prog,
                          const CommGroup& group, const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {});
void reduceScatterToDestinationCrossReplica(poplar::Graph& graph,
                                            const std::vector<poplar::Tensor>& datas,
                                            const std::vector<poplar::Tensor>& destinations,
                                            CollectiveOperator op, poplar::program::Sequence& prog,
                                            const CommGroup& group,
                                            const poplar::DebugContext& debugContext = {},
                                            const poplar::OptionFlags& options = {});
std::vector<poplar::Tensor> allGatherCrossReplica(poplar::Graph& graph,
                                                  const std::vector<poplar::Tensor>& datas,
                                                  poplar::program::Sequence& prog,
                                                  const CommGroup& group,
                                                  const poplar::DebugContext& debugContext = {},
                                                  const poplar::OptionFlags& options = {});
void allGatherToDestinationCrossReplica(poplar::Graph& graph,
                                        const std::vector<poplar::Tensor>& datas,
                                        const std::vector<poplar::Tensor>& destinations,
                                        poplar::program::Sequence& prog, const CommGroup& group,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});

/// Within a replica: row i of the data lies on IPU i of the replica, as do those of the result,
/// which all hold the reduction of the rows.
poplar::Tensor allReduceWithinReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                      CollectiveOperator op, poplar::program::Sequence& prog,
                                      const poplar::DebugContext& debugContext = {},
                                      const poplar::OptionFlags& options = {});

/// Parts of a result, one on each IPU.
using Chunk = popops::Chunk;
using Chunks = popops::Chunks;

/// Chunk i of the reduction of the rows, on IPU i. REQUIRES: rank 2.
Chunks reduceScatterWithinReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                  CollectiveOperator op, poplar::program::Sequence& prog,
                                  const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});

/// The elements of all chunks, by index, for each IPU: [chunks][elements], row i on the IPU of
/// chunk i.
poplar::Tensor allGatherWithinReplica(poplar::Graph& graph, const Chunks& chunks,
                                      poplar::program::Sequence& prog,
                                      const poplar::DebugContext& debugContext = {},
                                      const poplar::OptionFlags& options = {});

} // namespace gcl

#include <gcl/OlderNames.hpp>
