// The __builtin_ipu_ functions that mean something on a host. The others (matrix unit, control
// registers, addresses) are left out, so that using one does not compile.
#ifndef ipumodel_ipu_builtins_h
#define ipumodel_ipu_builtins_h

#include <ipumodel/CodeletContext.hpp>

#include <ipu_vector_math>

// Names the glue asks for, so that it keeps the running vertex's context only where it is used.
#define IPUMODEL_USES_CONTEXT 1

template <class V>
inline V __builtin_ipu_max(V x, V y) {
  return ipu::max(x, y);
}
template <class V>
inline V __builtin_ipu_min(V x, V y) {
  return ipu::min(x, y);
}
template <class V>
inline V __builtin_ipu_absadd(V x, V y) {
  return ipu::absadd(x, y);
}
template <class V>
inline V __builtin_ipu_absmax(V x, V y) {
  return ipu::absmax(x, y);
}
template <class V>
inline V __builtin_ipu_exp(V x) {
  return ipu::exp(x);
}
template <class V>
inline V __builtin_ipu_exp2(V x) {
  return ipu::exp2(x);
}
template <class V>
inline V __builtin_ipu_ln(V x) {
  return ipu::log(x);
}
template <class V>
inline V __builtin_ipu_log2(V x) {
  return ipu::log2(x);
}
template <class V>
inline V __builtin_ipu_tanh(V x) {
  return ipu::tanh(x);
}
template <class V>
inline V __builtin_ipu_sigm(V x) {
  return ipu::sigmoid(x);
}
template <class V>
inline V __builtin_ipu_sqrt(V x) {
  return ipu::sqrt(x);
}
template <class V>
inline V __builtin_ipu_oorx(V x) { // 1 / sqrt(x)
  return ipu::rsqrt(x);
}
template <class V>
inline auto __builtin_ipu_isfinite(V x) {
  return ipu::isfinite(x);
}
template <class V>
inline auto __builtin_ipu_isinf(V x) {
  return ipu::isinf(x);
}
template <class V>
inline auto __builtin_ipu_isnan(V x) {
  return ipu::isnan(x);
}
// Between the formats of one number.
inline half __builtin_ipu_f32tof16(float x) {
  return static_cast<half>(x);
}
inline float __builtin_ipu_f16tof32(half x) {
  return static_cast<float>(x);
}

template <class V>
inline V __builtin_ipu_and(V x, V y) {
  return ipumodel::intrinsics::mapBits(x, y, [](unsigned a, unsigned b) { return a & b; });
}
template <class V>
inline V __builtin_ipu_or(V x, V y) {
  return ipumodel::intrinsics::mapBits(x, y, [](unsigned a, unsigned b) { return a | b; });
}
template <class V>
inline V __builtin_ipu_andc(V x, V y) { // x and not y
  return ipumodel::intrinsics::mapBits(x, y, [](unsigned a, unsigned b) { return a & ~b; });
}

// Bounds is {low, high}.
inline float __builtin_ipu_clamp(float x, float2 bounds) {
  return ipu::clamp(x, bounds[0], bounds[1]);
}
inline float2 __builtin_ipu_clamp(float2 x, float2 bounds) {
  return ipu::clamp(x, float2{bounds[0], bounds[0]}, float2{bounds[1], bounds[1]});
}

// The tile the vertex is mapped to.
inline unsigned __builtin_ipu_get_tile_id() {
  return ipumodel::context::current().tile;
}

// The host's cycle counter stands in for the tile's: it advances, no more.
inline unsigned __builtin_ipu_get_scount_l() {
  return static_cast<unsigned>(__builtin_readcyclecounter());
}
inline unsigned __builtin_ipu_get_scount_u() {
  return static_cast<unsigned>(__builtin_readcyclecounter() >> 32);
}

// Random numbers. A stream belongs to the vertex, worker and execution that draws from it, so it
// does not depend on which host thread runs what.
inline unsigned __builtin_ipu_urand32() {
  return static_cast<unsigned>(ipumodel::context::nextRandom() >> 32);
}
inline unsigned long long __builtin_ipu_urand64() {
  return ipumodel::context::nextRandom();
}
inline float __builtin_ipu_urand_f32() { // uniform in [-0.5, 0.5)
  return static_cast<float>(static_cast<int>(__builtin_ipu_urand32()) >> 8) * 0x1p-24f;
}
inline half __builtin_ipu_urand_f16() {
  return static_cast<half>(__builtin_ipu_urand_f32());
}

// Approximately normal: the sum of twelve uniform numbers, each with half a step added for
// symmetry.
inline float2 __builtin_ipu_f32v2grand() {
  float2 sum = {0.0f, 0.0f};
  for (int i = 0; i < 12; ++i) {
    const float2 step = {__builtin_ipu_urand_f32() + 0x1p-25f,
                         __builtin_ipu_urand_f32() + 0x1p-25f};
    sum += step;
  }
  return sum;
}

#endif
