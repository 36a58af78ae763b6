#include "Codelets.hpp"

#include <cmath>
#include <numeric>

namespace ipumodel::testing {
namespace {

TEST(Intrinsics, LoadAndStoreAdvanceTheirPointers) {
  const auto library = compile(R"(
    #include <ipu_memory_intrinsics>
    struct V : Vertex {
      Input<Vector<float, VectorLayout::ONE_PTR, 8>> in;
      Output<Vector<float, VectorLayout::ONE_PTR, 8>> out;
      unsigned n;
      void compute() {
        const float2* x = reinterpret_cast<const float2*>(&in[0]);
        float2* y = reinterpret_cast<float2*>(&out[0]);
        for (rptsize_t i = 0; i < n; ++i) {
          float2 v = ipu::load_postinc(&x, 2);
          ipu::store_postinc(&y, v + v, 1);
        }
      }
    };)");
  std::vector<float> in = {1, 2, 3, 4, 5, 6, 7, 8}, out(4);
  VertexObject(typeOf(library, "V")).vector("in", in).vector("out", out).state("n", 2u).run();
  EXPECT_EQ(out, (std::vector<float>{2, 4, 10, 12}));
}

TEST(Intrinsics, LongVectorsNeedNoMoreThanTheEightBytesOfAField) {
  const auto library = compile(R"(
    #include <ipudef.h>
    struct V : Vertex {
      Input<Vector<float, VectorLayout::ONE_PTR, 8>> in;
      Output<Vector<float, VectorLayout::ONE_PTR, 8>> out;
      unsigned n;
      void compute() {
        for (unsigned i = 0; i < n / 4; ++i)
          reinterpret_cast<float4*>(&out[0])[i] = reinterpret_cast<float4*>(&in[0])[i] * 2.0f;
      }
    };)");
  alignas(16) float in[10] = {0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
  alignas(16) float out[10] = {};
  VertexObject(typeOf(library, "V"))
      .state("in", HostSpan{in + 2, 8})
      .state("out", HostSpan{out + 2, 8})
      .state("n", 8u)
      .run();
  EXPECT_EQ(std::vector<float>(out + 2, out + 10),
            (std::vector<float>{2, 4, 6, 8, 10, 12, 14, 16}));
}

TEST(Intrinsics, MathematicsAgreeWithTheStandardLibrary) {
  const auto library = compile(R"(
    #include <ipu_intrinsics>
    struct V : Vertex {
      Output<Vector<float>> out;
      void compute() {
        const float2 x = {0.5f, -1.25f};
        out[0] = ipu::exp(x)[1];
        out[1] = ipu::tanh(x[0]);
        out[2] = ipu::sigmoid(x)[1];
        out[3] = ipu::fma(2.f, 3.f, 4.f);
        out[4] = ipu::clamp(9.f, -1.f, 1.f);
        out[5] = __builtin_ipu_max(1.f, 2.f) + __builtin_ipu_min(x, float2{0, 0})[1];
        out[6] = __builtin_ipu_ln(2.f);
        out[7] = ipu::andc(3.f, -0.f);
        out[8] = ipu::isnan(x)[0] + ipu::isfinite(1.f);
        out[9] = ipu::absadd(-1.f, 2.f);
        out[10] = __builtin_ipu_f16tof32(__builtin_ipu_f32tof16(2049.f));
      }
    };)");
  std::vector<float> out(11);
  VertexObject(typeOf(library, "V")).vector("out", out).run();
  const std::vector<float> expected = {std::exp(-1.25f),
                                       std::tanh(0.5f),
                                       1.f / (1.f + std::exp(1.25f)),
                                       10,
                                       1,
                                       2.f - 1.25f,
                                       std::log(2.f),
                                       3,
                                       1,
                                       3,
                                       2048};
  EXPECT_EQ(out, expected);
}

TEST(Intrinsics, CompareClampAndSum) {
  const auto library = compile(R"(
    #include <ipu_intrinsics>
    struct V : Vertex {
      Output<Vector<float>> out;
      void compute() {
        const half low = -2.0f, high = 3.0f;
        const half4 x = ipu::clamp(half4{-4.0f, 1.0f, 2.0f, 9.0f}, half2{low, high});
        const float2 sums = ipu::sum(x);
        out[0] = sums[0];
        out[1] = sums[1];
        out[2] = ipu::andc(5.0f, ipu::cmpgt(1.0f, 2.0f));
        const float2 mask = ipu::cmple(float2{1, 4}, float2{2, 3});
        out[3] = ipu::bitwise_and(float2{7, 8}, mask)[0];
        out[4] = ipu::bitwise_and(float2{7, 8}, mask)[1];
        out[5] = __builtin_ipu_f16v4maxc(x)[1];
        out[6] = ipu::sort4x32hi(float2{1, 2}, float2{3, 4})[1];
        out[7] = ipu::rmask(float2{1, 1}, 1.0f)[0] + ipu::rmask(float2{1, 1}, 0.0f)[1];
      }
    };)");
  std::vector<float> out(8);
  VertexObject(typeOf(library, "V")).vector("out", out).run();
  EXPECT_EQ(out, (std::vector<float>{-1, 5, 5, 7, 0, 3, 4, 1}));
}

TEST(Intrinsics, MathematicsHasTheNamesOfTheTilesLibrary) {
  const auto library = compile(R"(
    #include <ipu_vector_math>
    struct V : Vertex {
      Output<Vector<float>> out;
      void compute() {
        const half2 zero = {0.0, 0.0}, x = {-1.0, 2.0};
        out[0] = half2_fmax(zero, x)[0] + half2_fmin(zero, x)[1];
        out[1] = half4_fma(half4{2, 2, 2, 2}, half4{3, 3, 3, 3}, half4{1, 1, 1, 1})[3];
        out[2] = float2_sqrt(float2{9, 16})[1];
        out[3] = half_floor(half(2.5f));
      }
    };)");
  std::vector<float> out(4, 9);
  VertexObject(typeOf(library, "V")).vector("out", out).run();
  EXPECT_EQ(out, (std::vector<float>{0, 7, 4, 2}));
}

TEST(Intrinsics, NeedNoIncludeInCodeletsForHardware) {
  const auto library = compile(R"(
    struct V : Vertex {
      Output<Vector<float>> out;
      void compute() {
        float2 x = {1, 2};
        out[0] = x[1] + __builtin_ipu_max(0.f, 1.f);
      }
    };)");
  std::vector<float> out(1);
  VertexObject(typeOf(library, "V")).vector("out", out).run();
  EXPECT_EQ(out[0], 3);
}

TEST(Intrinsics, LeaveTheirNamesToCodeletsForModels) {
  const auto library = compile(R"(
    template <class T, int N> struct OwnVector { T v[N]; };
    using float2 = OwnVector<float, 2>;
    namespace ipu { template <class T> T load_postinc(const T** p, int i) { *p += i; return (*p)[-i]; } }
    struct V : Vertex {
      Output<Vector<float>> out;
      void compute() {
        float2 x = {{1, 2}};
        const float2* p = &x;
        out[0] = ipu::load_postinc(&p, 1).v[1];
      }
    };)");
  std::vector<float> out(1);
  VertexObject(typeOf(library, "V")).vector("out", out).run();
  EXPECT_EQ(out[0], 2);
}

class Random : public ::testing::Test {
protected:
  Random()
      : library(compile(R"(
    #include <ipu_builtins.h>
    struct V : MultiVertex {
      Output<Vector<float>> uniform, normal;
      Output<Vector<unsigned>> tile;
      void compute(unsigned worker) {
        for (unsigned i = worker; i < uniform.size(); i += numWorkers()) {
          uniform[i] = __builtin_ipu_urand_f32();
          normal[i] = __builtin_ipu_f32v2grand()[i % 2];
        }
        tile[worker] = __builtin_ipu_get_tile_id();
      }
    };)")),
        type(typeOf(library, "V")) {}

  struct Result {
    std::vector<float> uniform = std::vector<float>(6000), normal = std::vector<float>(6000);
    std::vector<unsigned> tile = std::vector<unsigned>(6);
  };
  Result draw(std::uint64_t step, std::uint64_t vertex, std::uint32_t tile) {
    Result result;
    *type.context() = {step, vertex, &tile};
    VertexObject(type)
        .vector("uniform", result.uniform)
        .vector("normal", result.normal)
        .vector("tile", result.tile)
        .run();
    *type.context() = {};
    return result;
  }

  CodeletLibrary library;
  const VertexType& type;
};

TEST_F(Random, NumbersRepeatForTheSameVertexAndStep) {
  const Result first = draw(1, 2, 3);
  EXPECT_EQ(first.uniform, draw(1, 2, 3).uniform);
  EXPECT_NE(first.uniform, draw(2, 2, 3).uniform);
  EXPECT_NE(first.uniform, draw(1, 3, 3).uniform);
  EXPECT_NE(first.uniform[0], first.uniform[1]); // workers differ
  EXPECT_EQ(first.tile, std::vector<unsigned>(6, 3));
}

TEST_F(Random, NumbersHaveTheirDistributions) {
  const Result drawn = draw(0, 0, 0);
  for (const float u : drawn.uniform) {
    EXPECT_GE(u, -0.5f);
    EXPECT_LT(u, 0.5f);
  }
  double mean = 0, square = 0;
  for (const float x : drawn.normal) {
    mean += x / 6000;
    square += double(x) * x / 6000;
  }
  EXPECT_NEAR(mean, 0, 0.05);
  EXPECT_NEAR(square, 1, 0.08);
}

TEST(Intrinsics, NeedContextOnlyWhereAsked) {
  const auto library = compile("struct V : Vertex { void compute() {} };");
  EXPECT_EQ(typeOf(library, "V").context, nullptr);
}

} // namespace
} // namespace ipumodel::testing
