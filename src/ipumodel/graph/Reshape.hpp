// The elements of a view as runs that know their place in its row-major order.
#pragma once

#include "graph/View.hpp"

#include <cstddef>
#include <vector>

namespace ipumodel {

struct LinearRun {
  std::size_t position; // of the first element, in the flattened view
  Run run;
};

// All elements, by position; neighbours merged.
std::vector<LinearRun> linearRuns(const View& view);

// Merges runs that continue each other. REQUIRES: sorted by position, without gaps.
void mergeRuns(std::vector<LinearRun>& runs);

// A flat view of these runs. REQUIRES: sorted by position, covering [0, numElements).
View viewOfRuns(poplar::Type type, const std::vector<LinearRun>& runs, std::size_t numElements);

} // namespace ipumodel
