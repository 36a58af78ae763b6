// The seeds of the tiles' own random number generators: UNSIGNED_INT[tiles][workers][4].
//
// Nothing in the model draws from them; they are kept, so that a program can set and read them
// back.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>

namespace poplar {

Tensor getHwSeeds(Graph& graph, program::Sequence& prog, const DebugContext& debugContext = {});
void setHwSeeds(Graph& graph, const Tensor& seeds, program::Sequence& prog,
                const DebugContext& debugContext = {});

} // namespace poplar
