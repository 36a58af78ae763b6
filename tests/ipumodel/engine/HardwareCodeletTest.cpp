// Codelets with parts for hardware alone, as programs add them that ask their target what it is.
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr const char* kPairs = R"(
#include <poplar/Vertex.hpp>
class Everywhere : public poplar::Vertex {
public:
  poplar::Output<float> sum;
  bool compute() {
    *sum = -1;
    return true;
  }
};
#ifdef __IPU__
#include <ipu_vector_math>
class SumOfPairs : public poplar::Vertex {
public:
  poplar::Input<poplar::Vector<float, poplar::VectorLayout::SPAN, 8>> in;
  poplar::Output<float> sum;
  bool compute() {
    const float2* pairs = reinterpret_cast<const float2*>(&in[0]);
    float2 total = {0.0f, 0.0f};
    for (unsigned i = 0; i < in.size() / 2; ++i)
      total += ipu::fabs(pairs[i]);
    *sum = total[0] + total[1];
    return true;
  }
};
#endif
)";

constexpr const char* kInstructions = R"(
#include <poplar/Vertex.hpp>
#ifdef __IPU__
class Clear : public poplar::Vertex {
public:
  poplar::InOut<float> x;
  bool compute() {
    asm("uput $FP_CLR, $a0");
    return true;
  }
};
#endif
)";

Graph graphWith(const Target& target, const char* codelets) {
  Graph graph(target);
  std::stringstream text(codelets);
  graph.addCodelets(text);
  return graph;
}

TEST(HardwareCodelets, RunOnAnIpuDevice) {
  setenv("IPUMODEL_DEVICES", "1", 1);
  Device device = DeviceManager().acquireAvailableDevice(TargetType::IPU, 1);
  unsetenv("IPUMODEL_DEVICES");
  Graph graph = graphWith(device.getTarget(), kPairs);
  Tensor in = graph.addConstant<float>(FLOAT, {4}, {1, -2, 3, -4});
  Tensor sums = graph.addVariable(FLOAT, {2}, "sums");
  graph.setTileMapping(in, 0);
  graph.setTileMapping(sums, 0);
  graph.createHostRead("sums", sums);
  const ComputeSet set = graph.addComputeSet();
  graph.setTileMapping(graph.addVertex(set, "SumOfPairs", {{"in", in}, {"sum", sums[0]}}), 0);
  graph.setTileMapping(graph.addVertex(set, "Everywhere", {{"sum", sums[1]}}), 0);
  Engine engine(graph, Execute(set));
  engine.load(device);
  engine.run();
  float result[2];
  engine.readTensor("sums", result, result + 2);
  EXPECT_EQ(result[0], 10);
  EXPECT_EQ(result[1], -1);
}

// The header has no include guard, so that it would not come twice either.
TEST(HardwareCodelets, IncludeWhatOnlyHardwareIncludes) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "spillway_hardware_codelets_test";
  fs::create_directories(folder);
  std::ofstream(folder / "OnlyHardware.hpp") << "constexpr float kTold = 7;\n";
  std::ofstream(folder / "codelets.cpp") << R"(
#include <poplar/Vertex.hpp>
#ifdef __IPU__
#include "OnlyHardware.hpp"
#include <poplar/TileConstants.hpp>
class Tell : public poplar::Vertex {
public:
  poplar::Output<float> x;
  bool compute() {
    *x = kTold * CTXT_WORKERS;
    return true;
  }
};
#endif
)";
  Graph graph(Target::createIPUTarget(1, "ipu2"));
  graph.addCodelets((folder / "codelets.cpp").string());
  fs::remove_all(folder);
  EXPECT_NO_THROW(graph.addVertex(graph.addComputeSet(), "Tell"));
}

TEST(HardwareCodelets, AreUnknownToTheIpuModel) {
  Graph graph = graphWith(IPUModel().createDevice().getTarget(), kPairs);
  const ComputeSet set = graph.addComputeSet();
  EXPECT_NO_THROW(graph.addVertex(set, "Everywhere"));
  EXPECT_THROW(graph.addVertex(set, "SumOfPairs"), unknown_vertex_type);
}

TEST(HardwareCodelets, WithInstructionsOfATileSayWhyTheyCannotRun) {
  Graph graph = graphWith(Target::createIPUTarget(1, "ipu2"), kInstructions);
  const ComputeSet set = graph.addComputeSet();
  try {
    graph.addVertex(set, "Clear");
    FAIL() << "took instructions of a tile's processor";
  } catch (const graph_object_creation_error& error) {
    EXPECT_NE(std::string(error.what()).find("__IPU__"), std::string::npos) << error.what();
  }
  EXPECT_THROW(graph.addVertex(set, "NoSuchVertex"), unknown_vertex_type);
}

} // namespace
