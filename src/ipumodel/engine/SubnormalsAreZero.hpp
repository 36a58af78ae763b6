// Floats below 2^-126 count as zero on the calling thread while this lives.
//
// A decaying value that nothing feeds ends below 2^-126 and, rounded to nearest, stays there: from
// a few thousand steps on, silent neurons and their adjoints would make every product on them take
// the processor's slow path, which costs several times the time of a step.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ipumodel {

class SubnormalsAreZero {
public:
#if defined(__x86_64__)
  SubnormalsAreZero() : before_(_mm_getcsr()) {
    constexpr unsigned kOperands = 1u << 6, kResults = 1u << 15;
    _mm_setcsr(before_ | kOperands | kResults);
  }
  ~SubnormalsAreZero() {
    _mm_setcsr(before_);
  }
#elif defined(__aarch64__)
  SubnormalsAreZero() {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    constexpr std::uint64_t kBoth = std::uint64_t{1} << 24;
    asm volatile("msr fpcr, %0" ::"r"(before_ | kBoth));
  }
  ~SubnormalsAreZero() {
    asm volatile("msr fpcr, %0" ::"r"(before_));
  }
#else
  SubnormalsAreZero() {} // results then differ from other hosts' below 2^-126
#endif
  SubnormalsAreZero(const SubnormalsAreZero&) = delete;
  SubnormalsAreZero& operator=(const SubnormalsAreZero&) = delete;

private:
#if defined(__x86_64__)
  unsigned before_;
#elif defined(__aarch64__)
  std::uint64_t before_ = 0;
#endif
};

} // namespace ipumodel
