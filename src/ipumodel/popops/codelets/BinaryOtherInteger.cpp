// Binary operators on the other integers.
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

template class BinaryOp2D<short>;
template class BinaryOp2D<unsigned short>;
template class BinaryOp2D<char>;
template class BinaryOp2D<signed char>;
template class BinaryOp2D<unsigned char>;
template class BinaryOp2D<long long>;
template class BinaryOp2D<unsigned long long>;

template class BinaryOp2DInPlace<short>;
template class BinaryOp2DInPlace<unsigned short>;
template class BinaryOp2DInPlace<char>;
template class BinaryOp2DInPlace<signed char>;
template class BinaryOp2DInPlace<unsigned char>;
template class BinaryOp2DInPlace<long long>;
template class BinaryOp2DInPlace<unsigned long long>;

template class Compare1D<short>;
template class Compare1D<unsigned short>;
template class Compare1D<char>;
template class Compare1D<signed char>;
template class Compare1D<unsigned char>;
template class Compare1D<long long>;
template class Compare1D<unsigned long long>;

template class Compare2D<short>;
template class Compare2D<unsigned short>;
template class Compare2D<char>;
template class Compare2D<signed char>;
template class Compare2D<unsigned char>;
template class Compare2D<long long>;
template class Compare2D<unsigned long long>;

} // namespace popops
