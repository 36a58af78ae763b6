// A variable that tensors are views of.
#pragma once

#include <poplar/Interval.hpp>

namespace poplar {

class VariableRef {
public:
  explicit VariableRef(unsigned number) : id(number) {}

  unsigned id;

  std::size_t hash() const { return id; }
  friend bool operator==(const VariableRef& a, const VariableRef& b) { return a.id == b.id; }
  friend bool operator!=(const VariableRef& a, const VariableRef& b) { return a.id != b.id; }
  friend bool operator<(const VariableRef& a, const VariableRef& b) { return a.id < b.id; }
};

// Consecutive elements of one variable.
struct VariableInterval {
  VariableInterval(VariableRef v, Interval i) : var(v), interval(i) {}
  VariableRef var;
  Interval interval;

  friend bool operator==(const VariableInterval& a, const VariableInterval& b) {
    return a.var == b.var && a.interval == b.interval;
  }
  friend bool operator!=(const VariableInterval& a, const VariableInterval& b) { return !(a == b); }
  friend bool operator<(const VariableInterval& a, const VariableInterval& b) {
    return a.var < b.var || (a.var == b.var && a.interval < b.interval);
  }
};

std::ostream& operator<<(std::ostream& os, const VariableRef& var);
std::ostream& operator<<(std::ostream& os, const VariableInterval& interval);

} // namespace poplar

namespace std {
template <>
struct hash<poplar::VariableRef> {
  size_t operator()(const poplar::VariableRef& v) const { return v.hash(); }
};
} // namespace std
