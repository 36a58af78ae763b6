// Whether there is a micro-batch for everyone who shares a batch.
#pragma once

#include "config/Settings.hpp"

#include <cstdint>
#include <string>

namespace spillway {

// What to say where a batch has fewer micro-batches than ranks times replicas; empty where it has
// enough.
std::string lackOfWork(const Settings& settings, std::uint32_t numRanks);

} // namespace spillway
