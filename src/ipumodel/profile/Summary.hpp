// A profile as text, in the layout of Poplar's profile summary.
#pragma once

#include "profile/ProfileData.hpp"

#include <iosfwd>

namespace ipumodel {

struct SummaryOptions {
  bool showExecutionSteps = false; // every step of the trace, up to a limit
  bool showVarStorage = false;     // the variables and when they are live
  bool showMachine = false;        // the machine parameters and their sources
};

void printSummary(std::ostream& out, const ProfileData& profile, const SummaryOptions& options);

} // namespace ipumodel
