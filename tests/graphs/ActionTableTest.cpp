#include "graphs/ActionTable.hpp"

#include "plan/PaperStrategies.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace spillway {
namespace {

TEST(ActionTable, RefusesWhatTheDeviceWouldNotHonour) {
  EXPECT_NO_THROW(encodeSchedule(plan::standard(12, 4)));
  EXPECT_THROW(encodeSchedule(plan::surrogateCached(12)), std::logic_error);
}

} // namespace
} // namespace spillway
