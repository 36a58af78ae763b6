// Select and clamp; the rarer types only in 1-D.
#include "TernaryVertices.hpp"

namespace popops {

template class Select1D<float>;
template class Select1D<half>;
template class Select1D<int>;
template class Select1D<unsigned int>;
template class Select1D<bool>;
template class Select1D<short>;
template class Select1D<unsigned short>;
template class Select1D<char>;
template class Select1D<signed char>;
template class Select1D<unsigned char>;
template class Select1D<long long>;
template class Select1D<unsigned long long>;

template class Select2D<float>;
template class Select2D<half>;
template class Select2D<int>;
template class Select2D<unsigned int>;

template class Clamp1D<float>;
template class Clamp1D<half>;
template class Clamp1D<int>;
template class Clamp1D<unsigned int>;

template class Clamp2D<float>;
template class Clamp2D<half>;
template class Clamp2D<int>;
template class Clamp2D<unsigned int>;

} // namespace popops
