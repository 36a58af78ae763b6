#include "poputil/LibraryFolder.hpp"

#include <popfloat/experimental/codelets.hpp>

namespace popfloat::experimental {
namespace {
const char kInThisLibrary = 0;
}

void addCodelets(poplar::Graph& graph) {
  if (!graph.hasCodelet("popfloat::experimental::QuantiseInPlace<float>"))
    graph.addCodelets(poputil::libraryFolder(&kInThisLibrary) + "popfloat_codelets.gp");
}

} // namespace popfloat::experimental
