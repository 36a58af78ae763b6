// Graphs of products with a sparse matrix that lies in buckets.
#pragma once

#include "popsparse/SparsePlan.hpp"

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poputil/TensorMetaData.hpp>

#include <popsparse/SparseTensor.hpp>

namespace popsparse {

// What a sparse operand remembers of its making.
struct PlannedOperand : poputil::TensorMetaDataBase {
  explicit PlannedOperand(const SparsePlan& p) : plan(p) {}
  std::unique_ptr<TensorMetaDataBase> clone() const override {
    return std::make_unique<PlannedOperand>(plan);
  }
  SparsePlan plan;
};

dynamic::SparseTensor createBuckets(poplar::Graph& graph, const poplar::Type& type,
                                    const SparsePlan& plan,
                                    const poplar::DebugContext& debugContext);

enum class Sparse { AsIs, Transposed };

// [inner][n], or [rows][n] for the transposed matrix, laid out for the plan.
poplar::Tensor createDense(poplar::Graph& graph, const poplar::Type& type, const SparsePlan& plan,
                           Sparse orientation, std::size_t n,
                           const poplar::DebugContext& debugContext);

// Of each partition, the meta information and the values that its tiles work on.
struct PartitionData {
  std::vector<poplar::Tensor> meta, values;
};

// FLOAT [rows][n] of dense [inner][n]; transposed, [inner][n] of dense [rows][n]. n is any number.
poplar::Tensor multiplySparse(poplar::Graph& graph, const SparsePlan& plan,
                              const dynamic::SparseTensor& sparse, const poplar::Tensor& dense,
                              Sparse orientation, poplar::program::Sequence& prog,
                              const poplar::DebugContext& debugContext);

// The same where each partition has all its values itself.
poplar::Tensor multiplySettled(poplar::Graph& graph, const SparsePlan& plan,
                               const PartitionData& sparse, const poplar::Tensor& dense,
                               Sparse orientation, poplar::program::Sequence& prog,
                               const poplar::DebugContext& debugContext);

// FLOAT gradients in the layout of the values, of gradients [rows][n] and inputs [inner][n].
poplar::Tensor sparseGradient(poplar::Graph& graph, const SparsePlan& plan,
                              const poplar::Tensor& metaInfo, const poplar::Tensor& outer,
                              const poplar::Tensor& inner, poplar::program::Sequence& prog,
                              const poplar::DebugContext& debugContext);

// t in that type.
poplar::Tensor inType(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Type& type,
                      poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);

} // namespace popsparse
