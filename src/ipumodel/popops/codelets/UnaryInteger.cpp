// Unary operators on integers and bool.
#include "UnaryVertices.hpp"

namespace popops {

template class UnaryOp1D<int>;
template class UnaryOp1D<unsigned int>;
template class UnaryOp1D<short>;
template class UnaryOp1D<unsigned short>;
template class UnaryOp1D<long long>;
template class UnaryOp1D<unsigned long long>;
template class UnaryOp1D<signed char>;
template class UnaryOp1D<char>;
template class UnaryOp1D<unsigned char>;

template class UnaryOp1DInPlace<int>;
template class UnaryOp1DInPlace<unsigned int>;
template class UnaryOp1DInPlace<short>;
template class UnaryOp1DInPlace<unsigned short>;
template class UnaryOp1DInPlace<long long>;
template class UnaryOp1DInPlace<unsigned long long>;
template class UnaryOp1DInPlace<signed char>;
template class UnaryOp1DInPlace<char>;
template class UnaryOp1DInPlace<unsigned char>;

template class UnaryOp2D<int>;
template class UnaryOp2D<unsigned int>;
template class UnaryOp2D<short>;
template class UnaryOp2D<unsigned short>;
template class UnaryOp2D<long long>;
template class UnaryOp2D<unsigned long long>;
template class UnaryOp2D<signed char>;
template class UnaryOp2D<char>;
template class UnaryOp2D<unsigned char>;

template class UnaryOp2DInPlace<int>;
template class UnaryOp2DInPlace<unsigned int>;
template class UnaryOp2DInPlace<short>;
template class UnaryOp2DInPlace<unsigned short>;
template class UnaryOp2DInPlace<long long>;
template class UnaryOp2DInPlace<unsigned long long>;
template class UnaryOp2DInPlace<signed char>;
template class UnaryOp2DInPlace<char>;
template class UnaryOp2DInPlace<unsigned char>;

template class UnaryTest1D<bool>;

template class UnaryTest2D<bool>;

} // namespace popops
