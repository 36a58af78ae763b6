// Where the code of a function is kept until it is wanted.
#pragma once

namespace poplar {

enum class FunctionBufferMappingType { REMOTE };

} // namespace poplar
