// Slices and updates at one offset. They only move elements: one instance for each size.
#include "SliceVertices.hpp"

namespace popops {

template class DynamicSlice1D<unsigned char>;
template class DynamicSlice1D<unsigned short>;
template class DynamicSlice1D<unsigned int>;
template class DynamicSlice1D<unsigned long long>;

template class DynamicSlice2D<unsigned char>;
template class DynamicSlice2D<unsigned short>;
template class DynamicSlice2D<unsigned int>;
template class DynamicSlice2D<unsigned long long>;

template class DynamicUpdate1D<unsigned char>;
template class DynamicUpdate1D<unsigned short>;
template class DynamicUpdate1D<unsigned int>;
template class DynamicUpdate1D<unsigned long long>;

template class DynamicUpdate2D<unsigned char>;
template class DynamicUpdate2D<unsigned short>;
template class DynamicUpdate2D<unsigned int>;
template class DynamicUpdate2D<unsigned long long>;

} // namespace popops
