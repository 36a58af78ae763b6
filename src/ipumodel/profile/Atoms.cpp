#include "profile/Atoms.hpp"

#include <algorithm>

namespace ipumodel {

AtomTable::AtomTable(ElementRanges accesses) {
  std::sort(accesses.begin(), accesses.end(),
            [](const ElementRange& a, const ElementRange& b) { return a.var < b.var; });
  for (std::size_t i = 0; i < accesses.size();) {
    const VarId var = accesses[i].var;
    std::vector<std::uint64_t> cuts;
    ElementRanges touched;
    for (; i < accesses.size() && accesses[i].var == var; ++i) {
      cuts.push_back(accesses[i].begin);
      cuts.push_back(accesses[i].end);
      touched.push_back(accesses[i]);
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    if (cuts.size() > kMostPiecesPerVariable + 1) {
      atoms_.push_back({var, cuts.front(), cuts.back()});
      continue;
    }
    normalise(touched);
    std::size_t range = 0;
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
      while (range < touched.size() && touched[range].end <= cuts[c])
        ++range;
      if (range < touched.size() && touched[range].begin <= cuts[c])
        atoms_.push_back({var, cuts[c], cuts[c + 1]});
    }
  }
}

std::pair<std::size_t, std::size_t> AtomTable::atomsOf(VarId var) const {
  const auto first = std::partition_point(atoms_.begin(), atoms_.end(),
                                          [&](const Atom& a) { return a.var < var; });
  const auto last =
      std::partition_point(first, atoms_.end(), [&](const Atom& a) { return a.var == var; });
  return {static_cast<std::size_t>(first - atoms_.begin()),
          static_cast<std::size_t>(last - atoms_.begin())};
}

void AtomTable::addTouched(const ElementRanges& ranges, AtomSet& set) const {
  for (const ElementRange& range : ranges) {
    const auto [first, last] = atomsOf(range.var);
    for (std::size_t i = first; i < last; ++i)
      if (atoms_[i].begin < range.end && range.begin < atoms_[i].end)
        set.set(i);
  }
}

void AtomTable::addCovered(const ElementRanges& ranges, AtomSet& set) const {
  for (const ElementRange& range : ranges) {
    const auto [first, last] = atomsOf(range.var);
    for (std::size_t i = first; i < last; ++i)
      if (range.begin <= atoms_[i].begin && atoms_[i].end <= range.end)
        set.set(i);
  }
}

} // namespace ipumodel
