// Matching shapes by NumPy's broadcast rules: ranks are matched by outer dimensions of size 1, and
// a dimension of size 1 is repeated to match. What cannot be matched throws poplibs_error.
#pragma once

#include <poplar/Tensor.hpp>

#include <vector>

namespace poputil {

/// Inserts outer dimensions of size 1 into the tensor of lower rank.
void expandToMatchRanks(poplar::Tensor& a, poplar::Tensor& b);

/// Broadcasts `a` to `shape`. REQUIRES: rank of `a` at most shape.size().
void broadcastToMatch(poplar::Tensor& a, const std::vector<std::size_t>& shape);

/// Broadcasts the tensors to one common shape.
void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b);
void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b, poplar::Tensor& c);

bool canBroadcastToMatch(const poplar::Tensor& a, const poplar::Tensor& b);

} // namespace poputil
