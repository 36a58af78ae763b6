#include "poputil/LibraryFolder.hpp"

#include <popops/codelets.hpp>

namespace popops {
namespace {
const char kInThisLibrary = 0;
}

void addCodelets(poplar::Graph& graph) {
  if (graph.hasCodelet("popops::UnaryOp1D<float>"))
    return;
  const auto folder = poputil::libraryFolder(&kInThisLibrary);
  for (const char* part : {"elementwise", "fill_cast", "reduce", "slice", "sort", "spline"})
    graph.addCodelets(folder + "popops_" + part + ".gp");
}

} // namespace popops
