// Pooling: the maximum, average or sum over windows of a field of one to eight dimensions.
//
// Tensors are [batch][channels][field...]. Padding holds no elements: it is neither a candidate for
// the maximum nor counted by the average. Negative padding truncates the field. FLOAT and HALF.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popnn/PoolingDef.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <utility>
#include <vector>

namespace popnn {
namespace pooling {

struct PoolParams {
  PoolingType poolingType;
  std::vector<std::size_t> inputFieldShape;
  std::vector<std::size_t> kernelShape;
  std::vector<unsigned> stride;
  std::vector<int> inputTruncationOrPaddingLower;
  std::vector<int> inputTruncationOrPaddingUpper;
  std::size_t numChannels;
  std::size_t batchSize;
  poplar::Type dType;

  PoolParams(PoolingType type, std::vector<std::size_t> fieldShape, std::vector<std::size_t> kernel,
             std::vector<unsigned> strides, std::vector<int> paddingLower,
             std::vector<int> paddingUpper, std::size_t channels, std::size_t batch,
             poplar::Type dataType)
      : poolingType(type),
        inputFieldShape(std::move(fieldShape)),
        kernelShape(std::move(kernel)),
        stride(std::move(strides)),
        inputTruncationOrPaddingLower(std::move(paddingLower)),
        inputTruncationOrPaddingUpper(std::move(paddingUpper)),
        numChannels(channels),
        batchSize(batch),
        dType(dataType) {}

  std::size_t getNumFieldDims() const { return inputFieldShape.size(); }
  /// Windows that fit into the padded field, `stride` apart. Throws poplibs_error if there are
  /// none.
  std::vector<std::size_t> getOutputFieldShape() const;
};

std::ostream& operator<<(std::ostream& os, const PoolParams& params);

const char* asString(const PoolingType& method);

std::vector<std::size_t> getOutputFieldShape(const PoolParams& params);

/// One operation for each element of each window, and one more for each average.
std::uint64_t getFwdFlops(const PoolParams& params);
std::uint64_t getBwdFlops(const PoolParams& params);
/// Cycles if all tiles processed full vectors in every cycle.
double getFwdPerfectCycleCount(const poplar::Graph& graph, const PoolParams& params);
double getBwdPerfectCycleCount(const poplar::Graph& graph, const PoolParams& params);

/// Option poolUseIntrospectiveMapping (true, false) is accepted and has no effect: planes, and rows
/// of planes if there are fewer planes than tiles, are spread evenly.
poplar::Tensor pool(poplar::Graph& graph, const PoolParams& params, const poplar::Tensor& in,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                    const poplar::OptionFlags& options = {});

/// The gradient of the input. MAX: every element that equals the maximum of a window gets the
/// window's gradient; with useScaledGradient they share it.
poplar::Tensor poolInputGradient(poplar::Graph& graph, const PoolParams& params,
                                 const poplar::Tensor& in, const poplar::Tensor& pooled,
                                 const poplar::Tensor& pooledGradient, bool useScaledGradient,
                                 poplar::program::Sequence& prog,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {});
/// AVG and SUM. `fwdChansPerGroup` is a hint about the layout, without effect.
poplar::Tensor poolInputGradient(poplar::Graph& graph, const PoolParams& params,
                                 const unsigned fwdChansPerGroup,
                                 const poplar::Tensor& pooledGradient,
                                 poplar::program::Sequence& prog,
                                 const poplar::DebugContext& debugContext = {},
                                 const poplar::OptionFlags& options = {});

} // namespace pooling
} // namespace popnn
