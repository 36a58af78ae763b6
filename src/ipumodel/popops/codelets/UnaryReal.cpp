// Unary operators on floating point.
#include "UnaryVertices.hpp"

namespace popops {

template class UnaryOp1D<float>;
template class UnaryOp1D<half>;

template class UnaryOp1DInPlace<float>;
template class UnaryOp1DInPlace<half>;

template class UnaryOp2D<float>;
template class UnaryOp2D<half>;

template class UnaryOp2DInPlace<float>;
template class UnaryOp2DInPlace<half>;

template class UnaryTest1D<float>;
template class UnaryTest1D<half>;

template class UnaryTest2D<float>;
template class UnaryTest2D<half>;

} // namespace popops
