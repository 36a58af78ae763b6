// Fill, of every type.
#include "FillCast.hpp"

namespace popops {

template class Fill1D<float>;
template class Fill1D<half>;
template class Fill1D<int>;
template class Fill1D<unsigned int>;
template class Fill1D<short>;
template class Fill1D<unsigned short>;
template class Fill1D<bool>;
template class Fill1D<char>;
template class Fill1D<signed char>;
template class Fill1D<unsigned char>;
template class Fill1D<long long>;
template class Fill1D<unsigned long long>;

template class Fill2D<float>;
template class Fill2D<half>;
template class Fill2D<int>;
template class Fill2D<unsigned int>;
template class Fill2D<short>;
template class Fill2D<unsigned short>;
template class Fill2D<bool>;
template class Fill2D<char>;
template class Fill2D<signed char>;
template class Fill2D<unsigned char>;
template class Fill2D<long long>;
template class Fill2D<unsigned long long>;

} // namespace popops
