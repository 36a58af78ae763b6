// Bandwidth limits between IPUs: the flows that share one link.
#pragma once

#include <poplar/ArrayRef.hpp>

#include <vector>

namespace poplar {

/// Traffic from one IPU to another.
struct GlobalExchangeFlow {
  unsigned src;
  unsigned dst;
  GlobalExchangeFlow(unsigned source, unsigned destination) : src(source), dst(destination) {}
};

inline bool operator==(const GlobalExchangeFlow& a, const GlobalExchangeFlow& b) {
  return a.src == b.src && a.dst == b.dst;
}

/// The flows together carry at most `bandwidth` bits per second.
struct GlobalExchangeConstraint {
  double bandwidth;
  std::vector<GlobalExchangeFlow> flows;
  GlobalExchangeConstraint(double bitsPerSecond, std::vector<GlobalExchangeFlow> sharedBy)
      : bandwidth(bitsPerSecond), flows(static_cast<std::vector<GlobalExchangeFlow>&&>(sharedBy)) {}
  GlobalExchangeConstraint(double bitsPerSecond, ArrayRef<GlobalExchangeFlow> sharedBy)
      : bandwidth(bitsPerSecond), flows(sharedBy.begin(), sharedBy.end()) {}
};

inline bool operator==(const GlobalExchangeConstraint& a, const GlobalExchangeConstraint& b) {
  return a.bandwidth == b.bandwidth && a.flows == b.flows;
}

} // namespace poplar
