// Tables of performance estimators by vertex name.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/Target.hpp>
#include <poplar/VertexIntrospector.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// An estimator for a codelet `Foo` is a function named MAKE_PERF_ESTIMATOR_NAME(Foo) that takes
// (const VertexIntrospector& vertex, const Target& target, template arguments...).
#define MAKE_PERF_ESTIMATOR_NAME(codelet) getPerfEstimateFor##codelet
#define CYCLE_ESTIMATOR_ENTRY_NOPARAMS(ns, codelet)                                                \
  poputil::internal::makePerfEstimatorEntry(#ns "::" #codelet, MAKE_PERF_ESTIMATOR_NAME(codelet))
#define CYCLE_ESTIMATOR_ENTRY(ns, codelet, ...)                                                    \
  poputil::internal::makePerfEstimatorEntry(#ns "::" #codelet, MAKE_PERF_ESTIMATOR_NAME(codelet),  \
                                            __VA_ARGS__)

// Inside an estimator: a field, and the initial values of a scalar, vector or vector list field.
#define CODELET_FIELD(field) const auto field = vertex.getFieldInfo(#field)
#define CODELET_SCALAR_VAL(field, type)                                                            \
  const auto field = vertex.getFieldInfo(#field).getInitialValue<type>(target)
#define CODELET_VECTOR_VALS(field, type)                                                           \
  const auto field = vertex.getFieldInfo(#field).getInitialValues<type>(target)
#define CODELET_VECTOR_2D_VALS(field, type)                                                        \
  const auto field = vertex.getFieldInfo(#field).getInitialValues<std::vector<type>>(target)

namespace poputil {
namespace internal {

using PerfEstimatorTable = std::vector<std::pair<std::string, poplar::PerfEstimateFunc>>;

template <typename F, typename... Args>
std::pair<std::string, poplar::PerfEstimateFunc> makePerfEstimatorEntry(const std::string& codelet,
                                                                        F f, Args&&... args) {
  return {templateVertex(codelet, args...),
          std::bind(f, std::placeholders::_1, std::placeholders::_2, args...)};
}

inline void registerPerfFunctions(poplar::Graph& graph, const PerfEstimatorTable& table) {
  for (const auto& entry : table)
    graph.registerPerfEstimator(entry.first, poplar::PerfEstimateFunc(entry.second));
}

/// Worker cycles to turn a pointer field of that layout into an address.
std::uint64_t getUnpackCost(poplar::layout::Vector layout);
std::uint64_t getUnpackCost(poplar::layout::VectorList layout);

/// The same for each element of a delta-encoded vector list.
std::uint64_t getVectorListDeltaUnpackCost(poplar::layout::VectorList layout);

} // namespace internal
} // namespace poputil
