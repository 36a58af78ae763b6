// Another name of the header of the collectives, under which later programs look for those within a
// replica.
#pragma once

#include <popops/Collectives.hpp>
