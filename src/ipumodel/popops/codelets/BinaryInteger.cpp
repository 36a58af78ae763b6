// Binary operators on 32-bit integers, and comparisons of bool.
#include "BinaryVertices.hpp"

namespace popops {

template class BinaryOp1D<int>;
template class BinaryOp1D<unsigned int>;

template class BinaryOp1DInPlace<int>;
template class BinaryOp1DInPlace<unsigned int>;

template class BinaryOp2D<int>;
template class BinaryOp2D<unsigned int>;

template class BinaryOp2DInPlace<int>;
template class BinaryOp2DInPlace<unsigned int>;

template class Compare1D<int>;
template class Compare1D<unsigned int>;

template class Compare2D<int>;
template class Compare2D<unsigned int>;

template class Compare1D<bool>;

template class Compare2D<bool>;

} // namespace popops
