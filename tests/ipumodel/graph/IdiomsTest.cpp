// Ways of calling that public Poplar programs use: braces, literals, mixed integer types, old
// names.
#include "TestGraph.hpp"

#include <poplar/CycleCount.hpp>
#include <poplar/Engine.hpp>

#include <gtest/gtest.h>

#include <popsys/CSRFunctions.hpp>
#include <popsys/CycleCount.hpp>
#include <popsys/CycleStamp.hpp>

using namespace poplar;
using namespace poplar::program;

namespace {

class Idioms : public testing::Test {
protected:
  Graph graph = testGraph();
  Tensor t = graph.addVariable(FLOAT, {4, 4}, "t");
  unsigned n = 2;
};

Tensor addVector(Graph& graph, std::size_t size, const DebugContext& debugContext = {}) {
  DebugInfo di(debugContext, "idioms");
  return graph.addVariable(FLOAT, {size}, {di, "vector"});
}

} // namespace

TEST_F(Idioms, SlicesTakeBracesOfAnyKind) {
  const std::size_t i = 1;
  EXPECT_EQ(t.slice({0, 2}, 0), t.slice(0, 2));
  EXPECT_EQ(t.slice({i, i + 1}, 1), t.slice(1, 2, 1));
  EXPECT_EQ(t.slice({0, 0}, {n, n}).numElements(), 4u);
  EXPECT_EQ(t.slice({n - 1, 0}, {n, 4}).shape(), (std::vector<std::size_t>{1, 4}));
  EXPECT_EQ(concat(t, t, {1}).dim(1), 8u);
  EXPECT_EQ(concat({concat({t, t}), concat({t, t})}, 1).numElements(), 64u);
  EXPECT_EQ(t[n][n].reshape({1, 1}).rank(), 2u);
}

TEST_F(Idioms, ListsOfInvalidTensorsCanBeSized) {
  auto blocks = std::vector<Tensor>{n};
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_FALSE(blocks[1].valid());
  std::map<std::string, Tensor> named;
  named["t"] = t;
  EXPECT_TRUE(named["t"].valid());
}

TEST_F(Idioms, DebugContextsComeFromBraces) {
  EXPECT_NE(addVector(graph, 3).getDebugStr().find("'vector'"), std::string::npos);
  EXPECT_NE(addVector(graph, 3, "layer").getDebugStr().find("'layer/vector'"), std::string::npos);
  const std::string name = "text";
  EXPECT_NE(addVector(graph, 3, name).getDebugStr().find("'text/vector'"), std::string::npos);
  const DebugContext outer("outer");
  EXPECT_NE(addVector(graph, 3, {outer, "x"}).getDebugStr().find("'outer/x/vector'"),
            std::string::npos);
  const DebugNameAndId dnai("dnai");
  EXPECT_NE(addVector(graph, 3, {dnai}).getDebugStr().find("'dnai/vector'"), std::string::npos);
  EXPECT_NE(addVector(graph, 3, {dnai, "y" + std::to_string(1)}).getDebugStr().find("'dnai/y1/"),
            std::string::npos);
}

TEST_F(Idioms, ProgramsTakeDebugInfoInBraces) {
  DebugInfo di("op", "idioms");
  const ComputeSet cs = graph.addComputeSet({di, "cs"});
  const Tensor flag = graph.addVariable(BOOL, {}, {di});
  const Tensor number = graph.addVariable(INT, {}, {di});
  Sequence prog({}, {di});
  prog.add(Execute(cs, {di}));
  prog.add(Execute(cs, flag, {di, "exit"}));
  prog.add(Copy(t, t.transpose(), false, {di}));
  prog.add(Repeat(n, Sequence({Execute(cs), Execute(cs)}, {di}), {di, "repeat"}));
  prog.add(Repeat{10, Sequence(Execute(cs), Execute(cs))});
  prog.add(RepeatWhileTrue(Sequence{}, flag, Execute(cs), {di}));
  prog.add(If(flag, Execute(cs), Sequence(), {di}));
  prog.add(Switch(number, {{0, Execute(cs)}, {1, Sequence()}}, {di}));
  prog.add(WriteUndef(t, {di}));
  prog.add(PrintTensor("t", t, {di}));
  prog.add(PrintTensor(t, {di}));
  std::vector<Program> progs = {Execute(cs), prog, Repeat{n, prog}};
  const Program& asProgram = prog;
  Sequence again;
  again.add(asProgram);
  const Tensor cycles = cycleCount(graph, again, 0, SyncType::INTERNAL, {di, "cycles"});
  EXPECT_EQ(cycles.numElements(), 2u);
  EXPECT_EQ(cycles.elementType(), UNSIGNED_INT);
  EXPECT_FALSE(again.isEmpty());
}

TEST_F(Idioms, VerticesTakeMixedConnectionLists) {
  const ComputeSet cs = graph.addComputeSet("cs");
  const std::vector<Tensor> rows = {t[0], t[1]};
  VertexRef v = graph.addVertex(cs, "ListSum", {{"in", rows}, {"sum", t[3][0]}});
  graph.setInitialValue(v["weights"], ArrayRef<unsigned>{1, 2});
  v = graph.addVertex(cs, "Scale",
                      {{"in", t[2]}, {"out", graph.addVariable(FLOAT, {4})}, {"factor", n}});
  graph.setCycleEstimate(v, 1);
  graph.setInitialValue(v["factor"], 2);
  graph.setInitialValue<float>(v["factor"], 0);
  v = graph.addVertex(cs, "ScalarSum");
  graph.connect(v["a"], 1.0f);
  graph.connect(v["b"], 0);
  graph.connect(v["sum"], t[3][1]);
  EXPECT_EQ(graph.getNumVertices(), 3u);
}

TEST_F(Idioms, ValuesComeFromWhateverIsAtHand) {
  const float table[] = {1, 2, 3};
  const std::vector<float> vector(table, table + 3);
  EXPECT_EQ(graph.addConstant<float>(FLOAT, {3}, table).numElements(), 3u);
  EXPECT_EQ(graph.addConstant<float>(FLOAT, {3}, vector, "c").numElements(), 3u);
  EXPECT_EQ(graph.addConstant(FLOAT, {3}, vector.data(), "c").numElements(), 3u);
  EXPECT_EQ(graph.addConstant(FLOAT, {1, n}, 0.f, "0").numElements(), 2u);
  EXPECT_EQ(graph.addConstant<unsigned>(UNSIGNED_INT, {}, 0).numElements(), 1u);
  EXPECT_EQ(graph.addConstant(BOOL, {}, true).elementType(), BOOL);
  graph.setInitialValue(t[0].slice(0, 3), ArrayRef<float>{1, 0.5, 3});
  graph.setInitialValue(t, 0);
  graph.setInitialValue(graph.addVariable(BOOL, {2}), ArrayRef<bool>{true, false});
}

TEST_F(Idioms, OptionsAndCodeletListsTakeBraces) {
  const OptionFlags one = {{"debug.instrument", "true"}};
  OptionFlags two{{"a", "1"}, {"b", "2"}};
  two.set("c", "3");
  two.set({{"d", "4"}});
  EXPECT_EQ(one.size(), 1u);
  EXPECT_EQ(two.at("d"), "4");
  std::string joined;
  for (const auto& option : two)
    joined += option.first + option.second;
  EXPECT_EQ(joined, "a1b2c3d4");
  EXPECT_THROW(graph.addCodelets({"no/such/file.cpp", "nor/this.cpp"}, "-O3"), poplar_error);
  EXPECT_THROW(graph.addCodelets("no/such/file.gp"), poplar_error);
}

TEST_F(Idioms, MappingsAreVectorsOfIntervals) {
  graph.setTileMapping(t, 0);
  const auto mapping = graph.getTileMapping(t);
  const Tensor other = graph.addVariable(FLOAT, {4, 4});
  graph.setTileMapping(other, mapping);
  std::vector<Interval> regions = mapping[0];
  regions.back() = {regions.back().begin(), regions.back().end() - 1};
  EXPECT_EQ(regions.back().size(), 15u);
  Tensor flat = other.flatten();
  graph.reorderToSimplify(&flat, {});
  EXPECT_EQ(flat.numElements(), 16u);
}

TEST_F(Idioms, GraphsAreWrittenAsTextAndAsBytes) {
  graph.setTileMapping(t, 1);
  const auto v = graph.addVertex(graph.addComputeSet("scaling"), "Scale",
                                 {{"in", t[0]}, {"out", t[1]}, {"factor", 2.0f}});
  graph.setTileMapping(v, 1);
  std::ostringstream text, bytes;
  graph.serialize(text, SerializationFormat::JSON);
  graph.serialize(bytes, SerializationFormat::Binary);
  EXPECT_NE(text.str().find("\"scaling\""), std::string::npos);
  EXPECT_NE(text.str().find("\"Scale\""), std::string::npos);
  EXPECT_NE(bytes.str().find("scaling"), std::string::npos);
  EXPECT_LT(bytes.str().size(), text.str().size());
  std::ostringstream named;
  const Program programs[] = {Sequence({}, "forwards"), Program()};
  graph.serialize(named, programs, SerializationFormat::JSON);
  EXPECT_NE(named.str().find("\"forwards\""), std::string::npos);
}

TEST_F(Idioms, CodeOfFunctionsMayBeAskedFor) {
  const auto function = graph.addFunction(Sequence());
  const auto other = graph.addFunction(Sequence());
  const auto buffer = graph.addFunctionBuffer(function, FunctionBufferMappingType::REMOTE);
  EXPECT_TRUE(Copy(buffer, function).isEmpty());
  EXPECT_THROW(Copy(buffer, other, "code"), control_program_error);
  EXPECT_THROW(graph.addFunctionBuffer(Function(17), FunctionBufferMappingType::REMOTE),
               poplar_error);
}

TEST_F(Idioms, TensorsAreWrittenAndReadAsLayouts) {
  graph.setTileMapping(t.slice(0, 2), 1);
  graph.setTileMapping(t.slice(2, 4), 0);
  const Tensor constant = graph.addConstant<float>(FLOAT, {2}, {1.5f, -2.0f}, "constant");
  graph.setTileMapping(constant, 1);
  const Tensor mixed =
      concat(t.transpose().slice(1, 3).reverse(1).flatten(), constant.broadcast(3, 0));
  std::stringstream bytes;
  graph.serializeTensors(bytes, {mixed, t[3], t[0].slice(0, 0)}, SerializationFormat::Binary);

  Graph other = testGraph();
  other.addVariable(INT, {3}, "before");
  const std::vector<Tensor> read = other.deserializeTensors(bytes, SerializationFormat::Binary);
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].shape(), mixed.shape());
  EXPECT_EQ(read[0].elementType(), FLOAT);
  EXPECT_EQ(other.getTileMapping(read[0]), graph.getTileMapping(mixed));
  EXPECT_EQ(read[1].shape(), t[3].shape());
  EXPECT_EQ(read[2].numElements(), 0u);
  // The variable that two of them share is one: the tail of row 3 is the head of each part.
  EXPECT_EQ(read[0][0], read[1][1]);
  const auto& regions = read[0].getContiguousRegions();
  EXPECT_EQ(regions, mixed.getContiguousRegions());
  float value = 0;
  ASSERT_TRUE(read[0][13].getConstantValue(&value));
  EXPECT_EQ(value, -2.0f);
}

TEST_F(Idioms, TensorsThatCannotBeReadAreRefused) {
  std::stringstream text, bytes;
  graph.setTileMapping(t, 1);
  graph.serializeTensors(text, {t}, SerializationFormat::JSON);
  EXPECT_NE(text.str().find("\"t\""), std::string::npos);
  EXPECT_THROW(graph.deserializeTensors(text, SerializationFormat::JSON), poplar_error);
  EXPECT_THROW(graph.deserializeTensors(text, SerializationFormat::Binary), poplar_error);
  graph.serializeTensors(bytes, {t}, SerializationFormat::Binary);
  std::stringstream half(bytes.str().substr(0, bytes.str().size() / 2));
  EXPECT_THROW(graph.deserializeTensors(half, SerializationFormat::Binary), poplar_error);
  Graph small(Target::createIPUTarget(1, 1, "ipu2"));
  EXPECT_THROW(small.deserializeTensors(bytes, SerializationFormat::Binary), invalid_tile_mapping);
  Graph other = testGraph();
  EXPECT_THROW(other.serializeTensors(bytes, {t}, SerializationFormat::Binary), poplar_error);
}

TEST_F(Idioms, RemoteBuffersStandForTheirHandles) {
  const auto buffer = graph.addRemoteBuffer("rows", FLOAT, 16);
  const StringRef handle = buffer;
  EXPECT_EQ(handle, "rows");
}

TEST_F(Idioms, IntervalsHaveBoundsAndVectorsBecomeReferences) {
  const Interval interval(1, 3);
  EXPECT_EQ(interval.lower(), 1u);
  EXPECT_EQ(interval.upper(), 3u);
  const std::vector<float> values(16, 2);
  graph.setInitialValue(t, ArrayRef{values});
  EXPECT_EQ(ArrayRef(values).size(), 16u);
}

TEST_F(Idioms, OptionsAreWrittenAsTheyAreRead) {
  const OptionFlags flags{{"autoReport.directory", "a \"b\""}, {"debug.instrument", "true"}};
  std::stringstream text;
  text << flags;
  OptionFlags read;
  readJSON(text, read);
  EXPECT_EQ(read, flags);
}

TEST_F(Idioms, ArrayRefHasItsLaterNameToo) {
  const std::vector<float> values(3, 1);
  const gccs::ArrayRef<float> reference(values.data(), values.size());
  EXPECT_EQ(ArrayRef<float>(reference).size(), 3u);
}

TEST_F(Idioms, ProgramsForTheFirstVersionsFindPopsys) {
  Sequence prog;
  popsys::setFloatingPointBehaviour(graph, prog, {true, true, true, false, true}, "floats");
  EXPECT_EQ(popsys::cycleStamp(graph, prog, 0, "stamp").numElements(), 2u);
  EXPECT_EQ(popsys::cycleCount(graph, prog, 0, "count").numElements(), 2u);
}
