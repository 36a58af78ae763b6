#include <poputil/cyclesTables.hpp>

namespace poputil {
namespace internal {

// The costs are those of the shifts and adds that unpack each encoding (PopLibs, cyclesTables.hpp).

std::uint64_t getUnpackCost(poplar::layout::Vector layout) {
  using poplar::layout::Vector;
  switch (layout) {
  case Vector::ShortSpan:
  case Vector::ScaledPtr32:
    return 2;
  case Vector::ScaledPtr64:
  case Vector::ScaledPtr128:
    return 1;
  default:
    return 0;
  }
}

std::uint64_t getUnpackCost(poplar::layout::VectorList layout) {
  using poplar::layout::VectorList;
  switch (layout) {
  case VectorList::DeltaN:
    return 2;
  case VectorList::DeltaNElements:
    return 5;
  default:
    throw poplibs_error("getUnpackCost: no cost is known for this vector list layout");
  }
}

std::uint64_t getVectorListDeltaUnpackCost(poplar::layout::VectorList layout) {
  using poplar::layout::VectorList;
  switch (layout) {
  case VectorList::DeltaN:
    return 3;
  case VectorList::DeltaNElements:
    return 2;
  default:
    throw poplibs_error(
        "getVectorListDeltaUnpackCost: no cost is known for this vector list layout");
  }
}

} // namespace internal
} // namespace poputil
