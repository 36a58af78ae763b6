// Programs for the first versions of the SDK find the functions of popsys here; later ones, and this
// model, have them in poplar.
#pragma once

#include <poplar/Graph.hpp>

namespace popsys {

// There are none to add: poplar does the work.
void addCodelets(poplar::Graph& graph);

} // namespace popsys
