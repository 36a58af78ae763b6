// Plans of convolutions and the parameters they are made for.
#include "Harness.hpp"

#include <poplar/exceptions.hpp>
#include <poplin/ConvPreplan.hpp>
#include <poplin/ConvUtil.hpp>
#include <poplin/Convolution.hpp>
#include <poputil/exceptions.hpp>

#include <gtest/gtest.h>

#include <sstream>

using namespace harness;
using poplin::ConvParams;

TEST(ConvPlan, PlansAreCheckedAndReported) {
  TestGraph g(24);
  ConvParams p(poplar::FLOAT, 2, {7, 9}, {3, 3}, 4, 5, 1);
  p.inputTransform.paddingLower = p.inputTransform.paddingUpper = {1, 1};
  const poplar::OptionFlags good, bad{{"frobnicate", "1"}};
  poplin::PlanningCache cache;
  const poplin::MatMulParams product{poplar::FLOAT, poplar::FLOAT, {4, 5}, {5, 6}};
  poplin::preplan({std::make_tuple(&g.graph.getTarget(), p, &good)},
                  {std::make_tuple(&g.graph.getTarget(), product, &good)}, cache);
  EXPECT_EQ(cache.size(), 2u);
  poplin::preplanMatMuls({std::make_tuple(&g.graph.getTarget(), product, &good)}, cache);
  EXPECT_EQ(cache.size(), 2u) << "known already";
  EXPECT_THROW(poplin::preplanConvolutions({std::make_tuple(&g.graph.getTarget(), p, &bad)}, cache),
               poplar::invalid_option);
  std::ostringstream report;
  poplin::reportPlanInfo(report, g.graph, p);
  poplin::reportWeightUpdatePlanInfo(report, g.graph, p);
  EXPECT_NE(report.str().find("Weight update: Convolution of 4 images"), std::string::npos)
      << report.str();
  const auto out = poplin::createConvOutput(g.graph, p);
  EXPECT_EQ(out.shape(), (Shape{2, 5, 7, 9}));
  EXPECT_NO_THROW(g.graph.getTileMapping(out));
}

TEST(ConvParams, AreReadFromJson) {
  std::istringstream text(R"({"dataType": "half", "outputType": "float", "batchSize": 2,
    "numConvGroups": 1, "inputChannelsPerConvGroup": 3, "outputChannelsPerConvGroup": 4,
    "inputFieldShape": [5, 6], "kernelShape": [3, 2],
    "inputTransform": {"paddingLower": [1, 0], "flip": [false, true]},
    "outputTransform": {"stride": [2, 1]}})");
  ConvParams read;
  text >> read;
  ConvParams expected(poplar::HALF, poplar::FLOAT, 2, {5, 6}, {3, 2}, 3, 4, 1);
  expected.inputTransform.paddingLower = {1, 0};
  expected.inputTransform.flip = {false, true};
  expected.outputTransform.stride = {2, 1};
  EXPECT_EQ(read, expected);
  std::istringstream wrong(R"({"inputFieldShape": [5, 6], "kernelShape": [3]})");
  EXPECT_THROW(wrong >> read, poputil::poplibs_error);
}

TEST(ConvPlan, PerfectCyclesAreMultiplicationsOverVectors) {
  TestGraph g(4);
  const ConvParams params(poplar::FLOAT, 2, {6}, {3}, 8, 16,
                          1); // 4 outputs of 3 products each
  const double macs = 2 * 4 * 3 * 8 * 16;
  EXPECT_DOUBLE_EQ(poplin::getFwdPerfectCycleCount(g.graph, params),
                   macs / g.graph.getTarget().getFloatVectorWidth() / 4);
  EXPECT_EQ(poplin::getBwdPerfectCycleCount(g.graph, params),
            poplin::getFwdPerfectCycleCount(g.graph, params));
  const ConvParams half(poplar::HALF, 2, {6}, {3}, 8, 16, 1);
  EXPECT_LT(poplin::getWuPerfectCycleCount(g.graph, half),
            poplin::getWuPerfectCycleCount(g.graph, params));
}
