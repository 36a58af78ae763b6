// What the command line of `plan` says beyond a configuration.
#pragma once

#include "cli/Arguments.hpp"
#include "train/PlanInputs.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace spillway {

void addPlanOptions(boost::program_options::options_description& options);

// --layout and --activity.
PlanOptions planOptions(const boost::program_options::variables_map& given);

// --steps, or none.
std::optional<std::uint32_t> stepsGiven(const boost::program_options::variables_map& given);

// Costs, rows and parameters that were given take the place of those worked out.
void applyGiven(plan::PlanRequest& request, const boost::program_options::variables_map& given);

// A plan in slots instead of bytes, with the costs of the command line: --steps, --slots. f = 1, r
// = 0.1, b = 2 and free transfers where nothing is given.
PlanInputs slotInputs(const boost::program_options::variables_map& given);

} // namespace spillway
