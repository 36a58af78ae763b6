#pragma once

#include <pva/Program.hpp>

namespace pva {

// The program of that index, as the class of its type.
ProgramPtr makeProgram(const Data& data, std::size_t index);

} // namespace pva
