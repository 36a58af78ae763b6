// Questions about which elements views have, whatever their boxes look like.
#pragma once

#include "graph/View.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace ipumodel {

// Consecutive elements of a variable, at a position of the flattened view.
struct Region {
  std::size_t position = 0;
  VarId var;
  std::size_t begin = 0; // first element
  std::size_t count = 0;
  std::size_t end() const { return begin + count; }
};

// The view's elements in order, cut where they are not consecutive in memory.
std::vector<Region> regionsOf(const View& view);

// The same elements in the same order; shapes are not compared.
bool sameElements(const View& a, const View& b);

bool containsAliases(const View& view);
bool intersects(const View& a, const View& b);

// Half-open ranges of a variable that contain all elements of the view: exact for dense boxes, the
// hull of the others.
void forEachHull(const View& view,
                 const std::function<void(VarId, std::size_t begin, std::size_t end)>& f);

// Whether a box touches every element between its first and its last; `injective` receives whether
// no element is touched twice, as far as the strides alone tell.
struct BoxReach {
  std::size_t begin, end; // hull
  bool dense, injective;
};
BoxReach reachOf(const Box& box);

} // namespace ipumodel
