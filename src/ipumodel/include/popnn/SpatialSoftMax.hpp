// Where the activity of fields lies: expected coordinates.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

#include <utility>

namespace popnn {

/// The softmax of `fields`, [F][H][W], divided by a temperature and taken over all fields together;
/// and under it the expected (y, x) of each field, [F][2], where both coordinates run from -1 to 1.
/// With `disableSoftmax` the scaled fields themselves are the weights. Returns the coordinates and
/// the temperature, a scalar variable with that initial value. FLOAT or HALF.
std::pair<poplar::Tensor, poplar::Tensor>
spatialSoftMax2D(poplar::Graph& graph, poplar::program::Sequence& prog,
                 const poplar::Tensor& fields, float temperature, bool disableSoftmax = false,
                 const poplar::DebugContext& debugContext = {});

} // namespace popnn
