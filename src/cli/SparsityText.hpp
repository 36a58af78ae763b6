// The sparsity columns of the EGRU paper, from what a gated network was counted doing.
#pragma once

#include "config/Settings.hpp"
#include "train/RunningMean.hpp"

#include <string>

namespace spillway {

// A line per layer and one of multiply-adds. REQUIRES: a gated network with its sizes; inputs count
// as dense.
std::string sparsityText(const Settings& settings, const RunningMean& mean);

} // namespace spillway
