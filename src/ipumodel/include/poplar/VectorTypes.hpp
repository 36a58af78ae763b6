// Short vectors such as float2 and half4. They need clang's vector extension, so host code compiled
// by another compiler does not see them.
#ifndef poplar_VectorTypes_hpp
#define poplar_VectorTypes_hpp

#ifdef __clang__

#ifdef __POPC__
#include <poplar/HalfFloat.hpp>
#endif

#define IPUMODEL_VECTOR(TYPE, NAME, N) typedef TYPE NAME##N __attribute__((ext_vector_type(N)))

IPUMODEL_VECTOR(float, float, 2);
IPUMODEL_VECTOR(float, float, 4);
IPUMODEL_VECTOR(int, int, 2);
IPUMODEL_VECTOR(int, int, 4);
IPUMODEL_VECTOR(unsigned int, uint, 2);
IPUMODEL_VECTOR(unsigned int, uint, 4);
IPUMODEL_VECTOR(short, short, 2);
IPUMODEL_VECTOR(short, short, 4);
IPUMODEL_VECTOR(unsigned short, ushort, 2);
IPUMODEL_VECTOR(unsigned short, ushort, 4);
IPUMODEL_VECTOR(signed char, char, 2);
IPUMODEL_VECTOR(signed char, char, 4);
IPUMODEL_VECTOR(unsigned char, uchar, 2);
IPUMODEL_VECTOR(unsigned char, uchar, 4);
IPUMODEL_VECTOR(long long, longlong, 2);
IPUMODEL_VECTOR(unsigned long long, ulonglong, 2);
#ifdef __POPC__
IPUMODEL_VECTOR(half, half, 2);
IPUMODEL_VECTOR(half, half, 4);
#endif

#undef IPUMODEL_VECTOR

namespace poplar {
using ::char2;
using ::char4;
using ::float2;
using ::float4;
using ::int2;
using ::int4;
using ::longlong2;
using ::short2;
using ::short4;
using ::uchar2;
using ::uchar4;
using ::uint2;
using ::uint4;
using ::ulonglong2;
using ::ushort2;
using ::ushort4;
#ifdef __POPC__
using ::half2;
using ::half4;
#endif
} // namespace poplar

#endif

#endif
