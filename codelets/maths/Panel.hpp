// The width of a dense product's scratch, which the host lays out.
#pragma once

namespace spillway {

constexpr unsigned kMostPanelWidth = 32; // rows of the weights in a panel, on the widest vectors

// Of multiplyMatrices(): a panel then takes 32 KiB on the widest vectors.
constexpr unsigned kInnerBlock = 256;
constexpr unsigned kProductScratch = kInnerBlock * kMostPanelWidth; // floats

// Samples side by side in the panels of a gated layer's errors, at most.
constexpr unsigned kSampleLanes = 64;

// Lanes of a panel of all samples: groups of kSampleLanes, and for the rest as few as vectors take.
constexpr unsigned panelLanes(unsigned samples) {
  const unsigned rest = samples % kSampleLanes;
  return samples - rest + (rest == 0 ? 0u : rest <= 16 ? 16u : rest <= 32 ? 32u : kSampleLanes);
}

} // namespace spillway
