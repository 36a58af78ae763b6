// NIR graphs as HDF5, in the layout of the reference implementation (Python package nir 1.0):
//   version                     text
//   node/type                   "NIRGraph"
//   node/edges                  [edges, 2] text, from and to
//   node/nodes/NAME/type        text, beside the type's own arrays (tau, weight, shape, ...)
//   node/metadata/..., node/nodes/NAME/metadata/...
#pragma once

#include "nir/NirGraph.hpp"

#include <filesystem>

namespace spillway::nir {

// The bytes of the file. Arrays are written as FLOAT, shapes as 64-bit integers.
std::vector<char> toFile(const Graph& graph);

// Throws IoError when there is no such file, FileError naming the place where its content is not
// NIR.
Graph readFile(const std::filesystem::path& path);

} // namespace spillway::nir
