// Numbers from text, as in option values.
#pragma once

#include <poplar/StringRef.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {

// Throws parse_error unless the whole text is one value of type T.
template <typename T>
T lexicalCast(StringRef text) {
  std::istringstream stream(text.cloneAsString());
  T value;
  if (!(stream >> value) || !(stream >> std::ws).eof())
    throw parse_error("cannot read '" + text.cloneAsString() + "' as a value of the wanted type");
  return value;
}

} // namespace poplar
