// Floating-point operations of a normalisation layer.
#pragma once

#include <poplar/Tensor.hpp>

#include <cstddef>
#include <cstdint>

namespace popnn {

/// Of activations [N][C][field...].
std::size_t numNormChannels(poplar::Tensor acts);
std::size_t numNormElemsPerChannel(poplar::Tensor acts);

/// Forward (with or without the statistics), backward and parameter update.
std::uint64_t getNormFwdFlops(std::size_t statisticsSize, std::size_t numActsElements,
                              bool computeStats = true);
std::uint64_t getNormBwdFlops(std::size_t statisticsSize, std::size_t numActsElements);
std::uint64_t getNormWuFlops(std::size_t paramsSize, std::size_t numActsElements);

} // namespace popnn
