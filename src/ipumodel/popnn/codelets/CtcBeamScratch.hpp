// How much memory a beam search works in. Shared by the host and the codelet.
#pragma once

namespace popnn {

// Floats of a beam: probabilities that end in a blank and in a class, before and after a step, and
// those of the chosen; and the order of the chosen.
constexpr unsigned kBeamFloats = 6;
// Numbers of a beam: its prefix before and after, and of the chosen beam and class.
constexpr unsigned kBeamNumbers = 4;
// Numbers of a prefix: the one that it extends, by which class, its first extension and the next
// extension of the same prefix.
constexpr unsigned kPrefixNumbers = 4;

constexpr unsigned beamFloats(unsigned beamwidth) {
  return kBeamFloats * beamwidth;
}

// Every step adds at most one prefix for each beam; the first one is empty.
constexpr unsigned maxPrefixes(unsigned beamwidth, unsigned steps) {
  return 1 + beamwidth * steps;
}

constexpr unsigned beamNumbers(unsigned beamwidth, unsigned steps) {
  return kBeamNumbers * beamwidth + kPrefixNumbers * maxPrefixes(beamwidth, steps);
}

} // namespace popnn
