// Slices and updates at offsets that are known when the program runs.
//
// A sliced dimension is never split over tiles in tensors made here: each tile holds whole columns,
// so that an offset only chooses among what it has.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poputil/DebugInfo.hpp>

#include <iosfwd>
#include <memory>
#include <vector>

namespace popops {

class SlicePlanInternal;

/// How to lay out and do slices of one kind; made by embedding::plan().
class SlicePlan {
public:
  SlicePlan();
  ~SlicePlan();
  SlicePlan(const SlicePlan& other);
  SlicePlan(SlicePlan&& other);
  SlicePlan& operator=(const SlicePlan& other);
  SlicePlan& operator=(SlicePlan&& other);

  friend std::ostream& operator<<(std::ostream& o, const SlicePlan& p);
  friend bool operator<(const SlicePlan& a, const SlicePlan& b) noexcept;
  friend bool operator==(const SlicePlan& a, const SlicePlan& b) noexcept;

  SlicePlan(std::unique_ptr<SlicePlanInternal> internal);
  SlicePlanInternal& getImpl() const { return *internal_; }

private:
  std::unique_ptr<SlicePlanInternal> internal_;
};

std::ostream& operator<<(std::ostream& o, const SlicePlan& p);
bool operator<(const SlicePlan& a, const SlicePlan& b) noexcept;
bool operator==(const SlicePlan& a, const SlicePlan& b) noexcept;
bool operator!=(const SlicePlan& a, const SlicePlan& b) noexcept;

/// A tensor to be sliced in `dims`, `sizes` elements at a time, spread over the tiles in parts of
/// at least `minGrainSize` elements of a slice.
poplar::Tensor createSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                     const std::vector<std::size_t>& shape,
                                     const std::vector<std::size_t>& dims,
                                     const std::vector<std::size_t>& sizes,
                                     std::size_t minGrainSize = 0,
                                     const poplar::DebugContext& debugContext = {});
poplar::Tensor createSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                     const std::vector<std::size_t>& shape,
                                     const std::vector<std::size_t>& dims,
                                     const std::vector<std::size_t>& sizes, const SlicePlan& plan,
                                     const poplar::OptionFlags& options,
                                     const poplar::DebugContext& debugContext = {});
/// With `groupSize` as first dimension; each group is sliced by itself.
poplar::Tensor createGroupedSliceableTensor(
    poplar::Graph& graph, const poplar::Type& type, std::size_t groupSize,
    const std::vector<std::size_t>& shape, const std::vector<std::size_t>& dims,
    const std::vector<std::size_t>& sizes, const SlicePlan& plan,
    const poplar::OptionFlags& options, const poplar::DebugContext& debugContext = {});

/// `numIndices` slices of `t`, as multiSlice gives and multiUpdate takes: [numIndices, slice...].
poplar::Tensor createSliceTensor(poplar::Graph& graph, const poplar::Tensor& t,
                                 const std::vector<std::size_t>& dims,
                                 const std::vector<std::size_t>& sizes, std::size_t numIndices,
                                 const poplar::DebugContext& debugContext = {});
poplar::Tensor createSliceTensor(poplar::Graph& graph, const poplar::Type& type,
                                 const std::vector<std::size_t>& shape,
                                 const std::vector<std::size_t>& dims,
                                 const std::vector<std::size_t>& sizes, std::size_t numIndices,
                                 const SlicePlan& plan, const poplar::OptionFlags& options,
                                 const poplar::DebugContext& debugContext = {});
poplar::Tensor createGroupedSliceTensor(
    poplar::Graph& graph, const poplar::Type& type, std::size_t groupSize,
    const std::vector<std::size_t>& shape, const std::vector<std::size_t>& dims,
    const std::vector<std::size_t>& sizes, std::size_t numIndices, const SlicePlan& plan,
    const poplar::OptionFlags& options, const poplar::DebugContext& debugContext = {});

/// UNSIGNED_INT indices, [numIndices, dims.size()], with a first dimension for groups.
poplar::Tensor createIndicesTensor(poplar::Graph& graph, const std::vector<std::size_t>& dims,
                                   std::size_t numIndices, const SlicePlan& plan,
                                   const poplar::OptionFlags& options,
                                   const poplar::DebugContext& debugContext = {});
poplar::Tensor createGroupedIndicesTensor(poplar::Graph& graph, std::size_t groupSize,
                                          const std::vector<std::size_t>& dims,
                                          std::size_t numIndices, const SlicePlan& plan,
                                          const poplar::OptionFlags& options,
                                          const poplar::DebugContext& debugContext = {});

/// A tensor of which `s` is a slice: numSlices[i] times as large in dimension dims[i], each element
/// on the tile of the same element of `s`.
poplar::Tensor createSliceableTensorFromSlice(poplar::Graph& graph, const poplar::Tensor& s,
                                              const std::vector<std::size_t>& dims,
                                              const std::vector<std::size_t>& numSlices,
                                              const poplar::DebugContext& debugContext = {});

/// The slice of `t` that begins at offset[i] in dimension dims[i] and has sizes[i] elements there.
/// An offset out of range counts as 0; a slice past the end wraps around. `offset` is UNSIGNED_INT
/// or INT.
poplar::Tensor dynamicSlice(poplar::Graph& graph, const poplar::Tensor& t,
                            const poplar::Tensor& offset, const std::vector<std::size_t>& dims,
                            const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {},
                            const poplar::OptionFlags& options = {});
void dynamicSliceWithOutput(poplar::Graph& graph, const poplar::Tensor& output,
                            const poplar::Tensor& t, const poplar::Tensor& offset,
                            const std::vector<std::size_t>& dims,
                            const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {},
                            const poplar::OptionFlags& options = {});

/// Where dynamicSlice puts its result.
poplar::Graph::TileToTensorMapping getSliceMapping(poplar::Graph& graph, const poplar::Tensor& t,
                                                   const std::vector<std::size_t>& dims,
                                                   const std::vector<std::size_t>& sizes);

/// Writes `s` to that slice of `t`.
void dynamicUpdate(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                   const poplar::Tensor& offset, const std::vector<std::size_t>& dims,
                   const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                   const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});

/// Slices at offsets[k]: [offsets.dim(0), slice...]. With one sliced dimension of size 1, an offset
/// out of range gives zeros.
poplar::Tensor multiSlice(poplar::Graph& graph, const poplar::Tensor& t,
                          const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                          const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                          const SlicePlan& plan, const poplar::OptionFlags& options,
                          const poplar::DebugContext& debugContext = {});
/// At offsets that are known now; no vertices are needed.
poplar::Tensor multiSlice(poplar::Graph& graph, const poplar::Tensor& t,
                          poplar::ArrayRef<unsigned> offsets, std::size_t dim,
                          poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {},
                          const poplar::OptionFlags& options = {});
/// t[g] sliced at offsets[g], for each group g.
poplar::Tensor groupedMultiSlice(poplar::Graph& graph, const poplar::Tensor& t,
                                 const poplar::Tensor& offsets,
                                 const std::vector<std::size_t>& dims,
                                 const std::vector<std::size_t>& sizes,
                                 poplar::program::Sequence& prog, const SlicePlan& plan,
                                 const poplar::OptionFlags& options,
                                 const poplar::DebugContext& debugContext = {});

/// t[offsets[k]] = s[k], for k in order.
void multiUpdate(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                 const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                 const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                 const SlicePlan& plan, const poplar::OptionFlags& options,
                 const poplar::DebugContext& debugContext = {});
void groupedMultiUpdate(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                        const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                        const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                        const SlicePlan& plan, const poplar::OptionFlags& options,
                        const poplar::DebugContext& debugContext = {});

/// t[offsets[k]] += scale * s[k]. REQUIRES: rank of t is 2, one sliced dimension of size 1.
void multiUpdateAdd(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                    const poplar::Tensor& offsets, const poplar::Tensor& scale,
                    const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                    poplar::program::Sequence& prog, const SlicePlan& plan,
                    const poplar::OptionFlags& options,
                    const poplar::DebugContext& debugContext = {});
/// At offsets that are known now; those out of range are left out.
void multiUpdateAdd(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                    poplar::ArrayRef<unsigned> offsets, const poplar::Tensor& scale,
                    std::size_t dim, poplar::program::Sequence& prog,
                    const poplar::DebugContext& debugContext = {},
                    const poplar::OptionFlags& options = {});
void groupedMultiUpdateAdd(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                           const poplar::Tensor& offsets, const poplar::Tensor& scale,
                           const std::vector<std::size_t>& dims,
                           const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                           const SlicePlan& plan, const poplar::OptionFlags& options,
                           const poplar::DebugContext& debugContext = {});

/// t[offsets[k]] = max(t[offsets[k]], s[k]), under the same conditions.
void multiUpdateMax(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                    const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                    const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                    const SlicePlan& plan, const poplar::OptionFlags& options,
                    const poplar::DebugContext& debugContext = {});
void groupedMultiUpdateMax(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                           const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                           const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                           const SlicePlan& plan, const poplar::OptionFlags& options,
                           const poplar::DebugContext& debugContext = {});

namespace embedding {

/// A plan for lookups in, and updates of, a table of numEntries rows of outputSize elements.
/// Options: usedForSlice, usedForUpdate, operationForUpdate, availableMemoryProportion,
/// indicesDistribution, planMinimisationTarget, indicesAreSorted, partitionType.
SlicePlan plan(const poplar::Graph& graph, const poplar::Type& dataType, std::size_t numEntries,
               std::size_t outputSize, const std::vector<std::size_t>& numLookups,
               const poplar::OptionFlags& options);
SlicePlan plan(const poplar::Graph& graph, const poplar::Type& dataType, std::size_t groupSize,
               std::size_t numEntries, std::size_t outputSize,
               const std::vector<std::size_t>& numLookups, const poplar::OptionFlags& options);

/// The arguments of one plan().
struct SlicePlanningParameters {
  const poplar::Graph& graph;
  const poplar::Type dataType;
  const std::size_t groupSize = 1;
  const std::size_t numEntries;
  const std::size_t outputSize;
  const std::vector<std::size_t> numLookups;
  const poplar::OptionFlags optionFlags;

  SlicePlanningParameters(const poplar::Graph& g, const poplar::Type& type, std::size_t groups,
                          std::size_t entries, std::size_t size,
                          const std::vector<std::size_t>& lookups,
                          const poplar::OptionFlags& options)
      : graph(g),
        dataType(type),
        groupSize(groups),
        numEntries(entries),
        outputSize(size),
        numLookups(lookups),
        optionFlags(options) {}
  SlicePlanningParameters(const poplar::Graph& g, const poplar::Type& type, std::size_t entries,
                          std::size_t size, const std::vector<std::size_t>& lookups,
                          const poplar::OptionFlags& options)
      : graph(g),
        dataType(type),
        numEntries(entries),
        outputSize(size),
        numLookups(lookups),
        optionFlags(options) {}
};

/// One plan for each.
std::vector<SlicePlan> planMultiple(const std::vector<SlicePlanningParameters>& parameters);

} // namespace embedding

} // namespace popops
