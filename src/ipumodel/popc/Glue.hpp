// The text popc appends to a codelet file.
#pragma once

#include "popc/VertexFinder.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ipumodel::popc {

// How the workers of a MultiVertex run: one after another in one thread, or at once, which is slow.
enum class Workers { InTurn, AtOnce };

// Whether workers may wait for one another: codelets can only do so by volatile or atomic accesses.
// The source has its includes expanded, with line markers; the system's headers do not count.
bool workersMayMeet(std::string_view expandedSource);

// A source file that includes the codelet file and lists its vertex classes for CodeletGlue.hpp.
std::string makeGlue(const std::filesystem::path& codeletFile, const FoundVertices& found,
                     Workers workers);

} // namespace ipumodel::popc
