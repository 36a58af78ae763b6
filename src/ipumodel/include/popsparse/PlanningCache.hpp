// Plans are cheap and made anew each time; the classes are there for programs that hold one.
#pragma once

#include <memory>

namespace poplin {
class PlanningCache;
}

namespace popsparse {
namespace dynamic {

class PlanningCacheImpl;

class PlanningCache {
public:
  PlanningCache();
  PlanningCache(poplin::PlanningCache* matMulCache);
  ~PlanningCache();
  std::unique_ptr<PlanningCacheImpl> impl;
};

} // namespace dynamic

namespace static_ {

class PlanningCacheImpl;

class PlanningCache {
public:
  PlanningCache();
  ~PlanningCache();
  std::unique_ptr<PlanningCacheImpl> impl;
};

} // namespace static_
} // namespace popsparse
