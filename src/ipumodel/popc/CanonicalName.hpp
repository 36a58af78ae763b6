// Vertex type names as poputil::templateVertex writes them.
#pragma once

#include <string>
#include <string_view>

namespace ipumodel::popc {

// "popops::Foo<(popops::Op)0, half, 3u>" -> "popops::Foo<popops::Op::ADD,half,3>": no blanks but
// those inside "unsigned int", no suffixes on numbers, no anonymous namespaces, `unsigned` in full,
// and enumerations by name as far as `enumerators` (CodeletAbi.hpp) knows them.
std::string canonicalName(std::string_view spelled, std::string_view enumerators = {});

} // namespace ipumodel::popc
