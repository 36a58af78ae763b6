#include "Harness.hpp"

#include <gcl/Collectives.hpp>
#include <poplar/exceptions.hpp>
#include <poplin/MatMul.hpp>
#include <poplin/codelets.hpp>
#include <popnn/Loss.hpp>
#include <popnn/NonLinearity.hpp>
#include <popnn/codelets.hpp>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <poprand/RandomGen.hpp>
#include <poprand/codelets.hpp>
#include <poputil/Util.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

using poplar::FLOAT;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

using Use = std::function<void(Graph&, const Tensor&, Sequence&)>;

// What a graph that was given those codelets says to a use of a 4 x 4 tensor.
std::string failureOf(const Use& use, const std::function<void(Graph&)>& addCodelets = {}) {
  Graph graph(harness::makeDevice(4).getTarget());
  const Tensor t = graph.addVariable(FLOAT, {4, 4}, poplar::VariableMappingMethod::LINEAR, "t");
  Sequence prog;
  if (addCodelets)
    addCodelets(graph);
  try {
    use(graph, t, prog);
  } catch (const poplar::unknown_vertex_type& e) {
    return e.what();
  }
  return "";
}

void multiply(Graph& g, const Tensor& t, Sequence& p) {
  poplin::matMul(g, t, t, p);
}

} // namespace

TEST(AddCodelets, IsNeededForEachLibrary) {
  EXPECT_THAT(failureOf([](auto& g, auto& t, auto& p) { popops::addInPlace(g, t, t, p); }),
              AllOf(HasSubstr("popops::addCodelets(graph)"), HasSubstr("<popops/codelets.hpp>")));
  EXPECT_THAT(failureOf(multiply, popops::addCodelets), HasSubstr("poplin::addCodelets(graph)"));
  EXPECT_THAT(failureOf([](auto& g, auto& t,
                           auto& p) { poprand::uniform(g, nullptr, 0, t, FLOAT, 0.0, 1.0, p); },
                        popops::addCodelets),
              HasSubstr("poprand::addCodelets(graph)"));
  EXPECT_THAT(failureOf([](auto& g, auto& t, auto& p) { popnn::tanh(g, t, p); }),
              HasSubstr("popnn::addCodelets(graph)"));
}

TEST(AddCodelets, OfALibraryBringsWhatItIsMadeOf) {
  EXPECT_EQ(failureOf(multiply, poplin::addCodelets), "");
  EXPECT_EQ(failureOf([](auto& g, auto& t, auto& p) { popnn::tanh(g, t, p); }, popops::addCodelets),
            "");
  EXPECT_EQ(
      failureOf([](auto& g, auto& t, auto& p) { popnn::softmax(g, t, p); }, popnn::addCodelets),
      "");
}

TEST(AddCodelets, IsNotNeededForCopiesAndCollectives) {
  EXPECT_EQ(failureOf([](auto& g, auto& t, auto& p) {
              poputil::duplicate(g, t, p);
              popops::cast(g, t, FLOAT, p);
              gcl::allReduceCrossReplica(g, t, gcl::CollectiveOperator::ADD, p);
            }),
            "");
}

TEST(AddCodelets, IsNotAdvisedForVerticesThatNoLibraryHas) {
  const auto add = [](const char* name) {
    return [name](auto& g, auto&, auto&) { g.addVertex(g.addComputeSet(), name); };
  };
  EXPECT_THAT(failureOf(add("popops::NoSuchVertex<float>"), popops::addCodelets),
              AllOf(HasSubstr("NoSuchVertex"), Not(HasSubstr("addCodelets"))));
  EXPECT_THAT(failureOf(add("mine::Vertex")), Not(HasSubstr("addCodelets")));
}
