// Evenly spaced numbers, and grids of coordinates.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>

#include <cstddef>
#include <vector>

namespace poplin {

/// A constant of `count` numbers from left to right, both included. FLOAT or HALF. REQUIRES: count
/// > 1 or left == right.
poplar::Tensor linspace(poplar::Graph& graph, const poplar::Type& type, float left, float right,
                        std::size_t count, const poplar::DebugContext& debugContext = {});

/// The coordinates of a grid, [y][x], as views of x and y: {x of each point, y of each point}.
std::vector<poplar::Tensor> meshgrid2d(poplar::Graph& graph, poplar::Tensor x, poplar::Tensor y);

} // namespace poplin
