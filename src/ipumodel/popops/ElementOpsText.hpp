// The device-side headers that generated codelets need, as text.
#pragma once

namespace popops {

extern const char* const kElementOpsText;

} // namespace popops
