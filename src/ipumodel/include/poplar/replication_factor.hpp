#pragma once

namespace poplar {

// How many times a graph is laid out beside itself on the IPUs of its target.
struct replication_factor {
  explicit replication_factor(unsigned n) : value(n) {}
  unsigned value;
};

} // namespace poplar
