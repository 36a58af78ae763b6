// Unary operators on integers and bool; the shorter and longer ones only in 1-D.
#include "UnaryVertices.hpp"

namespace popops {

template class UnaryOp2D<int>;
template class UnaryOp2D<unsigned int>;

template class UnaryOp2DInPlace<int>;
template class UnaryOp2DInPlace<unsigned int>;

template class UnaryOp1D<int>;
template class UnaryOp1D<unsigned int>;
template class UnaryOp1D<short>;
template class UnaryOp1D<unsigned short>;
template class UnaryOp1D<long long>;
template class UnaryOp1D<unsigned long long>;

template class UnaryOp1DInPlace<int>;
template class UnaryOp1DInPlace<unsigned int>;
template class UnaryOp1DInPlace<short>;
template class UnaryOp1DInPlace<unsigned short>;
template class UnaryOp1DInPlace<long long>;
template class UnaryOp1DInPlace<unsigned long long>;

template class UnaryTest1D<bool>;

template class UnaryTest2D<bool>;

} // namespace popops
