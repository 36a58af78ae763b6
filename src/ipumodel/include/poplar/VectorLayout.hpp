// How the pointers of vector fields are stored on a tile. On the host every layout is stored alike;
// the layout decides what a field offers (size()) and what it would cost.
#ifndef poplar_VectorLayout_hpp
#define poplar_VectorLayout_hpp

namespace poplar {

// Layout of a poplar::Vector.
enum class VectorLayout : short {
  NOT_VECTOR,
  SPAN,         // pointer and 32-bit size
  SHORT_SPAN,   // 21-bit pointer and 11-bit size
  ONE_PTR,      // pointer, no size
  SCALED_PTR32, // 16-bit pointer in units of 4 bytes, no size
  SCALED_PTR64,
  SCALED_PTR128,
  COMPACT_PTR // the smallest pointer that can express the alignment, no size
};

// Layout of a poplar::VectorList.
enum class VectorListLayout : short {
  NOT_VECTOR,
  ONE_PTR,
  SCALED_PTR32,
  SCALED_PTR64,
  SCALED_PTR128,
  DELTANELEMENTS,
  DELTAN,
  COMPACT_DELTAN
};

} // namespace poplar

#endif
