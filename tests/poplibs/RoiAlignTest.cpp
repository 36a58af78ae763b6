#include "Harness.hpp"

#include <popnn/codelets.hpp>
#include <popnn/experimental/ROIAlign.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

using namespace harness;
using popnn::experimental::roiAlignParams;

namespace {

const std::size_t N = 2, C = 3, H = 6, W = 7, kRegions = 4;
// One region ends outside the map, one is smaller than a pixel, one lies outside.
const std::vector<float> kCorners{2, 4, 10, 9, 0, 0, 16, 13, 5, 5, 5.4f, 5.2f, 40, 40, 44, 44};
const std::vector<int> kImages{1, 0, 1, 0};

// Shares of the pixels [N][H][W] in bin (row, column) of a region.
std::vector<double> sharesOf(std::size_t region, std::size_t row, std::size_t column,
                             const roiAlignParams& p) {
  std::vector<double> shares(N * H * W);
  const double shift = p.aligned_ ? 0.5 : 0;
  const auto corner = [&](std::size_t i) {
    return kCorners[4 * region + i] * p.spatialScale_ - shift;
  };
  double width = corner(2) - corner(0), height = corner(3) - corner(1);
  if (!p.aligned_) {
    width = std::max(width, 1.0);
    height = std::max(height, 1.0);
  }
  const double ratio = double(p.samplingRatio_);
  for (std::size_t i = 0; i != p.samplingRatio_; ++i)
    for (std::size_t j = 0; j != p.samplingRatio_; ++j) {
      double y =
          corner(1) + height / double(p.alignedHeight_) * (double(row) + (double(i) + .5) / ratio);
      double x =
          corner(0) + width / double(p.alignedWidth_) * (double(column) + (double(j) + .5) / ratio);
      if (y < -1 || x < -1 || y > double(H) || x > double(W))
        continue;
      y = std::min(std::max(y, 0.0), double(H - 1));
      x = std::min(std::max(x, 0.0), double(W - 1));
      for (std::size_t r = 0; r != H; ++r)
        for (std::size_t c = 0; c != W; ++c)
          shares[(std::size_t(kImages[region]) * H + r) * W + c] +=
              std::max(0.0, 1 - std::abs(y - double(r))) *
              std::max(0.0, 1 - std::abs(x - double(c))) / (ratio * ratio);
    }
  return shares;
}

} // namespace

TEST(RoiAlign, PoolsAndPassesGradientsBackByTheSameShares) {
  for (const bool aligned : {false, true})
    for (const unsigned tiles : {2u, 40u}) {
      const roiAlignParams params(2, 3, 2, aligned, 0.5f);
      const std::size_t bins = 3 * 2;
      TestGraph g(tiles);
      popnn::addCodelets(g.graph);
      const auto data = randomFloats(N * C * H * W, 1), dy = randomFloats(kRegions * C * bins, 2);
      auto maps = g.input(poplar::FLOAT, {N, C, H, W}, data);
      auto regions = g.input(poplar::FLOAT, {kRegions, 4}, kCorners);
      auto images = g.input(poplar::INT, {kRegions}, kImages);
      auto gradient = g.input(poplar::FLOAT, {kRegions, C, 3, 2}, dy);
      const auto out =
          popnn::experimental::roiAlignFwd(g.graph, g.prog, maps, regions, images, params);
      ASSERT_EQ(out.shape(), (Shape{kRegions, C, 3, 2}));
      const auto y = g.output(out);
      const auto dx = g.output(popnn::experimental::roiAlignInputGradient(
          g.graph, g.prog, maps, regions, images, gradient, params));
      EXPECT_THROW(popnn::experimental::roiAlignInputGradient(g.graph, g.prog, maps, regions,
                                                              images, maps, params),
                   poputil::poplibs_error);
      g.run();
      const auto pooled = g.read<float>(y), back = g.read<float>(dx);
      std::vector<double> expected(N * C * H * W);
      for (std::size_t r = 0; r != kRegions; ++r)
        for (std::size_t b = 0; b != bins; ++b) {
          const auto shares = sharesOf(r, b / 2, b % 2, params);
          for (std::size_t c = 0; c != C; ++c) {
            double sum = 0;
            for (std::size_t i = 0; i != shares.size(); ++i) {
              const auto pixel = (i / (H * W) * C + c) * H * W + i % (H * W);
              sum += shares[i] * data[pixel];
              expected[pixel] += shares[i] * dy[(r * C + c) * bins + b];
            }
            EXPECT_NEAR(pooled[(r * C + c) * bins + b], sum, 1e-5);
          }
        }
      for (std::size_t i = 0; i != expected.size(); ++i)
        EXPECT_NEAR(back[i], expected[i], 1e-5);
    }
}
