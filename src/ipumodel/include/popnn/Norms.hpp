// Parameters of a normalisation layer and its floating-point operations.
#pragma once

#include <poplar/Tensor.hpp>
#include <poplin/Norms.hpp>

#include <cstddef>
#include <cstdint>

namespace popnn {

using poplin::createNormBeta;
using poplin::createNormGamma;
using poplin::createNormParams;

/// Of activations [N][C][field...].
std::size_t numNormChannels(poplar::Tensor acts);
std::size_t numNormElemsPerChannel(poplar::Tensor acts);

/// Forward (with or without the statistics), backward and parameter update.
std::uint64_t getNormFwdFlops(std::size_t statisticsSize, std::size_t numActsElements,
                              bool computeStats = true);
std::uint64_t getNormBwdFlops(std::size_t statisticsSize, std::size_t numActsElements);
std::uint64_t getNormWuFlops(std::size_t paramsSize, std::size_t numActsElements);

} // namespace popnn
