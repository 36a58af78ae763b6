// Profiles as the trees that Engine::getGraphProfile and getExecutionProfile return, by the field
// names Graphcore documented for graph.json and execution.json.
#pragma once

#include "profile/ProfileData.hpp"

#include <poplar/ProfileValue.hpp>

namespace ipumodel {

poplar::ProfileValue graphProfile(const ProfileData& profile);

// {"profilerMode": "NONE"} when nothing was recorded.
poplar::ProfileValue executionProfile(const ProfileData& profile);

} // namespace ipumodel
