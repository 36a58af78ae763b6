// What a plan of connectionist temporal classification holds.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popnn/CTCPlan.hpp>

#include <array>
#include <cstddef>

namespace popnn::ctc {

enum class Purpose { None, Loss, Inference };

class Plan::Impl {
public:
  Purpose purpose = Purpose::None;
  // Batch size, steps, classes, and the longest label or the number of beams.
  std::array<std::size_t, 4> sizes{};

  bool operator<(const Impl& other) const;
  bool operator==(const Impl& other) const;
};

// Throws invalid_option for unknown names and malformed values, poplibs_error for what no plan
// meets.
void checkPlanOptions(const poplar::OptionFlags& options, Purpose purpose);
// Throws poplibs_error for what is neither FLOAT nor HALF.
void checkRealType(const poplar::Type& type);

// Throws poplibs_error unless the plan is for that purpose.
void requirePurpose(const Plan& plan, Purpose purpose);

// The tile that works on a sample.
unsigned tileOf(const poplar::Graph& graph, std::size_t sample);

// [steps][batch][classes], each sample on its tile.
poplar::Tensor createData(poplar::Graph& graph, const poplar::Type& type, std::size_t batchSize,
                          std::size_t maxTime, std::size_t numClasses,
                          const poplar::DebugContext& debugContext);

// [batch][shape], each sample on its tile.
poplar::Tensor createPerSample(poplar::Graph& graph, const poplar::Type& type,
                               std::size_t batchSize, const std::vector<std::size_t>& shape,
                               const poplar::DebugContext& debugContext);

// Integers as UNSIGNED_INT.
poplar::Tensor asUnsigned(poplar::Graph& graph, const poplar::Tensor& t,
                          poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext);

} // namespace popnn::ctc
