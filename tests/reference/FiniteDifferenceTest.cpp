// Where the loss is a smooth function of a parameter, the reference's gradient is its derivative.
#include "reference/Reference.hpp"
#include "support/RandomNetworks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace spillway::reference {
namespace {

void expectDerivative(const NetworkSpec& network, const std::string& name) {
  const EventBatch batch = spillway::test::randomBatch(network, 20, 3, 0.4, 11);
  DenseSet parameters = toDense(network, spillway::test::randomParameters(network, 11));
  const ReferenceResult result = differentiate(network, parameters, batch);
  std::vector<double>& values = find(parameters, name)->values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double eps = 1e-5, at = values[k];
    values[k] = at + eps;
    const double up = evaluate(network, parameters, batch).loss;
    values[k] = at - eps;
    const double down = evaluate(network, parameters, batch).loss;
    values[k] = at;
    EXPECT_NEAR((up - down) / (2 * eps), find(result.gradients, name)->values[k], 1e-8)
        << name << " element " << k;
  }
}

TEST(FiniteDifference, ReadoutWeightAndBiasForEveryReductionAndLoss) {
  for (LossKind loss : {LossKind::CrossEntropy, LossKind::MeanSquared}) {
    for (ReadoutReduction reduction : {ReadoutReduction::Mean, ReadoutReduction::Max,
                                       ReadoutReduction::Last, ReadoutReduction::PerStep}) {
      NetworkSpec network = spillway::test::smallNetwork();
      network.readout.reduction = reduction;
      network.loss.kind = loss;
      expectDerivative(network, "readout/weight");
      expectDerivative(network, "readout/bias");
    }
  }
}

// Through a hidden layer the true derivative is 0 almost everywhere; the surrogate is there for
// that.
TEST(FiniteDifference, LossDoesNotMoveWithAHiddenBiasThatMovesNoSpike) {
  NetworkSpec network = spillway::test::smallNetwork();
  network.layers[0].bias = true;
  const EventBatch batch = spillway::test::randomBatch(network, 20, 3, 0.4, 11);
  DenseSet parameters = toDense(network, spillway::test::randomParameters(network, 11));
  const ReferenceResult before = evaluate(network, parameters, batch);
  double margin = 1.0;
  for (const SampleTrace& sample : before.samples) {
    margin = std::min(margin, sample.thresholdMargin);
  }
  ASSERT_GT(margin, 0.0);
  // u moves by at most gain * bias / (1 - alpha) = kappa * bias.
  find(parameters, "layer0/bias")->values[0] += 0.5 * margin / network.layers[0].kappa;
  EXPECT_EQ(evaluate(network, parameters, batch).loss, before.loss);
}

} // namespace
} // namespace spillway::reference
