// The width of a dense product's scratch, which the host lays out.
#pragma once

namespace spillway {

constexpr unsigned kMostPanelWidth = 32; // rows of the weights in a panel, on the widest vectors

// Of multiplyMatrices(): a panel then takes 32 KiB on the widest vectors.
constexpr unsigned kInnerBlock = 256;
constexpr unsigned kProductScratch = kInnerBlock * kMostPanelWidth; // floats

// Of RowProduct: samples side by side.
constexpr unsigned kSampleLanes = 64;

} // namespace spillway
