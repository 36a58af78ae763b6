#include "plan/StepCosts.hpp"

#include "PaperNetwork.hpp"

#include <gtest/gtest.h>

namespace spillway::plan {
namespace {

Costs costsAt(double spikes, const CodeletCosts& codelets,
              LightExchange exchange = LightExchange::PerStep) {
  const NetworkSpec network = paperNetwork();
  Activity activity;
  activity.inputs = spikes;
  activity.spikes = activity.gradients = {spikes, spikes, spikes, 1.0};
  return modelledCosts(network, paperPartition(), kPaperBatch, 4, activity, codelets, {}, 1413120,
                       exchange);
}

// 2 neurons per tile, batch 120, 32-bit ids: the arithmetic done by hand.
TEST(StepCosts, AddUpAsByHand) {
  EXPECT_NEAR(costsAt(15, CodeletCosts::compiled()).forward, 25.8e3, 100);
  EXPECT_NEAR(costsAt(30, CodeletCosts::compiled()).forward, 38.4e3, 100);
  EXPECT_NEAR(costsAt(60, CodeletCosts::compiled()).forward, 66.4e3, 100);
  EXPECT_NEAR(costsAt(150, CodeletCosts::compiled()).forward, 153e3, 500);
  EXPECT_NEAR(costsAt(15, CodeletCosts::assembly()).forward, 18.6e3, 100);
  EXPECT_NEAR(costsAt(150, CodeletCosts::assembly()).forward, 80.8e3, 100);
}

TEST(StepCosts, ChargeAStateItsBytesAtTheStreamingBandwidth) {
  const Costs costs = costsAt(15, CodeletCosts::compiled());
  EXPECT_NEAR(costs.writePerState, 94e3, 100);
  EXPECT_EQ(costs.writePerState, costs.readPerState);
  EXPECT_NEAR(costs.readLatency, 1800, 1);
}

TEST(StepCosts, MakeBackwardAboutTwiceForward) {
  for (double spikes : {15.0, 48.0, 150.0}) {
    const Costs costs = costsAt(spikes, CodeletCosts::compiled());
    EXPECT_GT(costs.backward, 1.2 * costs.forward);
    EXPECT_LT(costs.backward, 3.0 * costs.forward);
  }
}

// With the paper's way of making spike lists a light step is far cheaper than a full one, the more
// so the lower the activity; with cheap lists it is not.
TEST(StepCosts, MakeLightStepsCheapWhereSpikeListsAreDear) {
  const auto ratio = [](const Costs& costs) { return costs.light / costs.forward; };
  EXPECT_LT(ratio(costsAt(48, CodeletCosts::paper())), 0.4);
  EXPECT_LT(ratio(costsAt(2, CodeletCosts::paper(), LightExchange::Fused)), 0.1);
  EXPECT_LT(ratio(costsAt(5, CodeletCosts::paper())), ratio(costsAt(48, CodeletCosts::paper())));
  EXPECT_GT(ratio(costsAt(48, CodeletCosts::compiled())), 0.5);
  EXPECT_LT(ratio(costsAt(48, CodeletCosts::compiled())), 1.0);
}

TEST(StepCosts, FillListsToAFractionOfTheirCaps) {
  const Activity activity = activityAt(paperNetwork(), 0.5);
  EXPECT_EQ(activity.inputs, 24.0);
  EXPECT_EQ(activity.spikes, (std::vector<double>{24.0, 24.0, 24.0, 1.0}));
}

} // namespace
} // namespace spillway::plan
