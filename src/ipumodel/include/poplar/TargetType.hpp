// What kind of device a target describes.
#pragma once

#include <iosfwd>
#include <string>

namespace poplar {

enum class TargetType {
  IPU,       ///< An IPU; here always one that the model backs.
  IPU_MODEL, ///< The IPU Model.
  CPU        ///< The host, as one tile with one worker per IPU.
};

/// "IPU", "IPU_MODEL" or "CPU".
std::string toString(TargetType type);
std::ostream& operator<<(std::ostream& os, TargetType type);

} // namespace poplar
