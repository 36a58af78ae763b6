#include "Harness.hpp"

#include <poplar/exceptions.hpp>
#include <popnn/CTCInference.hpp>
#include <popnn/CTCLoss.hpp>
#include <popnn/codelets.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

using namespace harness;
using poplar::FLOAT;
using poplar::UNSIGNED_INT;
using Label = std::vector<unsigned>;

namespace {

constexpr std::size_t kSteps = 5, kClasses = 3;
constexpr unsigned kBlank = 1;

// Logarithms of probabilities of each step: [steps][classes].
std::vector<double> logSoftmax(const std::vector<double>& logits) {
  auto result = logits;
  for (std::size_t t = 0; t != logits.size() / kClasses; ++t) {
    double sum = 0;
    for (std::size_t c = 0; c != kClasses; ++c)
      sum += std::exp(logits[t * kClasses + c]);
    for (std::size_t c = 0; c != kClasses; ++c)
      result[t * kClasses + c] -= std::log(sum);
  }
  return result;
}

// The probability of each label, by all paths of that many steps.
std::map<Label, double> allLabels(const std::vector<double>& logProbs, std::size_t steps) {
  std::map<Label, double> probabilities;
  std::size_t numPaths = 1;
  for (std::size_t t = 0; t != steps; ++t)
    numPaths *= kClasses;
  for (std::size_t path = 0; path != numPaths; ++path) {
    Label label;
    double sum = 0;
    auto rest = path;
    unsigned before = kBlank;
    for (std::size_t t = 0; t != steps; ++t, rest /= kClasses) {
      const auto c = static_cast<unsigned>(rest % kClasses);
      sum += logProbs[t * kClasses + c];
      if (c != kBlank && c != before)
        label.push_back(c);
      before = c;
    }
    probabilities[label] += std::exp(sum);
  }
  return probabilities;
}

double lossOf(const std::vector<double>& logProbs, std::size_t steps, const Label& label) {
  auto all = allLabels(logProbs, steps);
  return -std::log(all[label]);
}

struct Sample {
  unsigned steps;
  Label label;
};
const std::vector<Sample> kSamples{{5, {0, 2}}, {5, {2, 2}}, {3, {0}}, {4, {}}, {2, {0, 0}}};

// Logits by sample, and as the tensor has them.
std::vector<std::vector<double>> sampleLogits() {
  std::vector<std::vector<double>> result;
  for (unsigned b = 0; b != kSamples.size(); ++b) {
    const auto values = randomFloats(kSteps * kClasses, b + 1);
    result.emplace_back(values.begin(), values.end());
  }
  return result;
}
std::vector<float> asTensor(const std::vector<std::vector<double>>& samples) {
  std::vector<float> result;
  for (std::size_t t = 0; t != kSteps; ++t)
    for (const auto& sample : samples)
      for (std::size_t c = 0; c != kClasses; ++c)
        result.push_back(static_cast<float>(sample[t * kClasses + c]));
  return result;
}

struct CtcGraph : TestGraph {
  const std::size_t batch = kSamples.size();
  popnn::ctc::Plan plan;
  poplar::Tensor data, labels, dataLengths, labelLengths;

  CtcGraph() : TestGraph(4) {
    popnn::addCodelets(graph);
    plan = popnn::ctc::plan(graph, FLOAT, FLOAT, static_cast<unsigned>(batch), kSteps, 2, kClasses);
    data = popnn::ctc::createDataInput(graph, FLOAT, batch, kSteps, kClasses, plan);
    labels = popnn::ctc::createLabelsInput(graph, UNSIGNED_INT, batch, 2, plan);
    std::vector<unsigned> all, steps, lengths;
    for (const auto& sample : kSamples) {
      auto padded = sample.label;
      padded.resize(2);
      all.insert(all.end(), padded.begin(), padded.end());
      steps.push_back(sample.steps);
      lengths.push_back(static_cast<unsigned>(sample.label.size()));
    }
    setValues(labels, all);
    dataLengths = input(UNSIGNED_INT, {batch}, steps);
    labelLengths = input(UNSIGNED_INT, {batch}, lengths);
  }
};

} // namespace

TEST(CtcLoss, CountsAllPathsAndGivesTheGradientOfLogits) {
  CtcGraph g;
  const auto logits = sampleLogits();
  g.setValues(g.data, asTensor(logits));
  const auto result = popnn::ctc::calcLossAndGradientLogits(
      g.graph, FLOAT, g.data, g.labels, g.dataLengths, g.labelLengths, g.prog, kBlank, g.plan);
  const auto loss = g.output(result.first), gradient = g.output(result.second);
  EXPECT_EQ(result.second.shape(), (Shape{kSteps, g.batch, kClasses}));
  g.run();
  const auto losses = g.read<float>(loss), gradients = g.read<float>(gradient);
  for (std::size_t b = 0; b != g.batch; ++b) {
    const auto& sample = kSamples[b];
    const auto at = [&](const std::vector<double>& x) {
      return lossOf(logSoftmax(x), sample.steps, sample.label);
    };
    if (b == 4) { // a repeated class needs a blank in between: three steps
      EXPECT_TRUE(std::isinf(losses[b]));
      continue;
    }
    EXPECT_NEAR(static_cast<double>(losses[b]), at(logits[b]), 1e-5) << b;
    for (std::size_t t = 0; t != kSteps; ++t)
      for (std::size_t c = 0; c != kClasses; ++c) {
        auto up = logits[b], down = logits[b];
        up[t * kClasses + c] += 1e-4;
        down[t * kClasses + c] -= 1e-4;
        EXPECT_NEAR(static_cast<double>(gradients[(t * g.batch + b) * kClasses + c]),
                    (at(up) - at(down)) / 2e-4, 1e-5)
            << b << ' ' << t << ' ' << c;
      }
  }
}

TEST(CtcLoss, LeavesTheSoftmaxOutIfAsked) {
  CtcGraph g;
  auto logProbs = sampleLogits();
  for (auto& sample : logProbs)
    sample = logSoftmax(sample);
  g.setValues(g.data, asTensor(logProbs));
  const auto result = popnn::ctc::calcLossAndGradientLogProbabilities(
      g.graph, FLOAT, g.data, g.labels, g.dataLengths, g.labelLengths, g.prog, kBlank, g.plan,
      "ctc", {{"includeSoftmaxGradient", "false"}});
  const auto gradient = g.output(result.second);
  g.run();
  const auto gradients = g.read<float>(gradient);
  for (std::size_t b = 0; b != 4; ++b)
    for (std::size_t t = 0; t != kSteps; ++t)
      for (std::size_t c = 0; c != kClasses; ++c) {
        auto up = logProbs[b], down = logProbs[b];
        up[t * kClasses + c] += 1e-4;
        down[t * kClasses + c] -= 1e-4;
        const auto slope = (lossOf(up, kSamples[b].steps, kSamples[b].label) -
                            lossOf(down, kSamples[b].steps, kSamples[b].label)) /
                           2e-4;
        EXPECT_NEAR(static_cast<double>(gradients[(t * g.batch + b) * kClasses + c]), slope, 1e-5);
      }
}

TEST(CtcLoss, PlansAreComparedAndOptionsChecked) {
  CtcGraph g;
  EXPECT_EQ(g.plan, popnn::ctc::Plan(g.plan));
  EXPECT_NE(g.plan, popnn::ctc::plan(g.graph, FLOAT, FLOAT, 1, 2, 3, 4));
  EXPECT_TRUE(g.plan < popnn::ctc::Plan() || popnn::ctc::Plan() < g.plan);
  std::ostringstream text;
  text << g.plan;
  EXPECT_EQ(text.str(), "CTC plan: 5 samples of up to 5 steps, 3 classes, longest label 2\n");
  EXPECT_THROW(popnn::ctc::plan(g.graph, FLOAT, FLOAT, 1, 2, 3, 4, {{"noSuchOption", "1"}}),
               poplar::invalid_option);
  EXPECT_THROW(popnn::ctc::plan(g.graph, FLOAT, poplar::HALF, 1, 2, 3, 4), poputil::poplibs_error);
  EXPECT_THROW(popnn::ctc::createDataInput(g.graph, FLOAT, 1, 2, 3, popnn::ctc::Plan()),
               poputil::poplibs_error);
  EXPECT_THROW(popnn::ctc::calcLossAndGradientLogits(g.graph, FLOAT, g.data, g.labels,
                                                     g.dataLengths, g.labelLengths, g.prog,
                                                     kClasses, g.plan),
               poputil::poplibs_error);
}

TEST(CtcLoss, PlansRefuseConstraintsThatNoneMeets) {
  TestGraph g(4);
  const auto planWith = [&](const char* option, const char* value) {
    return popnn::ctc::plan(g.graph, FLOAT, FLOAT, 10, 40, 10, 4, {{option, value}});
  };
  EXPECT_NO_THROW(planWith("availableMemoryProportion", "0.9"));
  EXPECT_THROW(planWith("availableMemoryProportion", "0.0"), poputil::poplibs_error);
  EXPECT_THROW(planWith("availableMemoryProportion", "much"), poplar::invalid_option);
  EXPECT_NO_THROW(planWith("planConstraints", R"({"parallel": {"time": 1}})"));
  EXPECT_THROW(planWith("planConstraints", R"({"parallel": {"batch": 0}})"),
               poputil::poplibs_error);
  EXPECT_THROW(planWith("planConstraints", R"({"serial": {"alphabet": 1}})"),
               poputil::poplibs_error);
  EXPECT_THROW(planWith("planConstraints", R"({"tiles": {}})"), poputil::poplibs_error);
  EXPECT_THROW(planWith("planConstraints", "[]"), poplar::invalid_option);
}

TEST(CtcInference, FindsTheLikeliestLabelsIfItKeepsAll) {
  TestGraph g(4);
  popnn::addCodelets(g.graph);
  constexpr unsigned kBeams = 200, kPaths = 6; // more beams than there are labels
  const auto logits = sampleLogits();
  const auto batch = logits.size();
  const auto plan = popnn::ctc_infer::plan(g.graph, FLOAT, static_cast<unsigned>(batch), kSteps,
                                           kClasses, kBeams);
  const auto data =
      popnn::ctc_infer::createDataInput(g.graph, FLOAT, batch, kSteps, kClasses, plan);
  g.setValues(data, asTensor(logits));
  std::vector<unsigned> steps;
  for (const auto& sample : kSamples)
    steps.push_back(sample.steps);
  poplar::Tensor probs, lengths, labels;
  std::tie(probs, lengths, labels) = popnn::ctc_infer::beamSearchDecoderLogits(
      g.graph, data, g.input(UNSIGNED_INT, {batch}, steps), g.prog, kBlank, kBeams, kPaths, plan);
  EXPECT_EQ(labels.shape(), (Shape{batch, kPaths, kSteps}));
  const auto a = g.output(probs), b = g.output(lengths), c = g.output(labels);
  g.run();
  const auto found = g.read<float>(a);
  const auto foundLengths = g.read<unsigned>(b), foundLabels = g.read<unsigned>(c);
  for (std::size_t sample = 0; sample != batch; ++sample) {
    std::vector<std::pair<double, Label>> sorted;
    for (const auto& label : allLabels(logSoftmax(logits[sample]), steps[sample]))
      sorted.emplace_back(-label.second, label.first);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t path = 0; path != kPaths; ++path) {
      const auto at = sample * kPaths + path;
      if (path >= sorted.size()) {
        EXPECT_TRUE(std::isinf(found[at]));
        EXPECT_EQ(foundLengths[at], 0u);
        continue;
      }
      EXPECT_NEAR(static_cast<double>(found[at]), std::log(-sorted[path].first), 1e-5);
      Label label(foundLabels.begin() + static_cast<std::ptrdiff_t>(at * kSteps),
                  foundLabels.begin() + static_cast<std::ptrdiff_t>((at + 1) * kSteps));
      label.resize(foundLengths[at]);
      EXPECT_EQ(label, sorted[path].second) << sample << ' ' << path;
    }
  }
}

TEST(CtcInference, ForgetsWhatNoBeamKeeps) {
  TestGraph g(4);
  popnn::addCodelets(g.graph);
  const auto plan = popnn::ctc_infer::plan(g.graph, FLOAT, 1, 2, kClasses, 1);
  const auto data = popnn::ctc_infer::createDataInput(g.graph, FLOAT, 1, 2, kClasses, plan);
  // The empty label is the likeliest after one step, and of its extensions none is likelier than
  // it; with all beams, class 0 wins: 0.4 * 0.4 + 0.4 * 0.55 + 0.55 * 0.4.
  const float x = std::log(0.4f), blank = std::log(0.55f), y = std::log(0.05f);
  g.setValues(data, std::vector<float>{x, blank, y, x, blank, y});
  const auto lengths = g.input<unsigned>(UNSIGNED_INT, {1}, {2});
  const auto narrow = popnn::ctc_infer::beamSearchDecoderLogProbabilities(
      g.graph, data, lengths, g.prog, kBlank, 1, 1, plan);
  const auto wide = popnn::ctc_infer::beamSearchDecoderLogProbabilities(g.graph, data, lengths,
                                                                        g.prog, kBlank, 9, 1, plan);
  const auto a = g.output(std::get<0>(narrow)), b = g.output(std::get<1>(narrow)),
             c = g.output(std::get<0>(wide)), d = g.output(std::get<2>(wide));
  g.run();
  EXPECT_NEAR(g.read<float>(a)[0], std::log(0.55f * 0.55f), 1e-5f);
  EXPECT_EQ(g.read<unsigned>(b)[0], 0u);
  EXPECT_NEAR(g.read<float>(c)[0], std::log(0.4f * 0.4f + 2 * 0.4f * 0.55f), 1e-5f);
  EXPECT_EQ(g.read<unsigned>(d), (std::vector<unsigned>{0, 0}));
}

TEST(CtcInference, RefusesPlansAndOptionsOfOthers) {
  TestGraph g(4);
  const auto plan = popnn::ctc_infer::plan(g.graph, FLOAT, 1, 2, kClasses, 4);
  const auto data = popnn::ctc_infer::createDataInput(g.graph, FLOAT, 1, 2, kClasses, plan);
  const auto lengths = g.input<unsigned>(UNSIGNED_INT, {1}, {2});
  const auto search = [&](unsigned blank, unsigned paths, const popnn::ctc::Plan& p,
                          const poplar::OptionFlags& options) {
    popnn::ctc_infer::beamSearchDecoderLogits(g.graph, data, lengths, g.prog, blank, 4, paths, p,
                                              "search", options);
  };
  EXPECT_THROW(search(0, 5, plan, {}), poputil::poplibs_error);
  EXPECT_THROW(search(kClasses, 1, plan, {}), poputil::poplibs_error);
  EXPECT_THROW(search(0, 1, popnn::ctc::plan(g.graph, FLOAT, FLOAT, 1, 2, 1, kClasses), {}),
               poputil::poplibs_error);
  EXPECT_THROW(search(0, 1, plan, {{"noSuchOption", "1"}}), poplar::invalid_option);
  EXPECT_THROW(popnn::ctc::createDataInput(g.graph, FLOAT, 1, 2, kClasses, plan),
               poputil::poplibs_error);
}
