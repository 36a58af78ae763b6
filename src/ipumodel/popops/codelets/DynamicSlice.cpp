// Slices and updates at one offset.
#include "SliceVertices.hpp"

namespace popops {

template class DynamicSlice1D<float>;
template class DynamicSlice1D<half>;
template class DynamicSlice1D<int>;
template class DynamicSlice1D<unsigned int>;
template class DynamicSlice1D<short>;
template class DynamicSlice1D<unsigned short>;
template class DynamicSlice1D<bool>;
template class DynamicSlice1D<char>;
template class DynamicSlice1D<signed char>;
template class DynamicSlice1D<unsigned char>;
template class DynamicSlice1D<long long>;
template class DynamicSlice1D<unsigned long long>;

template class DynamicSlice2D<float>;
template class DynamicSlice2D<half>;
template class DynamicSlice2D<int>;
template class DynamicSlice2D<unsigned int>;
template class DynamicSlice2D<short>;
template class DynamicSlice2D<unsigned short>;
template class DynamicSlice2D<bool>;
template class DynamicSlice2D<char>;
template class DynamicSlice2D<signed char>;
template class DynamicSlice2D<unsigned char>;
template class DynamicSlice2D<long long>;
template class DynamicSlice2D<unsigned long long>;

template class DynamicUpdate1D<float>;
template class DynamicUpdate1D<half>;
template class DynamicUpdate1D<int>;
template class DynamicUpdate1D<unsigned int>;
template class DynamicUpdate1D<short>;
template class DynamicUpdate1D<unsigned short>;
template class DynamicUpdate1D<bool>;
template class DynamicUpdate1D<char>;
template class DynamicUpdate1D<signed char>;
template class DynamicUpdate1D<unsigned char>;
template class DynamicUpdate1D<long long>;
template class DynamicUpdate1D<unsigned long long>;

template class DynamicUpdate2D<float>;
template class DynamicUpdate2D<half>;
template class DynamicUpdate2D<int>;
template class DynamicUpdate2D<unsigned int>;
template class DynamicUpdate2D<short>;
template class DynamicUpdate2D<unsigned short>;
template class DynamicUpdate2D<bool>;
template class DynamicUpdate2D<char>;
template class DynamicUpdate2D<signed char>;
template class DynamicUpdate2D<unsigned char>;
template class DynamicUpdate2D<long long>;
template class DynamicUpdate2D<unsigned long long>;

} // namespace popops
