// The width of a dense product's scratch, which the host lays out.
#pragma once

namespace spillway {

constexpr unsigned kMostPanelWidth = 32; // rows of the weights in a panel, on the widest vectors

} // namespace spillway
