// What code in compute() may do with its fields.
#include "Codelets.hpp"

namespace ipumodel::testing {
namespace {

TEST(Access, ScalarsConvertCopyAndAssign) {
  const auto library = compile(R"(
    struct V : Vertex {
      Input<float> x, y;
      Input<unsigned> n;
      Output<float> sum;
      InOut<int> count;
      InOut<float> a, b;
      Output<Vector<float>> list;
      void compute() {
        float brace{x};
        const auto end{n};
        float acc = brace + y * 2;
        for (unsigned i = 0; i < end; ++i)
          acc += *x;
        sum = acc;
        count += 2; count -= 1; count *= 6; count /= 2; count %= 4; ++count; count++; --count;
        count <<= 3; count >>= 1; count |= 1; count &= 0xf; count ^= 2;
        a = b;
        b = x;
        list[0] = x > y ? x : y;
        list[1] = -x;
        list[2] = a;
      }
    };)");
  float x = 1.5f, y = 2, sum = 0, a = 3, b = 4;
  unsigned n = 2;
  int count = 5;
  std::vector<float> list(3);
  VertexObject(typeOf(library, "V"))
      .scalar("x", x)
      .scalar("y", y)
      .scalar("n", n)
      .scalar("sum", sum)
      .scalar("count", count)
      .scalar("a", a)
      .scalar("b", b)
      .vector("list", list)
      .run();
  EXPECT_EQ(sum, 8.5f);
  EXPECT_EQ(count, 15);
  EXPECT_EQ(a, 4);
  EXPECT_EQ(b, 1.5f);
  EXPECT_EQ(list, (std::vector<float>{2, -1.5f, 4}));
}

TEST(Access, VectorsIndexIterateAndDereference) {
  const auto library = compile(R"(
    #include <algorithm>
    #include <numeric>
    struct V : Vertex {
      Input<Vector<int>> in;
      Output<Vector<int>> out;
      Vector<int> table;
      void compute() {
        int sum = 0;
        for (auto x : in) sum += x;
        for (auto& x : out) x = sum;
        out[1] = in->size();
        out[2] = (*in)[2];
        const int* first = &in[0];
        out[3] = *(first + 1) + table[0];
        out[4] = std::accumulate(in.begin(), in.end(), 0) + static_cast<int>(table.size());
        table[0] += 1;
        auto copy = in;
        out[5] = copy[0] + *std::max_element(copy.begin(), copy.end());
        out[6] = in.data()[1];
      }
    };)");
  std::vector<int> in = {1, 2, 3}, out(8), table = {10};
  VertexObject(typeOf(library, "V"))
      .vector("in", in)
      .vector("out", out)
      .vector("table", table)
      .run();
  EXPECT_EQ(out, (std::vector<int>{6, 3, 3, 12, 7, 4, 2, 6}));
  EXPECT_EQ(table[0], 11);
}

TEST(Access, ListsOfVectors) {
  const auto library = compile(R"(
    struct V : Vertex {
      Input<VectorList<int, VectorListLayout::DELTAN>> list;
      Vector<InOut<Vector<int>>> edges;
      Vector<Input<int>> scalars;
      Vector<Output<int>, VectorLayout::ONE_PTR> results;
      void compute() {
        for (unsigned i = 0; i < list.size(); ++i)
          for (unsigned j = 0; j < list[i].size(); ++j)
            edges[i][j] += list[i][j];
        auto& last = edges[edges.size() - 1];
        for (auto& x : last) x *= 2;
        for (unsigned i = 0; i < scalars.size(); ++i) results[i] = scalars[i] + 1;
      }
    };)");
  std::vector<int> l0 = {1}, l1 = {2, 3}, e0 = {10}, e1 = {20, 30};
  int s0 = 5, s1 = 6, r0 = 0, r1 = 0;
  std::vector<HostSpan> list = {{l0.data(), 1}, {l1.data(), 2}},
                        edges = {{e0.data(), 1}, {e1.data(), 2}};
  std::vector<HostSpan> scalars = {{&s0, 1}, {&s1, 1}}, results = {{&r0, 1}, {&r1, 1}};
  VertexObject(typeOf(library, "V"))
      .list("list", list)
      .list("edges", edges)
      .list("scalars", scalars)
      .list("results", results)
      .run();
  EXPECT_EQ(e0, std::vector<int>{11});
  EXPECT_EQ(e1, (std::vector<int>{44, 66}));
  EXPECT_EQ(r0, 6);
  EXPECT_EQ(r1, 7);
}

TEST(Access, ReinterpretsAsShortVectors) {
  const auto library = compile(R"(
    #include <ipudef.h>
    struct V : Vertex {
      Input<Vector<float, VectorLayout::ONE_PTR, 8>> in;
      Output<Vector<float, VectorLayout::SPAN, 8>> out;
      void compute() {
        auto x = reinterpret_cast<float2*>(&in[0]);
        float2* y = reinterpret_cast<float2*>(&out[0]);
        for (unsigned i = 0; i < out.size() / 2; ++i)
          y[i] = x[i] * float2{2, 3} + float2{x[i][1], x[i][0]};
      }
    };)");
  std::vector<float> in = {1, 2, 3, 4}, out(4);
  VertexObject(typeOf(library, "V")).vector("in", in).vector("out", out).run();
  EXPECT_EQ(out, (std::vector<float>{4, 7, 10, 15}));
}

TEST(Access, AssignmentWritesTheElementsOfAnotherEdge) {
  const auto library = compile(R"(
    struct V : Vertex {
      Vector<Input<Vector<int>>> in;
      Vector<Output<Vector<int>>> out;
      InOut<Vector<int>> last;
      void compute() {
        for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i];
        last = in[1];
      }
    };)");
  std::vector<int> i0 = {1}, i1 = {2, 3}, o0(1), o1(2), last = {0, 0, 9};
  std::vector<HostSpan> in = {{i0.data(), 1}, {i1.data(), 2}},
                        out = {{o0.data(), 1}, {o1.data(), 2}};
  VertexObject(typeOf(library, "V")).list("in", in).list("out", out).vector("last", last).run();
  EXPECT_EQ(o0, i0);
  EXPECT_EQ(o1, i1);
  EXPECT_EQ(last, (std::vector<int>{2, 3, 9}));
}

} // namespace
} // namespace ipumodel::testing
