// Built by clang++ -O3 -march=native as plain C++.
#include "Axpy.hpp"

extern "C" void axpyNative(float a, const float* x, float* y, std::size_t n) {
  axpyLoop(a, x, y, n);
}
