// Writes a profile into a folder, in all the forms there are.
#pragma once

#include "profile/ProfileData.hpp"

#include <string>

namespace ipumodel {

// profile.json, profile.sqlite, summary.txt and, if something was executed, trace.json. Makes the
// folder. Throws std::runtime_error, with the file's name, when one cannot be written.
void writeProfileFiles(const std::string& directory, const ProfileData& profile);

} // namespace ipumodel
