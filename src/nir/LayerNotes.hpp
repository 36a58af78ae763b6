// What NIR has no place for, kept as text in a node's metadata under "spillway": our keys, one
// "key = value" a line.
#pragma once

#include "network/NetworkSpec.hpp"

#include <string>

namespace spillway::nir {

inline constexpr const char* kNotes = "spillway";

std::string notesOf(const LayerSpec& layer);
std::string notesOf(const ReadoutSpec& readout);

// Applies notes; keys that are unknown or out of range here are left at what they are, since a file
// may come from another version. Sizes are not among them.
void applyNotes(const std::string& notes, LayerSpec& layer);
void applyNotes(const std::string& notes, ReadoutSpec& readout);

} // namespace spillway::nir
