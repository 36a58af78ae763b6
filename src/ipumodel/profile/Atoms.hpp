// Cuts the variables of a graph into atoms: pieces that every step touches as a whole, or not at
// all.
#pragma once

#include "profile/Accesses.hpp"
#include "profile/Liveness.hpp"

#include <boost/dynamic_bitset.hpp>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ipumodel {

using AtomSet = boost::dynamic_bitset<std::uint64_t>;

class AtomTable {
public:
  // A variable with more distinct pieces than this stays one atom. What is written of it in parts
  // then never counts as overwritten, which errs on the side of more memory.
  static constexpr std::size_t kMostPiecesPerVariable = 64;

  // `accesses` are all ranges that steps or the host touch, in any order.
  explicit AtomTable(ElementRanges accesses);

  std::size_t size() const { return atoms_.size(); }
  std::vector<Atom>& atoms() { return atoms_; }
  const std::vector<Atom>& atoms() const { return atoms_; }

  // Adds the atoms that the ranges touch, or that they cover. REQUIRES: ranges normalised.
  void addTouched(const ElementRanges& ranges, AtomSet& set) const;
  void addCovered(const ElementRanges& ranges, AtomSet& set) const;

  // [first, last) of the atoms of a variable.
  std::pair<std::size_t, std::size_t> atomsOf(VarId var) const;

private:
  std::vector<Atom> atoms_; // by variable and begin
};

} // namespace ipumodel
