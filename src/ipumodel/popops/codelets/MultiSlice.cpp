// Slices and updates at many offsets. Slices only move elements: one instance for each size.
#include "MultiSliceVertices.hpp"

namespace popops {

template class MultiSlice1D<unsigned char>;
template class MultiSlice1D<unsigned short>;
template class MultiSlice1D<unsigned int>;
template class MultiSlice1D<unsigned long long>;

template class MultiSlice2D<unsigned char>;
template class MultiSlice2D<unsigned short>;
template class MultiSlice2D<unsigned int>;
template class MultiSlice2D<unsigned long long>;

template class ChooseRows<unsigned char>;
template class ChooseRows<unsigned short>;
template class ChooseRows<unsigned int>;
template class ChooseRows<unsigned long long>;

template class MultiUpdate1D<float, float>;
template class MultiUpdate1D<half, half>;
template class MultiUpdate1D<half, float>;
template class MultiUpdate1D<int, int>;
template class MultiUpdate1D<unsigned int, unsigned int>;

template class MultiUpdate2D<float, float>;
template class MultiUpdate2D<half, half>;
template class MultiUpdate2D<half, float>;
template class MultiUpdate2D<int, int>;
template class MultiUpdate2D<unsigned int, unsigned int>;

} // namespace popops
