#include "Harness.hpp"

#include <gcl/Collectives.hpp>
#include <poplar/exceptions.hpp>
#include <poplin/MatMul.hpp>
#include <popnn/LogSoftmax.hpp>
#include <popnn/NonLinearity.hpp>
#include <popops/Cast.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Encoding.hpp>
#include <popops/Expr.hpp>
#include <popops/Fill.hpp>
#include <popops/Gather.hpp>
#include <popops/Reduce.hpp>
#include <popops/ScaledAdd.hpp>
#include <popops/Sort.hpp>
#include <popops/TopK.hpp>
#include <popops/Zero.hpp>
#include <poprand/RandomGen.hpp>
#include <poputil/Util.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

using namespace harness;
using poplar::FLOAT;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

namespace {

using Use = std::function<void(Graph&, const Tensor& mine, const Tensor& theirs, Sequence&)>;

// The message of the error when the graph is built and compiled; empty if there is none.
std::string failureOf(const Use& use) {
  TestGraph own, other;
  const Tensor mine = own.graph.addVariable(FLOAT, {4, 4}, "mine");
  const Tensor theirs = other.graph.addVariable(FLOAT, {4, 4}, "theirs");
  poputil::mapTensorLinearly(own.graph, mine);
  poputil::mapTensorLinearly(other.graph, theirs);
  try {
    use(own.graph, mine, theirs, own.prog);
    poplar::compileGraph(own.graph, {own.prog});
  } catch (const poplar::poplar_error& e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST(OtherGraph, TensorsOfItAreRefusedByOperations) {
  namespace pe = popops::expr;
  const std::vector<Use> uses = {
      [](auto& g, auto& m, auto& t, auto& p) { popops::add(g, m, t, p); },
      [](auto& g, auto&, auto& t, auto& p) { popops::addInPlace(g, t, t, p); },
      [](auto& g, auto& m, auto& t, auto& p) {
        popops::map(g, pe::_1 * pe::_2, {m, t}, p);
      },
      [](auto& g, auto&, auto& t, auto& p) { popops::scaledAddTo(g, t, t, 2.0f, p); },
      [](auto& g, auto& m, auto& t, auto& p) { popops::scaledAddTo(g, m, t, 2.0f, p); },
      [](auto& g, auto&, auto& t, auto& p) { popops::cast(g, t, poplar::HALF, p); },
      [](auto& g, auto&, auto& t, auto& p) { popops::cast(g, t, FLOAT, p); },
      [](auto& g, auto&, auto& t, auto& p) { popops::fill(g, t, p, 1.0f); },
      [](auto& g, auto&, auto& t, auto& p) { popops::zero(g, t, p); },
      [](auto& g, auto&, auto& t, auto& p) { popops::reduce(g, t, {0}, {}, p); },
      [](auto& g, auto&, auto& t, auto& p) { popops::reduce(g, t, {}, {}, p); },
      [](auto& g, auto&, auto& t, auto& p) { popops::sort(g, t, 0, p); },
      [](auto& g, auto& m, auto& t, auto& p) {
        popops::dynamicSlice(g, m, t[0].slice(0, 1).reinterpret(poplar::UNSIGNED_INT), {0}, {1}, p);
      },
      [](auto& g, auto& m, auto& t, auto& p) {
        popops::dynamicSlice(g, t, m[0].slice(0, 1).reinterpret(poplar::UNSIGNED_INT), {0}, {1}, p);
      },
      [](auto& g, auto&, auto& t, auto& p) {
        popops::topK(g, p, t, {2, true, popops::SortOrder::NONE});
      },
      [](auto& g, auto& m, auto& t, auto& p) { poplin::matMul(g, m, t, p); },
      [](auto& g, auto&, auto& t, auto& p) { poplin::matMul(g, t, t, p); },
      [](auto& g, auto&, auto& t, auto& p) { popnn::tanh(g, t, p); },
      [](auto& g, auto&, auto& t, auto& p) { popnn::logSoftmax(g, t, p); },
      [](auto& g, auto&, auto& t, auto& p) { poprand::uniform(g, nullptr, 0, t, FLOAT, 0, 1, p); },
      [](auto& g, auto&, auto& t, auto& p) { poputil::duplicate(g, t, p); },
      [](auto& g, auto&, auto& t, auto& p) {
        gcl::allReduceCrossReplica(g, t, gcl::CollectiveOperator::ADD, p);
      },
  };
  for (std::size_t i = 0; i != uses.size(); ++i)
    EXPECT_THAT(failureOf(uses[i]), testing::HasSubstr("'theirs'")) << "use " << i;
}

TEST(OtherGraph, TensorsOfVirtualGraphsAreThoseOfTheWhole) {
  EXPECT_EQ(failureOf([](auto& g, auto& m, auto&, auto& p) {
              Graph part = g.createVirtualGraph(0, 4);
              const Tensor copy = poputil::duplicate(part, part.clone(m.slice(0, 1)), p);
              popops::zero(g, m, p);
              popops::add(g, m.slice(1, 2), copy, p);
            }),
            "");
}
