// quarter: eight bits whose format and scale, their metadata, lie elsewhere. Vertices convert them
// to compute with.
#ifndef poplar_QuarterFloat_hpp
#define poplar_QuarterFloat_hpp

#if defined(__POPC__)

#include <poplar/HalfFloat.hpp>

#include <ipumodel/QuarterBits.hpp>

struct quarter {
  unsigned char value;
};

// Numbers are times 2^scale, from -32 to 31.
struct quarter_metadata {
  enum format { f152, f143 } fmt;
  signed char scale;
};

typedef unsigned char MetadataType; // as fields have it

namespace poplar {
using ::quarter;
using ::quarter_metadata;

inline quarter_metadata unpackMetadata(const MetadataType* packed) {
  return {ipumodel::quarterHasThreeMantissaBits(*packed) ? quarter_metadata::f143
                                                         : quarter_metadata::f152,
          static_cast<signed char>(ipumodel::quarterScale(*packed))};
}
inline MetadataType packMetadata(quarter_metadata metadata) {
  return ipumodel::packQuarterMetadata(metadata.fmt == quarter_metadata::f143, metadata.scale);
}

inline float toFloat(quarter x, quarter_metadata metadata) {
  return static_cast<float>(ipumodel::fromQuarter(x.value, packMetadata(metadata)));
}
inline half toHalf(quarter x, quarter_metadata metadata) {
  return static_cast<half>(toFloat(x, metadata));
}
// To the nearest, ties to even; too large ones become the largest.
inline quarter toQuarter(float x, quarter_metadata metadata) {
  return {ipumodel::toQuarter(static_cast<double>(x), packMetadata(metadata))};
}
inline quarter toQuarter(half x, quarter_metadata metadata) {
  return toQuarter(static_cast<float>(x), metadata);
}

} // namespace poplar

#endif

#endif
