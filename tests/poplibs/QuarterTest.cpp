// Numbers of eight bits: formats and scales, casts, and how metadata follow tensors.
#include "Harness.hpp"

#include <poplar/MetadataCreation.hpp>
#include <poplar/TypeConversion.hpp>
#include <poplar/exceptions.hpp>
#include <poplin/MatMul.hpp>
#include <poplin/codelets.hpp>
#include <popops/Cast.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using Format = QuarterMetadata::Format;

namespace {

std::vector<float> decoded(const QuarterMetadata& metadata, std::vector<unsigned char> bits) {
  std::vector<float> values(bits.size());
  convertFromDeviceType(QUARTER, metadata, bits.data(), ArrayRef<float>(values));
  return values;
}

std::vector<unsigned char> encoded(const QuarterMetadata& metadata,
                                   const std::vector<float>& values) {
  std::vector<unsigned char> bits(values.size());
  convertToDeviceType(QUARTER, metadata, ArrayRef<float>(values), bits.data());
  return bits;
}

std::vector<unsigned char> allBits() {
  std::vector<unsigned char> bits(256);
  std::iota(bits.begin(), bits.end(), static_cast<unsigned char>(0));
  return bits;
}

TEST(Quarter, HasTheRangesOfItsFormats) {
  EXPECT_EQ(decoded({Format::F143, 0}, {0x01, 0x08, 0x7f, 0xff}),
            (std::vector<float>{std::exp2(-10.0f), std::exp2(-7.0f), 240, -240}));
  EXPECT_EQ(decoded({Format::F152, 0}, {0x01, 0x04, 0x7f, 0xff}),
            (std::vector<float>{std::exp2(-17.0f), std::exp2(-15.0f), 57344, -57344}));
  EXPECT_EQ(decoded({Format::F143, -3}, {0x7f}), std::vector<float>{30});
  EXPECT_TRUE(std::isnan(decoded({Format::F143, 0}, {0x80})[0]));
}

TEST(Quarter, ReadsEveryNumberItWrites) {
  for (const QuarterMetadata& metadata :
       {QuarterMetadata(Format::F143, -32), QuarterMetadata(Format::F143, 5),
        QuarterMetadata(Format::F152, 31), QuarterMetadata(Format::F152, 0)}) {
    EXPECT_EQ(encoded(metadata, decoded(metadata, allBits())), allBits()) << metadata;
    EXPECT_EQ(QuarterMetadata(metadata.getBinary()), metadata);
  }
}

TEST(Quarter, RoundsToTheNearestAndTiesToEven) {
  const QuarterMetadata metadata(Format::F143, 0);
  const auto rounded = [&](float value) {
    return decoded(metadata, encoded(metadata, {value}))[0];
  };
  EXPECT_EQ(rounded(1.0625f), 1.0f);
  EXPECT_EQ(rounded(1.0626f), 1.125f);
  EXPECT_EQ(rounded(1.1875f), 1.25f);
  EXPECT_EQ(rounded(1.97f), 2.0f) << "into the next power of two";
  EXPECT_EQ(rounded(-std::exp2(-11.0f)), 0.0f);
  EXPECT_EQ(rounded(1e6f), 240.0f);
  EXPECT_TRUE(std::isnan(rounded(std::numeric_limits<float>::infinity())));
  EXPECT_THROW(QuarterMetadata(Format::F143, 32), poplar_error);
}

struct Case {
  Device device = Device::createCPUDevice();
  Graph graph{device.getTarget()};
  Sequence prog;
  Case() { popops::addCodelets(graph); }
};

TEST(Quarter, CastsAsTheHostConverts) {
  const QuarterMetadata metadata(Format::F152, 2);
  const std::vector<float> values = {0, 1, -3.3f, 1e-9f, 1e9f, 0.7f};
  Case c;
  const Tensor in = c.graph.addVariable(FLOAT, {values.size()}, "in");
  poputil::mapTensorLinearly(c.graph, in);
  const Tensor made = createVariableMetadataTensor(c.graph, Format::F152, 2);
  const Tensor eight = popops::cast(c.graph, in, QUARTER, made, c.prog);
  const Tensor back = popops::cast(c.graph, eight, FLOAT, c.prog);
  const Tensor whole = popops::cast(c.graph, eight, INT, c.prog);
  c.graph.createHostWrite("in", in);
  c.graph.createHostRead("eight", eight);
  c.graph.createHostRead("back", back);
  c.graph.createHostRead("whole", whole);
  Engine engine(c.graph, c.prog);
  engine.load(c.device);
  engine.writeTensor("in", values.data(), values.data() + values.size());
  engine.run();
  std::vector<unsigned char> bits(values.size());
  QuarterMetadata read;
  engine.readTensor("eight", read, bits.data(), bits.data() + bits.size());
  EXPECT_EQ(read, metadata);
  EXPECT_EQ(bits, encoded(metadata, values));
  std::vector<float> floats(values.size());
  engine.readTensor("back", floats.data(), floats.data() + floats.size());
  EXPECT_EQ(floats, decoded(metadata, bits));
  std::vector<int> integers(values.size());
  engine.readTensor("whole", integers.data(), integers.data() + integers.size());
  EXPECT_EQ(integers[2], static_cast<int>(floats[2]));
}

TEST(Quarter, TakesItsMetadataFromTheHost) {
  const QuarterMetadata metadata(Format::F143, -4);
  Case c;
  const Tensor in = c.graph.addVariable(QUARTER, {256}, "in");
  c.graph.setTileMapping(in, 0);
  const Tensor out = popops::cast(c.graph, in, HALF, c.prog);
  const Tensor floats = popops::cast(c.graph, out, FLOAT, c.prog);
  c.graph.createHostWrite("in", in);
  c.graph.createHostRead("floats", floats);
  Engine engine(c.graph, c.prog);
  engine.load(c.device);
  const std::vector<unsigned char> bits = allBits();
  engine.writeTensor("in", metadata, bits.data(), bits.data() + bits.size());
  engine.run();
  std::vector<float> values(256);
  engine.readTensor("floats", values.data(), values.data() + values.size());
  const std::vector<float> expected = decoded(metadata, bits);
  for (std::size_t i = 0; i < 256; ++i)
    if (i != 0x80) {
      EXPECT_EQ(values[i], expected[i]) << i;
    }
  EXPECT_TRUE(std::isnan(values[0x80]));
}

TEST(Quarter, ScalesMayComeFromATensor) {
  Case c;
  const Tensor scale = c.graph.addConstant(INT, {}, -1);
  c.graph.setTileMapping(scale, 0);
  const Tensor in = c.graph.addConstant(FLOAT, {2}, ArrayRef<float>({0.5f, -0.25f}));
  c.graph.setTileMapping(in, 0);
  Tensor metadata = createVariableMetadataTensor(c.graph, Format::F143, scale, c.prog);
  const Tensor bytes =
      popops::cast(c.graph, in, QUARTER, metadata, c.prog).reinterpret(UNSIGNED_CHAR);
  // As bytes and back: a clone with the same metadata.
  Tensor again = c.graph.clone(QUARTER, metadata, bytes);
  c.prog.add(Copy(bytes, again.reinterpret(UNSIGNED_CHAR)));
  c.graph.createHostRead("again", popops::cast(c.graph, again, FLOAT, c.prog));
  Engine engine(c.graph, c.prog);
  engine.load(c.device);
  engine.run();
  std::vector<float> values(2);
  engine.readTensor("again", values.data(), values.data() + values.size());
  EXPECT_EQ(values, (std::vector<float>{0.5f, -0.25f}));
}

TEST(Quarter, IsMultipliedWithItsScales) {
  Case c;
  poplin::addCodelets(c.graph);
  const Tensor one = createVariableMetadataTensor(c.graph, Format::F143, 1);
  const Tensor two = createVariableMetadataTensor(c.graph, Format::F152, -2);
  const Tensor a = c.graph.addConstant(FLOAT, {1, 2}, ArrayRef<float>({6, -1}));
  const Tensor b = c.graph.addConstant(FLOAT, {2, 1}, ArrayRef<float>({0.5f, 0.25f}));
  c.graph.setTileMapping(a, 0);
  c.graph.setTileMapping(b, 0);
  const Tensor product =
      poplin::matMul(c.graph, popops::cast(c.graph, a, QUARTER, one, c.prog),
                     popops::cast(c.graph, b, QUARTER, two, c.prog), c.prog, FLOAT);
  c.graph.createHostRead("product", product);
  Engine engine(c.graph, c.prog);
  engine.load(c.device);
  engine.run();
  float value = 0;
  engine.readTensor("product", &value, &value + 1);
  EXPECT_EQ(value, 2.75f);
}

TEST(Quarter, MetadataBelongToTensorsOfThatTypeOnly) {
  Case c;
  const Tensor metadata = createConstantMetadataTensor(c.graph, Format::F143, 1);
  const Tensor a = c.graph.addVariable(QUARTER, metadata, {3}, "a");
  const Tensor b = c.graph.addVariable(QUARTER, &metadata, {3}, "b");
  EXPECT_TRUE(a.hasMetadata());
  EXPECT_EQ(a.getMetadata(), b.getMetadata());
  EXPECT_EQ(c.graph.clone(a).slice(1, 2).getMetadata(), metadata);
  const Tensor f = c.graph.addVariable(FLOAT, {3}, "f");
  EXPECT_FALSE(f.hasMetadata());
  EXPECT_THROW(f.getMetadata(), poplar_error);
}

constexpr const char* kQuarterCodelets = R"(
#include <poplar/QuarterFloat.hpp>
#include <poplar/Vertex.hpp>
#include <type_traits>
using namespace poplar;
template <class T> class Widen : public Vertex {
public:
  Input<Vector<T>> in;
  Vector<Input<Vector<T, VectorLayout::ONE_PTR, 8>>> rows;
  Output<Vector<T>> twice;
  Output<Vector<float>> out;
  bool compute() {
    const quarter_metadata from = unpackMetadata(in.getMetadata());
    const quarter_metadata to = unpackMetadata(twice.getMetadata());
    const quarter_metadata ofRows = unpackMetadata(rows.getMetadata());
    for (unsigned i = 0; i != in.size(); ++i) {
      float sum = toFloat(in[i], from);
      twice[i] = toQuarter(2 * sum, to);
      for (unsigned r = 0; r != rows.size(); ++r)
        sum += static_cast<float>(toHalf(rows[r][i], ofRows));
      out[i] = sum;
    }
    return true;
  }
};
template class Widen<quarter>;
)";

TEST(Quarter, VerticesReadAndWriteItWithItsMetadata) {
  harness::TestGraph g(4);
  std::stringstream codelets(kQuarterCodelets);
  g.graph.addCodelets(codelets);
  const auto quarters = [&](Format format, int scale, const std::vector<float>& values) {
    const auto metadata = createVariableMetadataTensor(g.graph, format, scale);
    const auto floats = g.input(FLOAT, {values.size()}, values);
    return popops::cast(g.graph, floats, QUARTER, metadata, g.prog);
  };
  const auto a = quarters(Format::F143, -2, {1, 2, -3});
  const auto b = quarters(Format::F152, 3, {8, 16, 64});
  const auto twice = g.graph.clone(a);
  const auto out = g.graph.addVariable(FLOAT, {3}, VariableMappingMethod::LINEAR);
  const ComputeSet cs = g.graph.addComputeSet();
  const VertexRef v = g.graph.addVertex(cs, "Widen<quarter>", {{"in", a}, {"twice", twice}});
  g.graph.connect(v["rows"], std::vector<Tensor>{b, b.reverse(0)});
  g.graph.connect(v["out"], out);
  g.graph.setTileMapping(v, 3);
  g.prog.add(Execute(cs));
  const auto sums = g.output(out);
  const auto doubled = g.output(popops::cast(g.graph, twice, FLOAT, g.prog));
  g.run();
  EXPECT_EQ(g.read<float>(sums), (std::vector<float>{73, 34, 69}));
  EXPECT_EQ(g.read<float>(doubled), (std::vector<float>{2, 4, -6}));
  const VertexRef odd = g.graph.addVertex(g.graph.addComputeSet(), "Widen<quarter>");
  EXPECT_THROW(g.graph.connect(odd["rows"], std::vector<Tensor>{a, b}), graph_connection_error);
}

TEST(Quarter, NeedsAVectorInVertices) {
  Graph graph(harness::makeDevice(1).getTarget());
  std::stringstream codelets(R"(
    #include <poplar/QuarterFloat.hpp>
    #include <poplar/Vertex.hpp>
    struct Alone : poplar::Vertex { poplar::Input<quarter> x; void compute() {} };)");
  EXPECT_THROW(graph.addCodelets(codelets), graph_object_creation_error);
}

} // namespace
