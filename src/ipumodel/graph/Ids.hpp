// Ids of the things a graph owns. Distinct types, so that a tile is never taken for a vertex.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace ipumodel {

template <class Tag>
struct Id {
  std::uint32_t value = ~std::uint32_t{0};
  constexpr bool valid() const { return value != ~std::uint32_t{0}; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using VarId = Id<struct VarTag>;
using VertexId = Id<struct VertexTag>;
using ComputeSetId = Id<struct ComputeSetTag>;
using FunctionId = Id<struct FunctionTag>;
using StreamId = Id<struct StreamTag>;
using RemoteBufferId = Id<struct RemoteBufferTag>;
using HostFunctionId = Id<struct HostFunctionTag>;
using TileId = Id<struct TileTag>;

} // namespace ipumodel

template <class Tag>
struct std::hash<ipumodel::Id<Tag>> {
  std::size_t operator()(ipumodel::Id<Tag> id) const noexcept { return id.value; }
};
