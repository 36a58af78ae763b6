// Vertices that a codelet file offers to hardware alone, behind `#ifdef __IPU__`.
#pragma once

#include "popc/CodeletLibrary.hpp"

#include <string_view>

namespace ipumodel {

// The type of that name, compiling the parts of the library's files for hardware if it is not there
// without them; null if it is in none. Throws poplar::graph_object_creation_error where such a part
// does not compile, for instance since it has instructions or addresses of a tile's processor.
const VertexType* findForHardware(CodeletLibrary& library, std::string_view name);

} // namespace ipumodel
