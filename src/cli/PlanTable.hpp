// A plan for people and for programs.
#pragma once

#include "train/PlanInputs.hpp"

#include <string>

namespace spillway {

std::string planAsText(const plan::Plan& plan, const PlanInputs& inputs);
std::string planAsJson(const plan::Plan& plan, const PlanInputs& inputs);

} // namespace spillway
