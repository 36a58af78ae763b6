// A network in the Neuromorphic Intermediate Representation (NIR): nodes of known types, joined by
// edges without weight or delay. What our networks become in it: docs/nir.md.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace spillway::nir {

struct NumberArray {
  std::vector<std::size_t> shape; // empty: one value
  std::vector<double> values;     // row-major
};

struct Graph;

struct Node {
  std::string type;                            // "LIF", "Linear", "NIRGraph", ...
  std::map<std::string, NumberArray> numbers;  // "tau", "weight", ...; of Input and Output "shape"
  std::map<std::string, std::string> metadata; // texts only; numbers of others are left out
  std::shared_ptr<Graph> graph;                // of a NIRGraph, else null
};

struct Graph {
  std::map<std::string, Node> nodes;
  std::vector<std::pair<std::string, std::string>> edges; // from, to
  std::map<std::string, std::string> metadata;
  std::map<std::string, double> metadataNumbers;
};

} // namespace spillway::nir
