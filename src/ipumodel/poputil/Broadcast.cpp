#include <poputil/Broadcast.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace poputil {
namespace {

poplar::Tensor expandToRank(poplar::Tensor t, std::size_t rank) {
  while (t.rank() < rank)
    t = t.expand({0});
  return t;
}

std::string toString(const std::vector<std::size_t>& shape) {
  std::string text = "{";
  for (std::size_t size : shape)
    text += (text.size() > 1 ? "," : "") + std::to_string(size);
  return text + "}";
}

// The shape both broadcast to.
std::vector<std::size_t> commonShape(std::vector<std::size_t> a, std::vector<std::size_t> b) {
  const auto rank = std::max(a.size(), b.size());
  const auto shapes = toString(a) + " and " + toString(b);
  a.insert(a.begin(), rank - a.size(), 1);
  b.insert(b.begin(), rank - b.size(), 1);
  std::vector<std::size_t> common(rank);
  for (std::size_t d = 0; d != rank; ++d) {
    if (a[d] != b[d] && a[d] != 1 && b[d] != 1)
      throw poplibs_error("Cannot broadcast shapes " + shapes + " to match: dimension " +
                          std::to_string(d) + " has " + std::to_string(a[d]) + " and " +
                          std::to_string(b[d]) + " elements");
    common[d] = a[d] == 1 ? b[d] : a[d];
  }
  return common;
}

} // namespace

void expandToMatchRanks(poplar::Tensor& a, poplar::Tensor& b) {
  const std::size_t rank = std::max(a.rank(), b.rank());
  a = expandToRank(a, rank);
  b = expandToRank(b, rank);
}

void broadcastToMatch(poplar::Tensor& a, const std::vector<std::size_t>& shape) {
  if (a.rank() > shape.size() || commonShape(a.shape(), shape) != shape)
    throw poplibs_error("Cannot broadcast a tensor of shape " + toString(a.shape()) + " to " +
                        toString(shape));
  a = expandToRank(a, shape.size());
  for (unsigned d = 0; d != shape.size(); ++d)
    if (a.dim(d) != shape[d])
      a = a.broadcast(static_cast<unsigned>(shape[d]), d);
}

void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b) {
  const auto shape = commonShape(a.shape(), b.shape());
  broadcastToMatch(a, shape);
  broadcastToMatch(b, shape);
}

void broadcastToMatch(poplar::Tensor& a, poplar::Tensor& b, poplar::Tensor& c) {
  const auto shape = commonShape(commonShape(a.shape(), b.shape()), c.shape());
  broadcastToMatch(a, shape);
  broadcastToMatch(b, shape);
  broadcastToMatch(c, shape);
}

bool canBroadcastToMatch(const poplar::Tensor& a, const poplar::Tensor& b) {
  const auto rank = std::min(a.rank(), b.rank());
  for (unsigned d = 1; d <= rank; ++d) {
    const auto sizeOfA = a.dim(a.rank() - d), sizeOfB = b.dim(b.rank() - d);
    if (sizeOfA != sizeOfB && sizeOfA != 1 && sizeOfB != 1)
      return false;
  }
  return true;
}

} // namespace poputil
