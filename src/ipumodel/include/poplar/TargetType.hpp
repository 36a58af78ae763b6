// What kind of device a target describes.
#pragma once

namespace poplar {

enum class TargetType {
  IPU,       ///< An IPU; here always one that the model backs.
  IPU_MODEL, ///< The IPU Model.
  CPU        ///< The host, as one tile with one worker per IPU.
};

} // namespace poplar
