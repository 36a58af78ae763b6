#include "graphs/ActionTable.hpp"

#include "plan/PaperStrategies.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace spillway {
namespace {

TEST(ActionTable, RefusesWhatTheDeviceWouldNotHonour) {
  EXPECT_NO_THROW(encodeSchedule(plan::standard(12, 4)));
  plan::Schedule early = plan::standard(12, 4);
  std::swap(early.actions.front(), early.actions.back());
  EXPECT_THROW(encodeSchedule(early), std::logic_error);
}

} // namespace
} // namespace spillway
