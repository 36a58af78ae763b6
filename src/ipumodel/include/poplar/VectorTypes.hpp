// Short vectors such as float2 and half4. They need clang's vector extension, so host code compiled
// by another compiler does not see them. They are vectors as GCC has them, as on the tile: a sum of
// two half4 is a half4 to overloads, and a scalar spreads if its type or value fits an element.
// Vertex.hpp leaves them out, because codelets that also run on models often bring their own.
#ifndef poplar_VectorTypes_hpp
#define poplar_VectorTypes_hpp

#if defined(__clang__) && defined(__POPC__)

#include <poplar/HalfFloat.hpp>

// A tile aligns nothing to more than the 8 bytes of its data path, so programs cast such vectors
// from fields that ask for 8.
typedef half half2 __attribute__((vector_size(2 * sizeof(half))));
typedef half half4 __attribute__((vector_size(4 * sizeof(half))));
typedef half half8 __attribute__((vector_size(8 * sizeof(half)), aligned(8)));
typedef float float2 __attribute__((vector_size(2 * sizeof(float))));
typedef float float4 __attribute__((vector_size(4 * sizeof(float)), aligned(8)));
typedef char char2 __attribute__((vector_size(2 * sizeof(char))));
typedef char char4 __attribute__((vector_size(4 * sizeof(char))));
typedef unsigned char uchar2 __attribute__((vector_size(2 * sizeof(unsigned char))));
typedef unsigned char uchar4 __attribute__((vector_size(4 * sizeof(unsigned char))));
typedef short short2 __attribute__((vector_size(2 * sizeof(short))));
typedef short short4 __attribute__((vector_size(4 * sizeof(short))));
typedef unsigned short ushort2 __attribute__((vector_size(2 * sizeof(unsigned short))));
typedef unsigned short ushort4 __attribute__((vector_size(4 * sizeof(unsigned short))));
typedef int int2 __attribute__((vector_size(2 * sizeof(int))));
typedef int int4 __attribute__((vector_size(4 * sizeof(int)), aligned(8)));
typedef unsigned int uint2 __attribute__((vector_size(2 * sizeof(unsigned int))));
typedef unsigned int uint4 __attribute__((vector_size(4 * sizeof(unsigned int)), aligned(8)));
// `long` has 32 bits on a tile.
typedef int long2 __attribute__((vector_size(2 * sizeof(int))));
typedef int long4 __attribute__((vector_size(4 * sizeof(int)), aligned(8)));
typedef long long longlong2 __attribute__((vector_size(2 * sizeof(long long)), aligned(8)));
typedef long long longlong4 __attribute__((vector_size(4 * sizeof(long long)), aligned(8)));

namespace poplar {
using ::char2;
using ::char4;
using ::float2;
using ::float4;
using ::half2;
using ::half4;
using ::half8;
using ::int2;
using ::int4;
using ::long2;
using ::long4;
using ::longlong2;
using ::longlong4;
using ::short2;
using ::short4;
using ::uchar2;
using ::uchar4;
using ::uint2;
using ::uint4;
using ::ushort2;
using ::ushort4;
} // namespace poplar

#endif

#endif
