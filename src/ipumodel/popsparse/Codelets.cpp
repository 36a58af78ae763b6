#include "poputil/LibraryFolder.hpp"

#include <poplin/codelets.hpp>

#include <popsparse/codelets.hpp>

namespace popsparse {
namespace {

const char kInThisLibrary = 0;

} // namespace

void addCodelets(poplar::Graph& graph) {
  poplin::addCodelets(graph);
  if (!graph.hasCodelet("popsparse::SparseGradient<float,false>"))
    graph.addCodelets(poputil::libraryFolder(&kInThisLibrary) + "popsparse_codelets.gp");
}

} // namespace popsparse
