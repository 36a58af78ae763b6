#pragma once

#include <cstddef>

namespace poplin {

/// Plans are cheap and made anew each time; the class is there for programs that hold one.
class PlanningCache {
public:
  PlanningCache();
  ~PlanningCache();
  std::size_t size() const;
};

namespace matmul {
using PlanningCache = ::poplin::PlanningCache; // its name in older programs
} // namespace matmul

} // namespace poplin
