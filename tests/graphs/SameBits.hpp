// What every exact schedule promises.
#pragma once

#include "network/Parameters.hpp"

#include <gtest/gtest.h>

namespace spillway::testing {

inline void expectSameBits(const ParameterSet& a, const ParameterSet& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].values, b[i].values) << a[i].name;
  }
}

} // namespace spillway::testing
