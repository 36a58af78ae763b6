#include "Codelets.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace ipumodel::testing {
namespace {

// binary16 by its definition: 1 sign, 5 exponent and 10 fraction bits.
float toFloat(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                          : exponent == 0 ? std::ldexp(float(fraction), -24)
                                          : std::ldexp(float(fraction + 1024), exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

std::uint16_t toHalf(float value) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  const float magnitude = std::fabs(value);
  if (magnitude >= 65520.f)
    return static_cast<std::uint16_t>(sign | 0x7c00);
  const int exponent = magnitude == 0 ? -14 : std::max(std::ilogb(magnitude), -14);
  const int steps = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<std::uint16_t>(sign | (steps + (exponent + 14) * 1024));
}

float rounded(float value) {
  return toFloat(toHalf(value));
}

TEST(Half, ConvertsEveryValueToFloatAndBack) {
  const auto library = compile(R"(
    struct V : Vertex {
      Input<Vector<half>> in;
      Output<Vector<float>> wide;
      Output<Vector<half>> back;
      void compute() {
        for (unsigned i = 0; i < in.size(); ++i) {
          wide[i] = in[i];
          back[i] = wide[i];
        }
      }
    };)");
  std::vector<std::uint16_t> in(65536), back(65536);
  std::vector<float> wide(65536);
  for (unsigned i = 0; i < in.size(); ++i)
    in[i] = static_cast<std::uint16_t>(i);
  VertexObject(typeOf(library, "V"))
      .vector("in", in)
      .vector("wide", wide)
      .vector("back", back)
      .run();
  for (unsigned i = 0; i < in.size(); ++i) {
    const float expected = toFloat(in[i]);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(wide[i]));
      continue;
    }
    ASSERT_EQ(wide[i], expected) << i;
    ASSERT_EQ(back[i], in[i]);
  }
}

TEST(Half, RoundsToNearestEvenOnStore) {
  const auto library = compile(R"(
    struct V : Vertex {
      Input<Vector<float>> in;
      Output<Vector<half>> out;
      void compute() {
        for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i];
      }
    };)");
  std::vector<float> in = {1.f + 0x1p-11f, 1.f + 3 * 0x1p-11f, 65519.f,    65520.f,
                           -1e9f,          0x1p-25f,           0x1.8p-25f, -0.f};
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, 100);
  for (int i = 0; i < 1000; ++i)
    in.push_back(normal(random));
  std::vector<std::uint16_t> out(in.size());
  VertexObject(typeOf(library, "V")).vector("in", in).vector("out", out).run();
  EXPECT_EQ(out[0], 0x3c00); // tie, to even
  EXPECT_EQ(out[1], 0x3c02);
  EXPECT_EQ(out[2], 0x7bff);
  EXPECT_EQ(out[3], 0x7c00); // past the largest, infinity
  for (std::size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(out[i], toHalf(in[i])) << in[i];
}

TEST(Half, RoundsADoubleOnce) {
  const auto library = compile(R"(
    #include <poplar/IeeeHalf.hpp>
    struct V : Vertex {
      Input<Vector<float>> in, rest;
      Output<Vector<half>> out;
      Output<Vector<unsigned short>> bits;
      void compute() {
        for (unsigned i = 0; i < in.size(); ++i) {
          out[i] = static_cast<double>(in[i]) + static_cast<double>(rest[i]);
          bits[i] = poplar::IeeeHalf(float(poplar::IeeeHalf::fromBits(i))).bit16();
        }
      }
    };)");
  // The second and third are a tie for a float, which a double lies beside.
  std::vector<float> in = {0.5f, 1.f + 0x1p-11f, 1.f + 0x1p-11f, 65520.f, -65520.f, 1e30f, NAN};
  std::vector<float> rest = {0.25f, 0x1p-30f, -0x1p-30f, 0, 0x1p-20f, 0, 0};
  std::vector<std::uint16_t> out(in.size()), bits(in.size());
  VertexObject(typeOf(library, "V"))
      .vector("in", in)
      .vector("rest", rest)
      .vector("out", out)
      .vector("bits", bits)
      .run();
  EXPECT_EQ(out[0], toHalf(0.75f));
  EXPECT_EQ(out[1], 0x3c01);
  EXPECT_EQ(out[2], 0x3c00);
  EXPECT_EQ(out[3], 0x7c00);
  EXPECT_EQ(out[4], 0xfbff);
  EXPECT_EQ(out[5], 0x7c00);
  EXPECT_TRUE(std::isnan(toFloat(out[6])));
  EXPECT_EQ(bits[5], 5);
}

TEST(Half, ComputesInFloat) {
  const auto library = compile(R"(
    #include <algorithm>
#include <cmath>
    #include <limits>
    half twice(half x) { return x + x; }
    struct V : Vertex {
      Input<half> a, b;
      Output<Vector<half>> out;
      Output<Vector<float>> wide;
      void compute() {
        static_assert(sizeof(*a + *b) == sizeof(float), "promoted");
        wide[0] = *a * *b;             // not rounded to half in between
        half sum = *a + *b;
        sum += *a;
        out[0] = sum;
        out[1] = twice(a);
        out[2] = std::sqrt(*b);
        out[3] = std::numeric_limits<half>::max();
        wide[1] = *a > *b ? 1.f : 0.f;
      }
    };)");
  std::uint16_t a = toHalf(3.001f), b = toHalf(0.3333f);
  std::vector<std::uint16_t> out(4);
  std::vector<float> wide(2);
  VertexObject(typeOf(library, "V"))
      .scalar("a", a)
      .scalar("b", b)
      .vector("out", out)
      .vector("wide", wide)
      .run();
  const float x = toFloat(a), y = toFloat(b);
  EXPECT_EQ(wide[0], x * y);
  EXPECT_EQ(out[0], toHalf(rounded(x + y) + x));
  EXPECT_EQ(out[1], toHalf(x + x));
  EXPECT_EQ(out[2], toHalf(std::sqrt(y)));
  EXPECT_EQ(toFloat(out[3]), 65504.f);
  EXPECT_EQ(wide[1], 1.f);
}

TEST(Half, VectorsWorkElementByElement) {
  const auto library = compile(R"(
    #include <ipu_vector_math>
    struct V : Vertex {
      Input<Vector<half, VectorLayout::ONE_PTR, 8>> in;
      Output<Vector<half, VectorLayout::ONE_PTR, 8>> out;
      void compute() {
        const half4* x = reinterpret_cast<const half4*>(&in[0]);
        half4* y = reinterpret_cast<half4*>(&out[0]);
        *y = x[0] * x[0] + half4{1, 1, 1, 1};
        y[1] = ipu::max(x[0], half4{2, 2, 2, 2});
      }
    };)");
  std::vector<std::uint16_t> in, out(8);
  for (const float value : {1.1f, 2.3f, -0.7f, 1000.f})
    in.push_back(toHalf(value));
  VertexObject(typeOf(library, "V")).vector("in", in).vector("out", out).run();
  for (int i = 0; i < 4; ++i) {
    const float x = toFloat(in[i]);
    EXPECT_EQ(out[i], toHalf(rounded(x * x) + 1.f));
    EXPECT_EQ(out[4 + i], toHalf(std::max(x, 2.f)));
  }
}

// As on the tile, arithmetic of vectors gives the same type, and braces take what halves give.
TEST(Half, VectorsKeepTheirTypeForOverloads) {
  const auto library = compile(R"(
    #include <ipudef.h>
    template <class T> int kind(T) { return 0; }
    inline int kind(half4) { return 4; }
    inline int kind(float2) { return 2; }
    struct V : Vertex {
      Input<half> x;
      Output<Vector<float>> out;
      void compute() {
        const half bound = *x;
        const half4 a = {bound, bound, bound, bound};
        const half2 both{-bound, bound};
        out[0] = kind(a - a) + kind(float2{1, 2} * 2.0f);
        out[1] = both[0];
        out[2] = (0.5f * a)[3];
        auto [first, second] = float2{5, 6};
        out[3] = first - second;
      }
    };)");
  std::uint16_t x = toHalf(3.0f);
  std::vector<float> out(4);
  VertexObject(typeOf(library, "V")).scalar("x", x).vector("out", out).run();
  EXPECT_EQ(out, (std::vector<float>{6, -3, 1.5f, -1}));
}

} // namespace
} // namespace ipumodel::testing
