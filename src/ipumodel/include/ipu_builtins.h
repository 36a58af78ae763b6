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

template <class V>
inline V __builtin_ipu_not(V x) {
  return ipumodel::intrinsics::mapBits(x, x, [](unsigned a, unsigned) { return ~a; });
}

// Bounds is {low, high}.
inline float __builtin_ipu_clamp(float x, float2 bounds) {
  return ipu::clamp(x, bounds[0], bounds[1]);
}
inline float2 __builtin_ipu_clamp(float2 x, float2 bounds) {
  return ipu::clamp(x, float2{bounds[0], bounds[0]}, float2{bounds[1], bounds[1]});
}
inline half2 __builtin_ipu_clamp(half2 x, half2 bounds) {
  return ipu::clamp(x, half2{bounds[0], bounds[0]}, half2{bounds[1], bounds[1]});
}
inline half4 __builtin_ipu_clamp(half4 x, half2 bounds) {
  const half low = bounds[0], high = bounds[1];
  return ipu::clamp(x, half4{low, low, low, low}, half4{high, high, high, high});
}

// Sums and maxima of neighbours.
inline float __builtin_ipu_sum(half2 x) {
  return static_cast<float>(x[0]) + static_cast<float>(x[1]);
}
inline float2 __builtin_ipu_sum(half4 x) {
  return float2{static_cast<float>(x[0]) + static_cast<float>(x[1]),
                static_cast<float>(x[2]) + static_cast<float>(x[3])};
}
inline half __builtin_ipu_maxc(half2 x) {
  return ipu::max(half(x[0]), half(x[1]));
}
inline half2 __builtin_ipu_maxc(half4 x) {
  return half2{ipu::max(half(x[0]), half(x[1])), ipu::max(half(x[2]), half(x[3]))};
}

// All bits set where the comparison holds.
#define IPUMODEL_COMPARE(name, op)                                                                 \
  template <class V>                                                                               \
  inline V __builtin_ipu_##name(V x, V y) {                                                        \
    return ipumodel::intrinsics::maskedBits<V>(x op y);                                            \
  }
IPUMODEL_COMPARE(cmpeq, ==)
IPUMODEL_COMPARE(cmpge, >=)
IPUMODEL_COMPARE(cmpgt, >)
IPUMODEL_COMPARE(cmple, <=)
IPUMODEL_COMPARE(cmplt, <)
IPUMODEL_COMPARE(cmpne, !=)
#undef IPUMODEL_COMPARE

// Elements of two vectors, seen as one of four.
inline float2 __builtin_ipu_roll32(float2 x, float2 y) {
  return float2{x[1], y[0]};
}
inline float2 __builtin_ipu_sort4x32lo(float2 x, float2 y) {
  return float2{x[0], y[0]};
}
inline float2 __builtin_ipu_sort4x32hi(float2 x, float2 y) {
  return float2{x[1], y[1]};
}

// The same by the names of their instructions.
#define IPUMODEL_UNARY(type, prefix, name)                                                         \
  inline auto __builtin_ipu_##prefix##name(type x) {                                               \
    return __builtin_ipu_##name(x);                                                                \
  }
#define IPUMODEL_BINARY(name)                                                                      \
  inline auto __builtin_ipu_f32##name(float x, float y) {                                          \
    return __builtin_ipu_##name(x, y);                                                             \
  }                                                                                                \
  inline auto __builtin_ipu_f32v2##name(float2 x, float2 y) {                                      \
    return __builtin_ipu_##name(x, y);                                                             \
  }                                                                                                \
  inline auto __builtin_ipu_f16v2##name(half2 x, half2 y) {                                        \
    return __builtin_ipu_##name(x, y);                                                             \
  }                                                                                                \
  inline auto __builtin_ipu_f16v4##name(half4 x, half4 y) {                                        \
    return __builtin_ipu_##name(x, y);                                                             \
  }
IPUMODEL_BINARY(absadd)
IPUMODEL_BINARY(absmax)
IPUMODEL_BINARY(max)
IPUMODEL_BINARY(min)
IPUMODEL_BINARY(cmpeq)
IPUMODEL_BINARY(cmpge)
IPUMODEL_BINARY(cmpgt)
IPUMODEL_BINARY(cmple)
IPUMODEL_BINARY(cmplt)
IPUMODEL_BINARY(cmpne)
IPUMODEL_UNARY(half2, f16v2, sum)
IPUMODEL_UNARY(half4, f16v4, sum)
IPUMODEL_UNARY(half2, f16v2, maxc)
IPUMODEL_UNARY(half4, f16v4, maxc)
IPUMODEL_UNARY(half2, f16v2, exp)
IPUMODEL_UNARY(half2, f16v2, exp2)
IPUMODEL_UNARY(half2, f16v2, ln)
IPUMODEL_UNARY(half2, f16v2, log2)
IPUMODEL_UNARY(half2, f16v2, tanh)
IPUMODEL_UNARY(half2, f16v2, sigm)
IPUMODEL_UNARY(float, f32, sigm)
#undef IPUMODEL_UNARY
#undef IPUMODEL_BINARY
inline float __builtin_ipu_f32clamp(float x, float2 bounds) {
  return __builtin_ipu_clamp(x, bounds);
}
inline float2 __builtin_ipu_f32v2clamp(float2 x, float2 bounds) {
  return __builtin_ipu_clamp(x, bounds);
}
inline half2 __builtin_ipu_f16v2clamp(half2 x, half2 bounds) {
  return __builtin_ipu_clamp(x, bounds);
}
inline half4 __builtin_ipu_f16v4clamp(half4 x, half2 bounds) {
  return __builtin_ipu_clamp(x, bounds);
}

// The tile the vertex is mapped to.
inline unsigned __builtin_ipu_get_tile_id() {
  return ipumodel::context::current().tile;
}

inline unsigned __builtin_ipu_get_worker_id() {
  return ipumodel::context::current().worker;
}
inline bool __builtin_ipu_is_worker_mode() {
  return true;
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

inline half2 __builtin_ipu_f16v2grand() {
  const float2 x = __builtin_ipu_f32v2grand();
  return half2{static_cast<half>(x[0]), static_cast<half>(x[1])};
}

// Keeps each element with that probability, else sets it to 0.
template <class V>
inline V __builtin_ipu_rmask(V x, float probability) {
  for (unsigned i = 0; i < sizeof(V) / sizeof(x[0]); ++i)
    if (!(__builtin_ipu_urand_f32() + 0.5f < probability))
      x[i] = 0.0f;
  return x;
}

#endif
