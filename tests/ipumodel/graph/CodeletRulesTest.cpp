// What a class must be to be a vertex.
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

using namespace poplar;
using testing::AllOf;
using testing::HasSubstr;

namespace {

// Adds codelets to a graph; the message of the error, if there is one.
std::string failureOf(const std::string& codelets, Graph* graph = nullptr) {
  Graph own(IPUModel("ipu2").createDevice());
  std::stringstream text("#include <poplar/Vertex.hpp>\nusing namespace poplar;\n" + codelets);
  try {
    (graph ? *graph : own).addCodelets(text);
  } catch (const poplar_error& e) {
    return e.what();
  }
  return "";
}

} // namespace

TEST(CodeletRules, ComputeTakesWhatItsKindOfVertexTakes) {
  EXPECT_THAT(failureOf("struct Lonely : MultiVertex { bool compute() { return true; } };"),
              AllOf(HasSubstr("'Lonely'"), HasSubstr("MultiVertex"), HasSubstr("unsigned")));
  EXPECT_THAT(failureOf("namespace n { struct Crowd : Vertex { void compute(unsigned) {} }; }"),
              AllOf(HasSubstr("'n::Crowd'"), HasSubstr("takes none")));
  EXPECT_THAT(failureOf(R"(
                template <class T> struct Of : SupervisorVertex { bool compute(T) { return true; } };
                template struct Of<float>;)"),
              HasSubstr("'Of<float>'"));
  EXPECT_THAT(failureOf("struct Last final : Vertex { bool compute(int) { return true; } };"),
              HasSubstr("'Last'"));
  EXPECT_THAT(failureOf("struct Data : Vertex { int compute; };"), HasSubstr("'Data'"));
}

TEST(CodeletRules, ComputeReturnsBoolOrNothing) {
  EXPECT_THAT(failureOf("struct Counts : Vertex { int compute() { return 1; } };"),
              AllOf(HasSubstr("'Counts'"), HasSubstr("neither bool nor void")));
  EXPECT_EQ(failureOf(R"(
              struct A : Vertex { auto compute() -> bool { return true; } };
              struct B : Vertex { void compute() {} };
              struct C : MultiVertex { static bool compute(unsigned) { return true; } };)"),
            "");
}

TEST(CodeletRules, BasesOfVerticesMayComputeOtherwise) {
  Graph graph(IPUModel("ipu2").createDevice());
  EXPECT_EQ(failureOf(R"(
              struct Fields : Vertex { Input<float> x; };
              struct Base : Vertex { bool compute(int) { return true; } };
              struct Derived : Base { bool compute() { return Base::compute(1); } };)",
                      &graph),
            "");
  EXPECT_TRUE(graph.hasCodelet("Derived"));
  EXPECT_FALSE(graph.hasCodelet("Base"));
}

TEST(CodeletRules, VerticesHaveNoVirtualFunctions) {
  EXPECT_THAT(failureOf("struct Poly : Vertex { virtual bool compute() { return true; } };"),
              AllOf(HasSubstr("'Poly'"), HasSubstr("virtual")));
}

TEST(CodeletRules, NothingThatVerticesReachThrows) {
  const std::string throwing = "int positive(int x) { if (x < 0) throw x; return x; }\n";
  EXPECT_THAT(failureOf(throwing + R"(
                struct Checks : Vertex {
                  Input<int> x;
                  Output<int> y;
                  void compute() { *y = positive(*x); }
                };)"),
              HasSubstr("undefined symbol __cxa_throw"));
  EXPECT_EQ(failureOf("#include <vector>\nstatic " + throwing + R"(
              int onTheHost(const std::vector<int>& v) { return positive(v.at(0)); }
              struct Plain : Vertex {
                InOut<int> x;
                void compute() { *x = *x + 1; }
              };)"),
            "");
}
