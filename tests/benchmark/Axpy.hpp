// The loop both sides of the comparison compile.
#pragma once

#include <cstddef>

template <class X, class Y>
inline void axpyLoop(float a, const X& x, Y& y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    y[i] += a * x[i];
}
