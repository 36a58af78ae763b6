// Binary operators on floating point.
#include "BinaryVertices.hpp"

namespace popops {

template class BinaryOp1D<float>;
template class BinaryOp1D<half>;

template class BinaryOp1DInPlace<float>;
template class BinaryOp1DInPlace<half>;

template class BinaryOp2D<float>;
template class BinaryOp2D<half>;

template class BinaryOp2DInPlace<float>;
template class BinaryOp2DInPlace<half>;

template class Compare1D<float>;
template class Compare1D<half>;

template class Compare2D<float>;
template class Compare2D<half>;

} // namespace popops
