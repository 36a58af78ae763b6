// B-splines of graph convolutions.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

/// For each of E points `pseudo`, [E][D] in [0, 1] (FLOAT or HALF), the (degree + 1)^D products of
/// basis functions that are not zero there, `basis` [E][S], and which weights they are for,
/// `weightIndex` [E][S] (INT). kernelSize [D] (INT): knots of each dimension; isOpenSpline [D]
/// (UNSIGNED_CHAR): whether its ends are apart. Degree 1, 2 or 3.
void splineBasis(poplar::Graph& graph, const poplar::Tensor& pseudo,
                 const poplar::Tensor& kernelSize, const poplar::Tensor& isOpenSpline,
                 const poplar::Tensor& basis, const poplar::Tensor& weightIndex, unsigned degree,
                 poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

} // namespace popops
