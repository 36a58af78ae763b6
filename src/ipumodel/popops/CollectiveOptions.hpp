// The options of collectives, of popops and of gcl.
#pragma once

#include <poplar/OptionFlags.hpp>

namespace popops {

// Throws poplar::invalid_option for a name that no collective has, and for a value that the option
// does not take. What an option would choose among makes no difference here.
void checkCollectiveOptions(const poplar::OptionFlags& options);

} // namespace popops
