// The text popc appends to a codelet file.
#pragma once

#include "popc/VertexFinder.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace ipumodel::popc {

// A source file that includes the codelet file and lists its vertex classes for CodeletGlue.hpp.
std::string makeGlue(const std::filesystem::path& codeletFile, const FoundVertices& found);

} // namespace ipumodel::popc
