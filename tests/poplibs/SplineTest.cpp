#include "Harness.hpp"

#include <popops/SplineBasis.hpp>
#include <popops/SplineWeighting.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

using namespace harness;

namespace {

// The uniform B-spline by its recursion, at a distance from its first knot.
double bSpline(unsigned degree, double x) {
  if (degree == 0)
    return x >= 0 && x < 1 ? 1 : 0;
  return (x * bSpline(degree - 1, x) + (degree + 1 - x) * bSpline(degree - 1, x - 1)) / degree;
}

} // namespace

TEST(Spline, BasisFunctionsAreThoseOfTheRecursion) {
  const std::size_t edges = 23, dims = 2;
  const std::vector<int> kernelSize{5, 4};
  const std::vector<unsigned char> isOpen{1, 0};
  for (unsigned degree = 1; degree != 4; ++degree) {
    TestGraph g(8);
    const auto points = randomFloats(edges * dims, degree, 0, 0.999f);
    const std::size_t splines = (degree + 1) * (degree + 1);
    const auto basis =
        g.input(poplar::FLOAT, {edges, splines}, std::vector<float>(edges * splines));
    const auto index = g.input(poplar::INT, {edges, splines}, std::vector<int>(edges * splines));
    popops::splineBasis(g.graph, g.input(poplar::FLOAT, {edges, dims}, points),
                        g.input(poplar::INT, {dims}, kernelSize),
                        g.input(poplar::UNSIGNED_CHAR, {dims}, isOpen), basis, index, degree,
                        g.prog);
    const auto b = g.output(basis), w = g.output(index);
    g.run();
    const auto values = g.read<float>(b);
    const auto weights = g.read<int>(w);
    for (std::size_t e = 0; e != edges; ++e)
      for (unsigned s = 0; s != splines; ++s) {
        double expected = 1;
        int at = 0, stride = 1;
        for (std::size_t d = 0; d != dims; ++d) {
          const unsigned k = d == 0 ? s % (degree + 1) : s / (degree + 1);
          const double x =
              double(points[e * dims + d]) * (kernelSize[d] - (isOpen[d] ? int(degree) : 0));
          expected *= bSpline(degree, x - std::floor(x) + degree - k);
          at += (int(x) + int(k)) % kernelSize[d] * stride;
          stride *= kernelSize[d];
        }
        EXPECT_NEAR(values[e * splines + s], expected, 1e-5);
        EXPECT_EQ(weights[e * splines + s], at);
      }
  }
}

TEST(Spline, WeightingSumsOverSplinesAndInputs) {
  const std::size_t edges = 11, inputs = 5, outputs = 7, kernels = 6, splines = 3;
  const auto x = randomFloats(edges * inputs, 1), w = randomFloats(kernels * inputs * outputs, 2),
             b = randomFloats(edges * splines, 3);
  auto index = randomInts(edges * splines, 4, 0, int(kernels) - 1);
  for (const unsigned tiles : {3u, 40u}) {
    TestGraph g(tiles);
    const auto indices = g.input(poplar::INT, {edges, splines}, index);
    const auto input = g.input(poplar::FLOAT, {edges, inputs}, x);
    const auto weight = g.input(poplar::FLOAT, {kernels, inputs, outputs}, w);
    const auto basis = g.input(poplar::FLOAT, {edges, splines}, b);
    const auto out =
        g.output(popops::splineWeighting(g.graph, input, weight, basis, indices, g.prog));
    EXPECT_THROW(popops::splineWeighting(g.graph, input, weight, basis, basis, g.prog),
                 poputil::poplibs_error);
    g.run();
    const auto read = g.read<float>(out);
    for (std::size_t e = 0; e != edges; ++e)
      for (std::size_t o = 0; o != outputs; ++o) {
        double expected = 0;
        for (std::size_t s = 0; s != splines; ++s)
          for (std::size_t i = 0; i != inputs; ++i)
            expected += double(b[e * splines + s]) * x[e * inputs + i] *
                        w[(std::size_t(index[e * splines + s]) * inputs + i) * outputs + o];
        EXPECT_NEAR(read[e * outputs + o], expected, 1e-4);
      }
  }
}
