// The elements of a view as ranges of variables that lie on one tile each.
#pragma once

#include "graph/GraphData.hpp"

#include <cstdint>
#include <vector>

namespace ipumodel {

struct Piece {
  VarId var;
  TileId tile;
  std::uint64_t begin, end; // elements of the variable
  std::uint64_t at;         // element of the view, in row-major order, where the piece starts

  std::uint64_t count() const { return end - begin; }
};

// In view order; pieces that continue one another are merged. Elements without a tile are left out.
std::vector<Piece> piecesOf(const GraphData& graph, const View& view);

// Addresses of all variables in one space, so that a byte has one name wherever it is read.
class AddressMap {
public:
  explicit AddressMap(const GraphData& graph);

  std::uint64_t address(VarId var, std::uint64_t element) const {
    return base_[var.value] + element * elementBytes_[var.value];
  }
  std::uint64_t elementBytes(VarId var) const { return elementBytes_[var.value]; }
  // First address behind all variables.
  std::uint64_t end() const { return end_; }

private:
  std::vector<std::uint64_t> base_;
  std::vector<std::uint64_t> elementBytes_;
  std::uint64_t end_ = 0;
};

} // namespace ipumodel
