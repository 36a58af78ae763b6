// A plan for people and for programs.
#pragma once

#include "train/LargestNetwork.hpp"
#include "train/PlanInputs.hpp"

#include <optional>
#include <string>
#include <vector>

namespace spillway {

// run: what a run of the configuration does, with parameters that may not be the table's.
// networks: of every row the largest that fits, or none at all.
std::string planAsText(const plan::Plan& plan, const PlanInputs& inputs,
                       const std::optional<plan::StrategyPlan>& run,
                       const std::vector<NetworkSize>& networks);
std::string planAsJson(const plan::Plan& plan, const PlanInputs& inputs,
                       const std::optional<plan::StrategyPlan>& run,
                       const std::vector<NetworkSize>& networks);
// A plan in slots: counts and times in the given units.
std::string slotPlanAsText(const plan::Plan& plan, const PlanInputs& inputs);

} // namespace spillway
