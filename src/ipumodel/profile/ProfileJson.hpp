// A profile as JSON: the tree of ProfileData, field by field, under {"format": "spillway-profile"}.
// What is written can be read back.
#pragma once

#include "profile/ProfileData.hpp"

#include <iosfwd>

namespace ipumodel {

// Changes with ProfileData.
constexpr int kProfileJsonVersion = 1;

// Keeps at most `mostSteps` executed steps; the others are counted as dropped.
void writeProfileJson(std::ostream& out, const ProfileData& profile,
                      std::size_t mostSteps = 100000);

// Throws std::runtime_error when the text is not a profile of this version.
ProfileData readProfileJson(std::istream& in);

} // namespace ipumodel
