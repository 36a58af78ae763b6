// Whether a configuration goes on with a run that exists.
#pragma once

#include "config/Settings.hpp"

#include <filesystem>

namespace spillway {

// Throws UserError, which names every key that differs, unless `now` may continue what `before`
// began in `folder`.
void requireSameRun(const Settings& before, const Settings& now,
                    const std::filesystem::path& folder);

} // namespace spillway
