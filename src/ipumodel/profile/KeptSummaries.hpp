// Options of the texts of profiles.
#pragma once

#include "profile/Summary.hpp"

namespace poplar {
class OptionFlags;
}

namespace ipumodel {

// Throws poplar::invalid_option for an option that no summary has.
SummaryOptions summaryOptions(const poplar::OptionFlags& flags);

} // namespace ipumodel
