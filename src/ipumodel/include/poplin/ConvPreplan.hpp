// Planning of convolutions and matrix products together.
#pragma once

#include <poplin/Convolution.hpp>
#include <poplin/MatMul.hpp>

#include <set>

namespace poplin {

inline void preplan(const std::set<ConvPlanParams>& convs,
                    const std::set<MatMulPlanParams>& matmuls, PlanningCache& cache) {
  preplanConvolutions(convs, cache);
  preplanMatMuls(matmuls, cache);
}

} // namespace poplin
