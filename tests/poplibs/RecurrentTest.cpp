#include "Harness.hpp"

#include <poplar/exceptions.hpp>
#include <poplin/codelets.hpp>
#include <popnn/Gru.hpp>
#include <popnn/Lstm.hpp>
#include <popnn/codelets.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <functional>

using namespace harness;
using poplar::FLOAT;

namespace {

constexpr std::size_t kSteps = 4, kBatch = 3, kIn = 5, kOut = 2;

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// What a layer computes, in double precision from the equations; values are flat arrays.
struct Layer {
  std::vector<double> x, h, c, w, u, b;
  std::vector<double> a = std::vector<double>(kBatch * kSteps); // attention of a GRU layer
  std::vector<unsigned> lengths = std::vector<unsigned>(kBatch, kSteps);
};
struct Result {
  std::vector<double> outputs = std::vector<double>(kSteps * kBatch * kOut);
  std::vector<double> lastOutput, lastCell;
};

double weighted(const Layer& l, std::size_t unit, std::size_t t, std::size_t s, std::size_t o) {
  double sum = 0;
  for (std::size_t i = 0; i != kIn; ++i)
    sum += l.x[(t * kBatch + s) * kIn + i] * l.w[(unit * kIn + i) * kOut + o];
  return sum;
}

double recurrent(const std::vector<double>& u, const std::vector<double>& h, std::size_t unit,
                 std::size_t s, std::size_t o) {
  double sum = 0;
  for (std::size_t i = 0; i != kOut; ++i)
    sum += h[s * kOut + i] * u[(unit * kOut + i) * kOut + o];
  return sum;
}

// Units by their place: `order` says which place forget, input, candidate and output have.
Result lstm(const Layer& l, const std::vector<std::size_t>& order) {
  Result result;
  auto h = l.h, c = l.c;
  for (std::size_t t = 0; t != kSteps; ++t) {
    auto newH = h, newC = c;
    for (std::size_t s = 0; s != kBatch; ++s)
      for (std::size_t o = 0; o != kOut; ++o) {
        if (t >= l.lengths[s])
          continue;
        const auto z = [&](std::size_t unit) {
          const auto p = order[unit];
          return weighted(l, p, t, s, o) + recurrent(l.u, h, p, s, o) + l.b[p * kOut + o];
        };
        const auto at = s * kOut + o;
        newC[at] = sigmoid(z(0)) * c[at] + sigmoid(z(1)) * std::tanh(z(2));
        newH[at] = sigmoid(z(3)) * std::tanh(newC[at]);
        result.outputs[t * kBatch * kOut + at] = newH[at];
      }
    h = newH;
    c = newC;
  }
  result.lastOutput = h;
  result.lastCell = c;
  return result;
}

Result gru(const Layer& l, const std::vector<std::size_t>& order, bool resetAfter) {
  Result result;
  auto h = l.h;
  for (std::size_t t = 0; t != kSteps; ++t) {
    auto newH = h;
    auto gate = [&](std::size_t unit, std::size_t s, std::size_t o) {
      const auto p = order[unit];
      const auto bias =
          resetAfter ? l.b[2 * p * kOut + o] + l.b[(2 * p + 1) * kOut + o] : l.b[p * kOut + o];
      return sigmoid(weighted(l, p, t, s, o) + recurrent(l.u, h, p, s, o) + bias);
    };
    auto passed = h;
    for (std::size_t s = 0; s != kBatch; ++s)
      for (std::size_t o = 0; o != kOut; ++o)
        passed[s * kOut + o] *= gate(0, s, o);
    for (std::size_t s = 0; s != kBatch; ++s)
      for (std::size_t o = 0; o != kOut; ++o) {
        if (t >= l.lengths[s])
          continue;
        const auto p = order[2];
        const auto at = s * kOut + o;
        const auto z =
            resetAfter
                ? weighted(l, p, t, s, o) + l.b[2 * p * kOut + o] +
                      gate(0, s, o) * (recurrent(l.u, h, p, s, o) + l.b[(2 * p + 1) * kOut + o])
                : weighted(l, p, t, s, o) + recurrent(l.u, passed, p, s, o) + l.b[p * kOut + o];
        const auto update = (1 - l.a[s * kSteps + t]) * gate(1, s, o);
        newH[at] = update * h[at] + (1 - update) * std::tanh(z);
        result.outputs[t * kBatch * kOut + at] = newH[at];
      }
    h = newH;
  }
  result.lastOutput = h;
  return result;
}

std::vector<double> wide(const std::vector<float>& v) {
  return {v.begin(), v.end()};
}

void expectNear(const std::vector<float>& got, const std::vector<double>& expected,
                double tolerance, const char* what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i != got.size(); ++i)
    EXPECT_NEAR(got[i], expected[i], tolerance) << what << " " << i;
}

double dot(const std::vector<double>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i != a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

// The gradient of `loss` with respect to one array of the layer, by differences.
std::vector<double> slope(Layer layer, std::vector<double> Layer::*array,
                          const std::function<double(const Layer&)>& loss) {
  std::vector<double> result;
  for (std::size_t i = 0; i != (layer.*array).size(); ++i) {
    const auto value = (layer.*array)[i];
    (layer.*array)[i] = value + 1e-5;
    const auto up = loss(layer);
    (layer.*array)[i] = value - 1e-5;
    result.push_back((up - loss(layer)) / 2e-5);
    (layer.*array)[i] = value;
  }
  return result;
}

struct Setting {
  bool fullSequence, variableLengths, combined, otherOrder, resetAfter;
};

class RecurrentTest : public testing::TestWithParam<Setting> {
protected:
  Layer makeLayer(std::size_t units, std::size_t biases) const {
    Layer l;
    l.x = wide(randomFloats(kSteps * kBatch * kIn, 1, -1, 1));
    l.h = wide(randomFloats(kBatch * kOut, 2, -1, 1));
    l.c = wide(randomFloats(kBatch * kOut, 3, -1, 1));
    l.w = wide(randomFloats(units * kIn * kOut, 4, -1, 1));
    l.u = wide(randomFloats(units * kOut * kOut, 5, -1, 1));
    l.b = wide(randomFloats(biases * kOut, 6, -1, 1));
    if (GetParam().variableLengths)
      l.lengths = {4, 1, 3};
    return l;
  }
  static void set(TestGraph& g, const poplar::Tensor& t, const std::vector<double>& values) {
    g.setValues(t, std::vector<float>(values.begin(), values.end()));
  }
  std::vector<float> outputGrad() const {
    return randomFloats((GetParam().fullSequence ? kSteps : 1) * kBatch * kOut, 7);
  }
  void expectGru(bool attention) const;
  Shape outputShape() const {
    return GetParam().fullSequence ? Shape{kSteps, kBatch, kOut} : Shape{kBatch, kOut};
  }
};

} // namespace

TEST_P(RecurrentTest, LstmFollowsItsEquationsAndGradients) {
  namespace lstmNs = popnn::lstm;
  const auto& p = GetParam();
  TestGraph g(8);
  poplin::addCodelets(g.graph);
  popnn::addCodelets(g.graph);
  const auto l = makeLayer(4, 4);
  lstmNs::LstmParams params(FLOAT, kBatch, kSteps, {kIn, kOut});
  if (p.variableLengths)
    params = lstmNs::LstmParams(FLOAT, kBatch, kSteps,
                                g.input(poplar::UNSIGNED_INT, {kBatch}, l.lengths), {kIn, kOut});
  params.outputFullSequence = p.fullSequence;
  std::vector<std::size_t> order = {0, 1, 2, 3};
  if (p.otherOrder) {
    params.cellOrder = {BASIC_LSTM_CELL_INPUT_GATE, BASIC_LSTM_CELL_OUTPUT_GATE,
                        BASIC_LSTM_CELL_FORGET_GATE, BASIC_LSTM_CELL_CANDIDATE};
    order = {2, 0, 3, 1};
  }
  const auto in = lstmNs::createInput(g.graph, params, "in");
  const auto state = lstmNs::createInitialState(g.graph, params, "state");
  const auto weights = lstmNs::createWeights(g.graph, params, "weights");
  set(g, in, l.x);
  set(g, state.output, l.h);
  set(g, state.cellState, l.c);
  set(g, weights.inputWeights, l.w);
  set(g, weights.outputWeights, l.u);
  set(g, weights.biases, l.b);
  poplar::Tensor kept, inputGrad;
  const auto out = lstmNs::lstmFwd(g.graph, params, state, in, weights, &kept, g.prog);
  const auto again =
      g.output(lstmNs::lstmFwd(g.graph, params, g.prog, state, weights, in, nullptr));
  const auto gradValues = outputGrad(), cellGradValues = randomFloats(kBatch * kOut, 8);
  const auto grad = g.input(FLOAT, outputShape(), gradValues);
  const auto cellGrad = g.input(FLOAT, {kBatch, kOut}, cellGradValues);
  lstmNs::LstmWeights weightGrads;
  lstmNs::LstmState stateGrad;
  if (p.combined) {
    stateGrad = lstmNs::lstmBwdWithWU(g.graph, params, g.prog, state, kept, weights, in, out.first,
                                      grad, &cellGrad, &inputGrad, weightGrads);
  } else {
    poplar::Tensor between;
    stateGrad = lstmNs::lstmBwd(g.graph, params, g.prog, state, kept, weights, in, out.first, grad,
                                &cellGrad, &inputGrad, &between);
    weightGrads =
        lstmNs::lstmWU(g.graph, params, g.prog, state, kept, between, weights, in, out.first);
  }
  const auto y = g.output(out.first), cell = g.output(out.second);
  const auto dx = g.output(inputGrad), dh = g.output(stateGrad.output);
  const auto dc = g.output(stateGrad.cellState), dw = g.output(weightGrads.inputWeights);
  const auto du = g.output(weightGrads.outputWeights), db = g.output(weightGrads.biases);
  g.run();

  const auto expected = lstm(l, order);
  expectNear(g.read<float>(y), p.fullSequence ? expected.outputs : expected.lastOutput, 1e-5, "y");
  EXPECT_EQ(g.read<float>(again), g.read<float>(y));
  expectNear(g.read<float>(cell), expected.lastCell, 1e-5, "cell");
  const auto loss = [&](const Layer& layer) {
    const auto r = lstm(layer, order);
    return dot(p.fullSequence ? r.outputs : r.lastOutput, gradValues) +
           dot(r.lastCell, cellGradValues);
  };
  expectNear(g.read<float>(dx), slope(l, &Layer::x, loss), 1e-4, "dx");
  expectNear(g.read<float>(dh), slope(l, &Layer::h, loss), 1e-4, "dh");
  expectNear(g.read<float>(dc), slope(l, &Layer::c, loss), 1e-4, "dc");
  expectNear(g.read<float>(dw), slope(l, &Layer::w, loss), 1e-4, "dw");
  expectNear(g.read<float>(du), slope(l, &Layer::u, loss), 1e-4, "du");
  expectNear(g.read<float>(db), slope(l, &Layer::b, loss), 1e-4, "db");
}

void RecurrentTest::expectGru(bool attention) const {
  namespace gruNs = popnn::gru;
  const auto& p = GetParam();
  TestGraph g(8);
  poplin::addCodelets(g.graph);
  popnn::addCodelets(g.graph);
  auto l = makeLayer(3, p.resetAfter ? 6 : 3);
  if (attention)
    l.a = wide(randomFloats(kBatch * kSteps, 8, 0, 1));
  gruNs::GruParams params(FLOAT, kBatch, kSteps, {kIn, kOut});
  if (p.variableLengths)
    params = gruNs::GruParams(FLOAT, kBatch, kSteps,
                              g.input(poplar::UNSIGNED_INT, {kBatch}, l.lengths), {kIn, kOut});
  params.outputFullSequence = p.fullSequence;
  params.resetAfter = p.resetAfter;
  std::vector<std::size_t> order = {0, 1, 2};
  if (p.otherOrder) {
    params.cellOrder = {BASIC_GRU_CELL_CANDIDATE, BASIC_GRU_CELL_RESET_GATE,
                        BASIC_GRU_CELL_UPDATE_GATE};
    order = {1, 2, 0};
  }
  const auto in = gruNs::createInput(g.graph, params, "in");
  const auto state = gruNs::createInitialState(g.graph, params, "state", {}, nullptr);
  const auto weights = gruNs::createWeights(g.graph, params, "weights");
  set(g, in, l.x);
  set(g, state, l.h);
  set(g, weights.inputWeights, l.w);
  set(g, weights.outputWeights, l.u);
  set(g, weights.biases, l.b);
  poplar::Tensor kept, inputGrad, stateGrad, scores, scoresGrad, out;
  if (attention) {
    scores = gruNs::createAttention(g.graph, params, "attention");
    set(g, scores, l.a);
    out = gruNs::auGruFwd(g.graph, params, state, in, weights, &kept, scores, g.prog);
  } else {
    out = gruNs::gruFwd(g.graph, params, state, in, weights, &kept, g.prog);
  }
  const auto gradValues = outputGrad();
  const auto grad = g.input(FLOAT, outputShape(), gradValues);
  gruNs::GruWeights weightGrads;
  if (p.combined && attention) {
    stateGrad =
        gruNs::auGruBwdWithWU(g.graph, params, g.prog, state, kept, weights, in, out, grad,
                              &inputGrad, weightGrads, scores, &scoresGrad, "bwd", {}, nullptr);
  } else if (p.combined) {
    stateGrad = gruNs::gruBwdWithWU(g.graph, params, g.prog, state, kept, weights, in, out, grad,
                                    &inputGrad, weightGrads, "bwd", {}, nullptr);
  } else {
    poplar::Tensor between;
    stateGrad = attention
                    ? gruNs::auGruBwd(g.graph, params, g.prog, state, kept, weights, in, out, grad,
                                      &inputGrad, &between, scores, &scoresGrad, "bwd", {}, nullptr)
                    : gruNs::gruBwd(g.graph, params, g.prog, state, kept, weights, in, out, grad,
                                    &inputGrad, &between, "bwd", {}, nullptr);
    weightGrads = gruNs::auGruWU(g.graph, params, g.prog, state, kept, between, weights, in, out,
                                 "wu", {}, nullptr);
  }
  const auto y = g.output(out), dx = g.output(inputGrad), dh = g.output(stateGrad);
  const auto dw = g.output(weightGrads.inputWeights), du = g.output(weightGrads.outputWeights);
  const auto db = g.output(weightGrads.biases);
  const auto da = attention ? g.output(scoresGrad) : "";
  g.run();

  const auto expected = gru(l, order, p.resetAfter);
  expectNear(g.read<float>(y), p.fullSequence ? expected.outputs : expected.lastOutput, 1e-5, "y");
  const auto loss = [&](const Layer& layer) {
    const auto r = gru(layer, order, p.resetAfter);
    return dot(p.fullSequence ? r.outputs : r.lastOutput, gradValues);
  };
  expectNear(g.read<float>(dx), slope(l, &Layer::x, loss), 1e-4, "dx");
  expectNear(g.read<float>(dh), slope(l, &Layer::h, loss), 1e-4, "dh");
  expectNear(g.read<float>(dw), slope(l, &Layer::w, loss), 1e-4, "dw");
  expectNear(g.read<float>(du), slope(l, &Layer::u, loss), 1e-4, "du");
  expectNear(g.read<float>(db), slope(l, &Layer::b, loss), 1e-4, "db");
  if (attention)
    expectNear(g.read<float>(da), slope(l, &Layer::a, loss), 1e-4, "da");
}

TEST_P(RecurrentTest, GruFollowsItsEquationsAndGradients) {
  expectGru(false);
}

TEST_P(RecurrentTest, GruWithAttentionFollowsItsEquationsAndGradients) {
  expectGru(true);
}

INSTANTIATE_TEST_SUITE_P(Settings, RecurrentTest,
                         testing::Values(Setting{true, false, true, false, false},
                                         Setting{false, false, false, true, true},
                                         Setting{true, true, false, false, false},
                                         Setting{false, true, true, false, true}));

TEST(Recurrent, NumbersOfStepsMayBeAnArgument) {
  namespace gruNs = popnn::gru;
  TestGraph g(8);
  poplin::addCodelets(g.graph);
  popnn::addCodelets(g.graph);
  const auto steps = g.input(poplar::UNSIGNED_INT, {kBatch}, std::vector<unsigned>{4, 1, 3});
  const gruNs::GruParams params(FLOAT, kBatch, kSteps, {kIn, kOut});
  auto same = params;
  same.rnn.varTimeSteps = steps;
  const auto in = g.input(FLOAT, {kSteps, kBatch, kIn}, randomFloats(kSteps * kBatch * kIn, 1));
  const auto state = g.input(FLOAT, {kBatch, kOut}, randomFloats(kBatch * kOut, 2));
  const auto weights = gruNs::createWeights(g.graph, params, "weights");
  g.setValues(weights.inputWeights, randomFloats(3 * kIn * kOut, 3));
  g.setValues(weights.outputWeights, randomFloats(3 * kOut * kOut, 4));
  g.setValues(weights.biases, randomFloats(3 * kOut, 5));
  const auto grad = g.input(FLOAT, {kSteps, kBatch, kOut}, randomFloats(kSteps * kBatch * kOut, 6));
  poplar::Tensor kept, dx[3];
  gruNs::GruWeights dw;
  const auto out = gruNs::gruFwd(g.graph, params, state, in, steps, weights, &kept, g.prog);
  gruNs::gruBwd(g.graph, same, g.prog, state, kept, weights, in, out, grad, &dx[0], nullptr);
  gruNs::gruBwd(g.graph, params, g.prog, state, kept, weights, in, steps, out, grad, &dx[1],
                nullptr);
  gruNs::gruBwdWithWU(g.graph, params, g.prog, state, kept, weights, in, steps, out, grad, &dx[2],
                      dw);
  const std::string handles[] = {g.output(dx[0]), g.output(dx[1]), g.output(dx[2])};
  g.run();
  EXPECT_EQ(g.read<float>(handles[1]), g.read<float>(handles[0]));
  EXPECT_EQ(g.read<float>(handles[2]), g.read<float>(handles[0]));
}

TEST(Recurrent, NamesWhatItDoesNotTake) {
  TestGraph g;
  popnn::lstm::LstmParams params(FLOAT, kBatch, kSteps, {kIn, kOut});
  EXPECT_THROW(popnn::lstm::createInput(g.graph, params, "in", {{"noSuchOption", "1"}}),
               poplar::invalid_option);
  params.activation = popnn::NonLinearityType::SWISH;
  EXPECT_THROW(popnn::lstm::createInput(g.graph, params, "in"), poputil::poplibs_error);
}
