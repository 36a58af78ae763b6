// What a node holds, or an error that names the node.
#pragma once

#include "nir/NirGraph.hpp"

#include <string>

namespace spillway::nir {

// Throws UserError "node NAME (TYPE): WHY".
[[noreturn]] void refuse(const std::string& name, const Node& node, const std::string& why);

const NumberArray& numbers(const std::string& name, const Node& node, const std::string& field);

// The value that all neurons of a node share; refused where they differ or are not finite.
double shared(const std::string& name, const Node& node, const std::string& field);

// As far as FLOAT tells: relative 1e-6.
bool same(double a, double b);

} // namespace spillway::nir
