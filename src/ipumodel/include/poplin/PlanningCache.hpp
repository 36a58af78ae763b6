#pragma once

#include <cstddef>
#include <set>
#include <string>

namespace poplin {

/// Plans are cheap and made anew each time; a cache knows which products and convolutions it was
/// given to plan beforehand.
class PlanningCache {
public:
  PlanningCache();
  ~PlanningCache();
  /// Different ones that were planned beforehand (preplan).
  std::size_t size() const;

  /// For the library itself: `description` names one completely.
  void add(const std::string& description);

private:
  std::set<std::string> planned_;
};

namespace matmul {
using PlanningCache = ::poplin::PlanningCache; // its name in older programs
} // namespace matmul

} // namespace poplin
