// Reductions, by input and output type.
#include "ReduceVertices.hpp"

namespace popops {

template class ReduceRows<float, float>;
template class ReduceRows<half, half>;
template class ReduceRows<half, float>;
template class ReduceRows<float, half>;
template class ReduceRows<int, int>;
template class ReduceRows<unsigned int, unsigned int>;
template class ReduceRows<bool, bool>;

template class ReduceColumns<float, float>;
template class ReduceColumns<half, half>;
template class ReduceColumns<half, float>;
template class ReduceColumns<float, half>;
template class ReduceColumns<int, int>;
template class ReduceColumns<unsigned int, unsigned int>;
template class ReduceColumns<bool, bool>;

template class ReducePieces<float, float>;
template class ReducePieces<half, half>;
template class ReducePieces<half, float>;
template class ReducePieces<float, half>;
template class ReducePieces<int, int>;
template class ReducePieces<unsigned int, unsigned int>;
template class ReducePieces<bool, bool>;

template class ReduceFinish<float, float>;
template class ReduceFinish<half, half>;
template class ReduceFinish<half, float>;
template class ReduceFinish<float, half>;
template class ReduceFinish<int, int>;
template class ReduceFinish<unsigned int, unsigned int>;

} // namespace popops
