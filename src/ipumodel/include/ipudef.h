/* The native types of the tile: half, short vectors and the count of a hardware loop. */
#ifndef ipumodel_ipudef_h
#define ipumodel_ipudef_h

#include <poplar/HalfFloat.hpp>
#include <poplar/VectorTypes.hpp>

/* A loop count that fits the repeat instruction. */
typedef unsigned rptsize_t;

#ifdef __POPC__
constexpr half operator""_h(long double value) {
  return static_cast<half>(static_cast<float>(value));
}
#endif

#endif
