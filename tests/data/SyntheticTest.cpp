#include "config/Keys.hpp"
#include "data/AddingTask.hpp"
#include "data/BernoulliTrain.hpp"
#include "data/CopyTask.hpp"
#include "data/OpenDataSet.hpp"
#include "data/PoissonPatterns.hpp"
#include "data/Randman.hpp"
#include "data/StoreRecall.hpp"
#include "network/UserError.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace spillway {
namespace {

using testing::HasSubstr;

// Mean |difference| of spike times, input by input.
double distance(const Sample& a, const Sample& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    sum += std::abs(static_cast<double>(a.events[i].step) - static_cast<double>(b.events[i].step));
  }
  return sum / static_cast<double>(a.events.size());
}

TEST(Randman, EveryInputSpikesOnceAndTimesFillTheSteps) {
  const Randman source({.numInputs = 64, .numClasses = 4, .numSteps = 50, .samplesPerClass = 20});
  std::vector<int> histogram(50);
  for (std::uint32_t i = 0; i < source.size(); ++i) {
    const Sample sample = source.sample(i);
    ASSERT_EQ(sample.events.size(), 64u);
    EXPECT_EQ(sample.label, static_cast<std::int32_t>(i % 4));
    for (const Event& event : sample.events) {
      ++histogram.at(event.step);
    }
  }
  EXPECT_GT(*std::min_element(histogram.begin(), histogram.end()), 20); // of 102 expected
}

TEST(Randman, NearestNeighbourTellsTheClassesApart) {
  const RandmanOptions options{.numInputs = 64, .numClasses = 5, .samplesPerClass = 60};
  RandmanOptions other = options;
  other.stream = 1;
  const Randman train(options), test(other);
  int numCorrect = 0;
  for (std::uint32_t i = 0; i < 50; ++i) {
    const Sample sample = test.sample(i);
    double nearest = INFINITY;
    std::int32_t label = -1;
    for (std::uint32_t k = 0; k < train.size(); ++k) {
      const Sample candidate = train.sample(k);
      if (distance(sample, candidate) < nearest) {
        nearest = distance(sample, candidate);
        label = candidate.label;
      }
    }
    numCorrect += label == sample.label ? 1 : 0;
  }
  EXPECT_GT(numCorrect, 45);
}

TEST(BernoulliTrain, SpikesIndependentlyWithItsProbability) {
  for (double probability : {0.01, 0.3, 0.9}) {
    double numSpikes = 0, numPairs = 0;
    std::int64_t last = -2;
    bernoulliTrain(probability, 100000, CounterRandom(3, {}), 0, [&](std::uint32_t t) {
      EXPECT_GT(std::int64_t{t}, last);
      numSpikes += 1;
      numPairs += std::int64_t{t} == last + 1 ? 1 : 0;
      last = t;
    });
    EXPECT_NEAR(numSpikes / 100000, probability, 0.006);
    EXPECT_NEAR(numPairs / 100000, probability * probability, 0.008);
  }
}

TEST(BernoulliTrain, NeverAndAlwaysAreExact) {
  std::vector<std::uint32_t> steps;
  const auto collect = [&](std::uint32_t t) { steps.push_back(t); };
  bernoulliTrain(0.0, 5, CounterRandom(3, {}), 0, collect);
  EXPECT_TRUE(steps.empty());
  bernoulliTrain(1.0, 5, CounterRandom(3, {}), 0, collect);
  EXPECT_THAT(steps, testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST(PoissonPatterns, HasTheSetActivity) {
  const PoissonPatterns source({.numInputs = 200, .activity = 0.05, .samplesPerClass = 10});
  double numEvents = 0;
  for (std::uint32_t i = 0; i < 50; ++i) {
    numEvents += static_cast<double>(source.sample(i).events.size());
  }
  EXPECT_NEAR(numEvents / (50.0 * 200 * 100), 0.05, 0.003);
  EXPECT_THROW(PoissonPatterns({.activity = 0.6}), UserError);
}

TEST(StoreRecall, OnlyTheCueTellsTheClass) {
  const StoreRecallOptions options{.numInputs = 40, .numClasses = 2, .numSteps = 200};
  const StoreRecall source(options);
  for (std::uint32_t i = 0; i < 6; ++i) {
    const Sample sample = source.sample(i);
    EXPECT_EQ(sample.label, static_cast<std::int32_t>(i % 2));
    int numCue = 0, numRecall = 0;
    for (const Event& event : sample.events) {
      const int group = event.id / 10;
      if (group < 2) {
        EXPECT_EQ(group, sample.label);
        EXPECT_LT(event.step, 10u);
        ++numCue;
      } else if (group == 3) {
        EXPECT_GE(event.step, 190u);
        ++numRecall;
      }
    }
    EXPECT_NEAR(numCue, 50, 25);
    EXPECT_NEAR(numRecall, 50, 25);
  }
  EXPECT_THROW(StoreRecall({.numInputs = 3, .numClasses = 2}), UserError);
}

TEST(OpenDataSet, UnknownNamesListTheKnownOnes) {
  DataSettings settings;
  settings.set = "ranndman";
  try {
    openDataSet(settings);
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("data.set = ranndman"));
    EXPECT_THAT(error.what(), HasSubstr("randman, poisson, recall"));
  }
}

TEST(OpenDataSet, KnowsTheNamesThatConfigurationsMayGive) {
  std::vector<std::string> names;
  for (const DataSetDescription& known : knownDataSets()) {
    names.push_back(known.name);
  }
  EXPECT_EQ(names, dataSetNames());
}

TEST(OpenDataSet, BatchesDependOnTheirArgumentsAlone) {
  for (const std::string name : {"randman", "poisson", "recall"}) {
    DataSettings settings;
    settings.set = name;
    settings.samplesPerClass = 8;
    settings.jitterSteps = 2.0;
    const auto first = openDataSet(settings), second = openDataSet(settings);
    EXPECT_EQ(first->numSamples(Split::Train), 80u);
    EXPECT_EQ(first->numSamples(Split::Test), 20u);
    const std::vector<std::uint32_t> samples = {3, 17, 4};
    const EventBatch a = first->batch(Split::Train, samples, 5, 1);
    first->batch(Split::Train, samples, 0, 7);
    EXPECT_EQ(a.ids, first->batch(Split::Train, samples, 5, 1).ids);
    EXPECT_EQ(a.ids, second->batch(Split::Train, samples, 5, 1).ids);
    EXPECT_NE(a.ids, first->batch(Split::Train, samples, 5, 2).ids);
    EXPECT_NE(a.ids, first->batch(Split::Test, samples, 5, 1).ids);
    EXPECT_EQ(first->batch(Split::Test, samples, 5, 1).ids,
              first->batch(Split::Test, samples, 5, 2).ids);
    settings.seed = 99;
    EXPECT_NE(a.ids, openDataSet(settings)->batch(Split::Train, samples, 5, 1).ids);
  }
}

TEST(OpenDataSet, FillsUpWithEmptySamples) {
  DataSettings settings;
  settings.samplesPerClass = 4;
  const EventBatch batch =
      openDataSet(settings)->batch(Split::Test, std::vector<std::uint32_t>{2, kNoSample}, 0, 0);
  EXPECT_EQ(batch.labels[0], 2);
  EXPECT_EQ(batch.labels[1], EventBatch::kNoLabel);
  for (std::uint32_t t = 0; t < batch.numSteps; ++t) {
    EXPECT_EQ(batch.counts[2 * t + 1], 0u);
  }
}

// Files are often sorted by class; a subset must not be.
TEST(OpenDataSet, ASubsetIsDrawnFromTheWholeSet) {
  DataSettings settings;
  settings.numInputs = 16;
  settings.numClasses = 2;
  settings.samplesPerClass = 500;
  const auto all = openDataSet(settings);
  settings.maxTrain = 100;
  const auto some = openDataSet(settings);
  ASSERT_EQ(some->numSamples(Split::Train), 100u);
  const auto idsOf = [](const DataSet& set, std::uint32_t index) {
    return set.batch(Split::Train, std::vector{index}, 0, 0).ids;
  };
  std::uint32_t numAmongTheFirst = 0;
  for (std::uint32_t i = 0; i < 10; ++i) {
    for (std::uint32_t k = 0; k < 100; ++k) {
      numAmongTheFirst += idsOf(*some, i) == idsOf(*all, k) ? 1 : 0;
    }
  }
  EXPECT_LT(numAmongTheFirst, 6u); // 1 of 10 is expected
}

TEST(OpenDataSet, ValidationSamplesAreHeldOutOfTraining) {
  DataSettings settings;
  settings.numInputs = 16;
  settings.numClasses = 2;
  settings.samplesPerClass = 50;
  settings.numValidation = 30;
  settings.jitterSteps = 5.0;
  const auto set = openDataSet(settings);
  ASSERT_EQ(set->numSamples(Split::Train), 70u);
  ASSERT_EQ(set->numSamples(Split::Validation), 30u);
  // Each of the 100 samples of the whole set is in one of the two, and not augmented where held
  // out.
  settings.numValidation = 0;
  settings.jitterSteps = 0.0;
  const auto whole = openDataSet(settings);
  const auto idsOf = [](const DataSet& data, Split split, std::uint32_t index) {
    return data.batch(split, std::vector{index}, 0, index).ids;
  };
  std::uint32_t numFound = 0;
  for (std::uint32_t i = 0; i < 30; ++i) {
    for (std::uint32_t k = 0; k < 100; ++k) {
      numFound += idsOf(*set, Split::Validation, i) == idsOf(*whole, Split::Train, k) ? 1 : 0;
    }
  }
  EXPECT_EQ(numFound, 30u);
  settings.numValidation = 30;
  const auto plain = openDataSet(settings);
  for (std::uint32_t i = 0; i < 30; ++i) {
    for (std::uint32_t k = 0; k < 70; ++k) {
      EXPECT_NE(idsOf(*plain, Split::Validation, i), idsOf(*plain, Split::Train, k));
    }
  }
  // They stay the same when fewer samples are used for training.
  settings.maxTrain = 10;
  const auto few = openDataSet(settings);
  EXPECT_EQ(few->numSamples(Split::Train), 10u);
  EXPECT_EQ(idsOf(*few, Split::Validation, 7), idsOf(*plain, Split::Validation, 7));
  settings.numValidation = 100;
  EXPECT_THROW(openDataSet(settings), UserError);
}

TEST(OpenDataSet, RefusesSamplesItDoesNotHave) {
  DataSettings settings;
  settings.maxTrain = 5;
  const auto set = openDataSet(settings);
  EXPECT_EQ(set->numSamples(Split::Train), 5u);
  EXPECT_THROW(set->batch(Split::Train, std::vector<std::uint32_t>{5}, 0, 0), UserError);
}

TEST(CopyTask, TellsTheSymbolsInOrderAfterTheDelay) {
  const CopyTask task({.numSymbols = 5, .numSteps = 32, .numSamples = 3, .seed = 2});
  ASSERT_EQ(task.length(), 10u);
  const Sample sample = task.sample(1);
  ASSERT_EQ(sample.events.size(), 20u);
  for (std::uint32_t t = 0; t < 10; ++t) {
    EXPECT_EQ(sample.events[2 * t].step, t);
    EXPECT_EQ(sample.stepLabels[22 + t], sample.events[2 * t].id);
    EXPECT_EQ(sample.stepLabels[t], EventBatch::kNoLabel);
    EXPECT_EQ(sample.events[2 * t + 1], (Event{22 + t, 5}));
  }
  EXPECT_NE(task.sample(0).stepLabels, sample.stepLabels);
  EXPECT_THROW(CopyTask({.numSymbols = 5, .numSteps = 2}), UserError);
}

TEST(AddingTask, MarksOneNumberInEachHalfAndSumsThem) {
  const AddingTask task({.numSteps = 20, .numSamples = 4, .seed = 3});
  for (std::uint32_t i = 0; i < task.size(); ++i) {
    const Sample sample = task.sample(i);
    std::vector<float> numbers(20);
    std::vector<std::uint32_t> marked;
    for (const Event& event : sample.events) {
      event.id == 0 ? void(numbers[event.step] = event.value) : marked.push_back(event.step);
    }
    ASSERT_EQ(marked.size(), 2u);
    EXPECT_LT(marked[0], 10u);
    EXPECT_GE(marked[1], 10u);
    EXPECT_EQ(sample.target, std::vector<float>{numbers[marked[0]] + numbers[marked[1]]});
  }
}

TEST(AddingTask, BatchesHaveTargetsInThePlaceOfLabels) {
  DataSettings settings;
  settings.set = "adding";
  settings.numSteps = 6;
  settings.samplesPerClass = 8;
  const auto data = openDataSet(settings);
  const std::vector<std::uint32_t> samples{2, 5};
  const EventBatch batch = data->batch(Split::Train, samples, 0, 0);
  EXPECT_TRUE(batch.labels.empty());
  EXPECT_EQ(batch.targets.size(), 2u);
  EXPECT_FALSE(batch.values.empty());
}

} // namespace
} // namespace spillway
