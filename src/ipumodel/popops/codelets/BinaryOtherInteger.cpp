// Binary operators on the other integers, in 1-D only.
#include "BinaryVertices.hpp"

namespace popops {

template class BinaryOp1D<short>;
template class BinaryOp1D<unsigned short>;
template class BinaryOp1D<char>;
template class BinaryOp1D<signed char>;
template class BinaryOp1D<unsigned char>;
template class BinaryOp1D<long long>;
template class BinaryOp1D<unsigned long long>;

template class BinaryOp1DInPlace<short>;
template class BinaryOp1DInPlace<unsigned short>;
template class BinaryOp1DInPlace<char>;
template class BinaryOp1DInPlace<signed char>;
template class BinaryOp1DInPlace<unsigned char>;
template class BinaryOp1DInPlace<long long>;
template class BinaryOp1DInPlace<unsigned long long>;

template class Compare1D<short>;
template class Compare1D<unsigned short>;
template class Compare1D<char>;
template class Compare1D<signed char>;
template class Compare1D<unsigned char>;
template class Compare1D<long long>;
template class Compare1D<unsigned long long>;

} // namespace popops
