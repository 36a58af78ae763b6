#include "Codelets.hpp"

namespace ipumodel::testing {
namespace {

TEST(Run, ScalesAVector) {
  const auto library = compile(R"(
    class Scale : public Vertex {
    public:
      Input<Vector<float>> in;
      Output<Vector<float, VectorLayout::ONE_PTR, 8>> out;
      const float factor;
      bool compute() {
        for (unsigned i = 0; i < in.size(); ++i)
          out[i] = factor * in[i];
        return true;
      }
    };)");
  std::vector<float> in = {1, 2, 3}, out(3);
  EXPECT_TRUE(VertexObject(typeOf(library, "Scale"))
                  .vector("in", in)
                  .vector("out", out)
                  .state("factor", 2.f)
                  .run());
  EXPECT_EQ(out, (std::vector<float>{2, 4, 6}));
}

TEST(Run, RunsEachWorkerOfAMultiVertex) {
  const auto library = compile(R"(
    struct Count : MultiVertex {
      InOut<Vector<unsigned>> seen;
      bool compute(unsigned worker) { seen[worker] += numWorkers(); return true; }
    };)");
  std::vector<unsigned> seen(6);
  EXPECT_TRUE(VertexObject(typeOf(library, "Count")).vector("seen", seen).run());
  EXPECT_EQ(seen, std::vector<unsigned>(6, 6));
}

TEST(Run, LeavesVerticesTheirOwnNames) {
  const auto library = compile(R"(
    struct Named : MultiVertex {
      using T = unsigned;
      using Type = float;
      InOut<Vector<T>> seen;
      bool compute(unsigned worker) { seen[worker] += 1; return true; }
    };)");
  std::vector<unsigned> seen(6);
  EXPECT_TRUE(VertexObject(typeOf(library, "Named")).vector("seen", seen).run());
  EXPECT_EQ(seen, std::vector<unsigned>(6, 1));
}

TEST(Run, HeadersMayLookAtTheProcessor) {
  const auto library = compile(R"(
    #include <random>
    struct Draw : Vertex {
      Output<unsigned> out;
      bool compute() { *out = std::mt19937(5489)(); return true; }
    };)",
                               "-Wall -Werror");
  unsigned out = 0;
  EXPECT_TRUE(VertexObject(typeOf(library, "Draw")).scalar("out", out).run());
  EXPECT_EQ(out, 3499211612u);
}

TEST(Run, AnEdgeIsTheVectorThatFunctionsTake) {
  const auto library = compile(R"(
    static int sum(const Vector<int>& values) {
      int total = 0;
      for (int value : values)
        total += value;
      return total;
    }
    struct Sum : Vertex {
      Input<Vector<int>> in;
      Vector<int> more;
      Output<int> out;
      bool compute() { *out = sum(in) + sum(more); return true; }
    };)");
  std::vector<int> in = {1, 2}, more = {3};
  int out = 0;
  EXPECT_TRUE(VertexObject(typeOf(library, "Sum"))
                  .vector("in", in)
                  .vector("more", more)
                  .scalar("out", out)
                  .run());
  EXPECT_EQ(out, 6);
}

TEST(Run, ReportsAComputeThatReturnsFalse) {
  const auto library = compile(R"(
    struct Positive : Vertex {
      Input<int> x;
      auto compute() -> bool { return x > 0; }
    };)");
  int x = 1;
  VertexObject vertex(typeOf(library, "Positive"));
  vertex.scalar("x", x);
  EXPECT_TRUE(vertex.run());
  x = -1;
  EXPECT_FALSE(vertex.run());
}

TEST(Run, RunsVerticesInARow) {
  const auto library = compile(R"(
    struct Increment : Vertex {
      unsigned count;
      void compute() { ++count; }
    };)");
  const VertexType& type = typeOf(library, "Increment");
  std::vector<unsigned> counts = {1, 2, 3, 4};
  ASSERT_EQ(type.size, sizeof(unsigned));
  EXPECT_TRUE(type.run(counts.data(), sizeof(unsigned), counts.size(), 6));
  EXPECT_EQ(counts, (std::vector<unsigned>{2, 3, 4, 5}));
}

TEST(Run, KeepsStateBetweenRuns) {
  const auto library = compile(R"(
    class Append : public Vertex {
      unsigned index;
      Input<int> value;
      InOut<Vector<int>> values;
      bool compute() { values[index++] = value; return true; }
    };)");
  int value = 5;
  std::vector<int> values(3);
  VertexObject vertex(typeOf(library, "Append"));
  vertex.scalar("value", value).vector("values", values);
  vertex.run();
  value = 7;
  vertex.run();
  EXPECT_EQ(values, (std::vector<int>{5, 7, 0}));
}

TEST(Run, AsksTheVertexForItsCost) {
  const auto library = compile(R"(
    struct Sparse : Vertex {
      Input<Vector<unsigned>> active;
      unsigned numRead;
      void compute() { numRead = active[0]; }
      unsigned estimateCycles() const { return 10 + 3 * numRead; }
    };
    struct Silent : Vertex {
      void compute() {}
    };)");
  std::vector<unsigned> active = {4};
  VertexObject vertex(typeOf(library, "Sparse"));
  vertex.vector("active", active).run();
  EXPECT_EQ(vertex.cost(), 22u);
  EXPECT_EQ(typeOf(library, "Silent").cost, nullptr);
}

TEST(Run, FunctionsOfCmathHaveTheirOverloadsWithoutStd) {
  const auto library = compile(R"(
    #include <cmath>
    struct V : Vertex {
      Input<float> x;
      Output<Vector<float>> out;
      void compute() {
        out[0] = abs(*x);
        out[1] = sizeof(fmin(*x, *x));
      }
    };)");
  float x = -0.75f;
  std::vector<float> out(2);
  VertexObject(typeOf(library, "V")).scalar("x", x).vector("out", out).run();
  EXPECT_EQ(out[0], 0.75f);
  EXPECT_EQ(out[1], sizeof(float));
}

// The C++ library of the tile's compiler includes <cstring> and <limits> with others.
TEST(Run, NeedsNotIncludeWhatOtherHeadersBringOnATile) {
  const auto library = compile(R"(
    #include <tuple>
    struct V : Vertex {
      Output<Vector<float>> out;
      void compute() {
        unsigned bytes[2] = {1, 2};
        memset(bytes, 0, sizeof(bytes));
        const std::array<float, 2> two = {2, 3};
        out[0] = bytes[1] + std::min(two[0], two[1]) + sqrtf(4);
        out[1] = std::numeric_limits<unsigned char>::max();
      }
    };)");
  std::vector<float> out(2);
  VertexObject(typeOf(library, "V")).vector("out", out).run();
  EXPECT_EQ(out, (std::vector<float>{4, 255}));
}

// One worker sums what the others write, and all wait for it: static data is the tile's.
TEST(Run, WorkersMayWaitForOneAnother) {
  const auto library = compile(R"(
    struct Norm : MultiVertex {
      Input<Vector<float>> in;
      Output<Vector<float>> out;
      static float partial[6];
      static volatile unsigned arrived;
      static volatile float total;
      bool compute(unsigned worker) {
        partial[worker] = 0;
        for (unsigned i = worker; i < in.size(); i += 6)
          partial[worker] += in[i] * in[i];
        __atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
        if (worker == 0) {
          while (arrived < 6) {}
          float sum = 0;
          for (float p : partial)
            sum += p;
          total = sum;
        }
        while (total < 0) {}
        out[worker] = total;
        return true;
      }
    };
    float Norm::partial[6];
    volatile unsigned Norm::arrived = 0;
    volatile float Norm::total = -1;)");
  std::vector<float> in(12, 2.0f), out(6);
  EXPECT_TRUE(VertexObject(typeOf(library, "Norm")).vector("in", in).vector("out", out).run());
  EXPECT_EQ(out, std::vector<float>(6, 48.0f));
}

TEST(Run, FilesThatRefuseAModelAreCompiledForATile) {
  const auto library = compile(R"(
    #ifdef __IPU__
    #include <ipu_memory_intrinsics>
    #else
    #error Not for a model
    #endif
    struct Zero : Vertex {
      InOut<Vector<half, VectorLayout::ONE_PTR, 8>> data;
      bool compute() {
        half4* at = reinterpret_cast<half4*>(&data[0]);
        ipu::store_postinc(&at, half4{0, 0, 0, 0}, 1);
        return true;
      }
    };)");
  std::vector<std::uint16_t> data(4, 7);
  EXPECT_TRUE(VertexObject(typeOf(library, "Zero")).vector("data", data).run());
  EXPECT_EQ(data, std::vector<std::uint16_t>(4));
}

} // namespace
} // namespace ipumodel::testing
