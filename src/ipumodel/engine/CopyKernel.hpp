// Runs move lists.
#pragma once

#include "lower/Moves.hpp"

#include <cstddef>

namespace ipumodel {

class ThreadTeam;

// From `source` to `destination`, the memories the list's offsets refer to. Large lists are shared
// between the threads of the team; the result does not depend on how.
void runMoves(const MoveList& list, const std::byte* source, std::byte* destination,
              ThreadTeam& team);

// On the calling thread alone.
void runMoves(const MoveList& list, const std::byte* source, std::byte* destination);

} // namespace ipumodel
