// What a program sees of its own profile, through public headers only.
#include <poplar/CycleCount.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/VertexIntrospector.hpp>
#include <poplar/exceptions.hpp>
#include <pva/pva.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
using testing::HasSubstr;

namespace {

constexpr const char* kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;

// Costs what it finds.
class Ragged : public Vertex {
public:
  Input<Vector<unsigned>> work;
  Output<unsigned> done;
  bool compute() { *done = work[0]; return true; }
  unsigned estimateCycles() const { return 10 + work[0]; }
};

class Fixed : public Vertex {
public:
  Input<Vector<unsigned>> work;
  Output<unsigned> done;
  bool compute() { *done = work[0] + 1; return true; }
};

class Whole : public SupervisorVertex {
public:
  Input<Vector<unsigned>> work;
  Output<unsigned> done;
  bool compute() { *done = work[0]; return true; }
};
)";

class EngineReport : public testing::Test {
protected:
  static constexpr unsigned kTiles = 4;

  EngineReport() : device(makeDevice()), graph(device.getTarget()) {
    std::stringstream codelets(kCodelets);
    graph.addCodelets(codelets);
    work = graph.addVariable(UNSIGNED_INT, {kTiles}, "work");
    done = graph.addVariable(UNSIGNED_INT, {kTiles}, "done");
    for (unsigned tile = 0; tile < kTiles; ++tile) {
      graph.setTileMapping(work[tile], tile);
      graph.setTileMapping(done[tile], tile);
    }
    graph.createHostWrite("work", work);
    graph.createHostRead("done", done);
  }

  static Device makeDevice() {
    IPUModel model;
    model.tilesPerIPU = kTiles;
    return model.createDevice();
  }

  ComputeSet addSet(const std::string& type, std::uint64_t cycles = 0) {
    ComputeSet set = graph.addComputeSet(type + "Set");
    for (unsigned tile = 0; tile < kTiles; ++tile) {
      VertexRef v =
          graph.addVertex(set, type, {{"work", work.slice(tile, tile + 1)}, {"done", done[tile]}});
      graph.setTileMapping(v, tile);
      if (cycles > 0)
        graph.setPerfEstimate(v, cycles);
    }
    return set;
  }

  void run(Engine& engine, std::vector<unsigned> values) {
    engine.load(device);
    engine.writeTensor("work", values.data(), values.data() + values.size());
    engine.run(0, "first");
  }

  Device device;
  Graph graph;
  Tensor work, done;
};

TEST_F(EngineReport, CountsVerticesAndTiles) {
  Engine engine(graph, Execute(addSet("Fixed", 20)));
  const pva::Report report = engine.getReport(false);
  EXPECT_EQ(report.compilation().graph().numVertices(), kTiles);
  EXPECT_EQ(report.compilation().graph().numComputeSets(), 1u);
  EXPECT_EQ(report.compilation().target().numTiles(), kTiles);
  EXPECT_EQ(report.compilation().target().clockFrequency(), 1.33e9);
  for (const auto& tile : report.compilation().tiles()) {
    ASSERT_EQ(tile.memory().vertices().size(), 1u);
    EXPECT_EQ(tile.memory().vertices()[0].type().name(), "Fixed");
    EXPECT_GT(tile.memory().total().excludingGaps(), 0u);
    EXPECT_EQ(tile.memory().category().variable().total(), 8u) << "work and done, one element each";
  }
}

TEST_F(EngineReport, SaysWhatItIsOfAndWhatWasCounted) {
  Engine engine(graph, Execute(addSet("Fixed", 20)));
  run(engine, {0, 0, 0, 0});
  const pva::Report report = engine.getReport();
  std::ostringstream versions;
  versions << report.poplarVersion() << ' ' << report.version();
  EXPECT_EQ(versions.str(), report.poplarVersion().string() + " 1.0.0");
  EXPECT_EQ(report.poplarVersion().majorVer(), 3u);
  EXPECT_FALSE(report.version().isUnstableFormat());
  EXPECT_EQ(report.instrumentationSettings().compute(), pva::InstrumentationSettings::Tile);
  EXPECT_EQ(engine.getReport(false).instrumentationSettings().externalExchange(),
            pva::InstrumentationSettings::ExternalExchangeInstrumentationLevel::Off);
}

TEST_F(EngineReport, TakesTheEstimateOfAVertex) {
  Engine engine(graph, Repeat(10, Execute(addSet("Fixed", 20))));
  run(engine, {0, 0, 0, 0});
  const pva::Report report = engine.getReport();
  EXPECT_EQ(report.execution().totalCycles(), 10u * (6 * 20 + 18));
  EXPECT_EQ(report.execution().steps().size(), 10u);
  EXPECT_EQ(report.execution().steps()[0].computeSets().at(0).name(), "FixedSet");
  EXPECT_EQ(report.execution().steps()[0].computeSets().at(0).cyclesByTile(),
            std::vector<std::uint64_t>(kTiles, 120));
}

TEST_F(EngineReport, AsksVerticesThatKnowTheirCost) {
  Engine engine(graph, Execute(addSet("Ragged")));
  run(engine, {0, 5, 90, 10});
  const pva::Report report = engine.getReport();
  EXPECT_EQ(report.execution().totalCycles(), 6u * 100 + 18);
  EXPECT_EQ(report.execution().numUnknownVertexExecutions(), 0u);
  EXPECT_EQ(report.execution().steps()[0].cyclesByTile(),
            (std::vector<std::uint64_t>{60, 90, 600, 120}));
}

TEST_F(EngineReport, AnUnknownCostIsReportedAndNotFree) {
  Engine engine(graph, Execute(addSet("Fixed")));
  run(engine, {0, 0, 0, 0});
  EXPECT_EQ(engine.getReport().execution().numUnknownVertexExecutions(), kTiles);
  std::ostringstream summary;
  engine.printProfileSummary(summary);
  EXPECT_THAT(summary.str(), HasSubstr("Vertices of unknown cost:"));
}

TEST_F(EngineReport, TwoSupervisorVerticesCostWhatHardwareMeasured) {
  // Graphcore's lightweight profiling tutorial measured 7,236 cycles for two of about 3,600.
  const ComputeSet set = addSet("Whole", 3600);
  Engine engine(graph, Sequence({Execute(set), Execute(set)}));
  run(engine, {0, 0, 0, 0});
  EXPECT_NEAR(static_cast<double>(engine.getReport().execution().totalCycles()), 7236, 0.02 * 7236);
}

TEST_F(EngineReport, StepsOutliveReportAndEngine) {
  std::vector<pva::ExecutionStep> steps;
  {
    Engine engine(graph, Sequence({Execute(addSet("Fixed", 20)), Copy(work, done)}));
    run(engine, {1, 2, 3, 4});
    const pva::Report report = engine.getReport();
    steps.assign(report.execution().steps().begin(), report.execution().steps().end());
  }
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].program()->type(), pva::Program::Type::OnTileExecute);
  const std::shared_ptr<pva::Program> copy = steps[1].program();
  EXPECT_THAT(copy->name(), HasSubstr("OnTileCopy"));
}

TEST_F(EngineReport, VisitorsSeeExchanges) {
  struct Visitor : pva::ProgramVisitor {
    void visitDoExchange(const pva::DoExchangeProgram& exchange) override {
      bytes += exchange.totalData();
    }
    std::uint64_t bytes = 0;
  } visitor;
  Engine engine(graph, Copy(work.slice(0, 2), done.slice(2, 4)));
  for (const auto& program : engine.getReport().compilation().programs())
    program->accept(visitor);
  EXPECT_EQ(visitor.bytes, 8u);
}

TEST_F(EngineReport, RunsCarryTheirNames) {
  Engine engine(graph, Execute(addSet("Fixed", 20)));
  run(engine, {0, 0, 0, 0});
  engine.run(0, "second");
  const auto runs = engine.getReport().execution().runs();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].name(), "second");
  EXPECT_EQ(runs[1].steps().size(), 1u);
  EXPECT_NEAR(runs[1].microseconds().end() - runs[1].microseconds().start(), 138 / 1330.0, 1e-9);
}

TEST_F(EngineReport, CycleCountIsTheModelsClock) {
  Sequence body({Execute(addSet("Fixed", 20))});
  Tensor cycles = cycleCount(graph, body, 0, SyncType::INTERNAL);
  graph.createHostRead("cycles", cycles);
  Engine engine(graph, body);
  run(engine, {0, 0, 0, 0});
  unsigned words[2] = {};
  engine.readTensor("cycles", words, words + 2);
  EXPECT_EQ(words[0], 138u);
  EXPECT_EQ(words[1], 0u);
}

// Replicas run one after another until they need the outside, and the clock goes on with the first.
TEST(CycleCount, IsTheSameOfEveryReplica) {
  IPUModel model;
  model.tilesPerIPU = 1;
  model.numIPUs = 2;
  Device device = model.createDevice();
  Graph graph(device.getTarget(), replication_factor(2));
  Tensor from = graph.addVariable(FLOAT, {1000}, "from"), to = graph.clone(from);
  graph.setTileMapping(from, 0);
  graph.setTileMapping(to, 0);
  const DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, 1000);
  Sequence body({WriteUndef(from), Copy(from, to), Copy(to, out)});
  const Tensor cycles = cycleCount(graph, body, 0, SyncType::INTERNAL);
  Sequence whole;
  const Tensor begin = cycleStamp(graph, whole, 0, SyncType::INTERNAL);
  whole.add(body);
  const Tensor end = cycleStamp(graph, whole, 0, SyncType::INTERNAL);
  for (const auto& [name, tensor] : {std::pair("cycles", cycles), {"begin", begin}, {"end", end}})
    graph.createHostRead(name, tensor);
  Engine engine(graph, whole);
  std::vector<float> host(2000);
  engine.connectStream("out", host.data(), host.data() + host.size());
  engine.load(device);
  engine.run();
  const auto ofReplicas = [&](const char* name) {
    std::vector<std::uint64_t> values(2);
    engine.readTensor(name, values.data(), values.data() + 2);
    return values;
  };
  constexpr unsigned kSyncs = 2 * 126; // of the counter
  EXPECT_EQ(ofReplicas("cycles")[0] + kSyncs, ofReplicas("end")[0] - ofReplicas("begin")[0]);
  for (const char* name : {"cycles", "begin", "end"})
    EXPECT_EQ(ofReplicas(name)[1], ofReplicas(name)[0]) << name;
}

TEST_F(EngineReport, SummaryRefusesUnknownOptions) {
  Engine engine(graph, Execute(addSet("Fixed", 20)));
  std::ostringstream out;
  EXPECT_THROW(engine.printProfileSummary(out, {{"showEverything", "true"}}), invalid_option);
  EXPECT_THROW(engine.printProfileSummary(out, {{"showVarStorage", "maybe"}}), invalid_option);
}

TEST_F(EngineReport, AutoReportIsWrittenWhenTheEngineGoes) {
  const auto folder = std::filesystem::temp_directory_path() / "spillway_auto_report_test";
  std::filesystem::remove_all(folder);
  {
    Engine engine(graph, Execute(addSet("Fixed", 20)),
                  {{"autoReport.all", "true"}, {"autoReport.directory", folder.string()}});
    run(engine, {0, 0, 0, 0});
    EXPECT_FALSE(std::filesystem::exists(folder / "profile.json"));
  }
  const pva::Report report = pva::openReport((folder / "profile.json").string());
  EXPECT_EQ(report.execution().totalCycles(), 138u);
  EXPECT_TRUE(std::filesystem::exists(folder / "trace.json"));
  std::filesystem::remove_all(folder);
}

TEST_F(EngineReport, AutoReportOfTheGraphAloneHasNoExecution) {
  const auto folder = std::filesystem::temp_directory_path() / "spillway_graph_report_test";
  std::filesystem::remove_all(folder);
  {
    Engine engine(graph, Execute(addSet("Fixed", 20)),
                  {{"autoReport.outputGraphProfile", "true"},
                   {"autoReport.outputExecutionProfile", "false"},
                   {"autoReport.directory", folder.string()},
                   {"debug.instrument", "false"}});
    run(engine, {0, 0, 0, 0});
  }
  const pva::Report report = pva::openReport((folder / "profile.json").string());
  EXPECT_GT(report.compilation().tiles().size(), 0u);
  std::filesystem::remove_all(folder);
}

TEST_F(EngineReport, OldProfilesKeepTheirFieldNames) {
  Engine engine(graph, Execute(addSet("Fixed", 20)));
  run(engine, {0, 0, 0, 0});
  std::ostringstream json;
  serializeToJSON(json, engine.getGraphProfile());
  EXPECT_THAT(json.str(), HasSubstr("numComputeSets"));
  std::ostringstream cbor;
  serializeToCBOR(cbor, ProfileValue::Map{{"a", ProfileValue(1)}});
  EXPECT_EQ(cbor.str(), "\xa1\x61\x61\x01") << "a map of one pair, text of one byte, 1";
  EXPECT_EQ(engine.getExecutionProfile()["simulation"]["cycles"].asUint(), 138u);
  const auto both = engine.getProfile();
  EXPECT_EQ(both["graphProfile"], engine.getGraphProfile());
  EXPECT_EQ(both["executionProfile"], engine.getExecutionProfile());
}

TEST_F(EngineReport, ProfilesThatWereKeptPrintWithoutTheEngine) {
  const auto folder = std::filesystem::temp_directory_path() / "spillway_kept_report_test";
  std::ostringstream live, file, graphOnly, trees, graphTree;
  {
    Engine engine(graph, Execute(addSet("Fixed", 20)),
                  {{"autoReport.all", "true"}, {"autoReport.directory", folder.string()}});
    run(engine, {1, 2, 3, 4});
    engine.printProfileSummary(live);
    const ProfileValue graphProfile = engine.getGraphProfile();
    printProfileSummary(trees, graphProfile, engine.getExecutionProfile(),
                        {{"showExecutionSteps", "true"}});
    printGraphSummary(graphTree, graphProfile, {{"showVarStorage", "true"}});
  }
  const std::string profile = (folder / "profile.pop").string();
  printProfileSummary(file, profile);
  EXPECT_EQ(file.str(), live.str());
  printGraphSummary(graphOnly, profile, {{"showVarStorage", "true"}});
  EXPECT_THAT(graphOnly.str(), testing::Not(HasSubstr("Execution:")));
  EXPECT_THAT(trees.str(), HasSubstr("Number of vertices: 4"));
  EXPECT_THAT(trees.str(), HasSubstr("FixedSet"));
  EXPECT_EQ(trees.str().substr(0, graphTree.str().size()), graphTree.str());
  EXPECT_THROW(printGraphSummary(trees, profile, {{"showEverything", "true"}}), invalid_option);
  std::filesystem::remove_all(folder);
}

TEST_F(EngineReport, TooMuchForATileIsRecordedOnTheModel) {
  Tensor big = graph.addVariable(FLOAT, {1u << 18}, "big");
  graph.setTileMapping(big, 1);
  graph.createHostWrite("big", big);
  Engine engine(graph, WriteUndef(big));
  const pva::Report report = engine.getReport();
  EXPECT_TRUE(report.compilation().tiles()[1].memory().overflowed());
  EXPECT_FALSE(report.compilation().tiles()[0].memory().overflowed());
}

TEST(EngineReportOnIpu, TooMuchForATileIsAnErrorThatNamesIt) {
  Graph graph(Target::createIPUTarget(1, 4, "ipu2"));
  Tensor big = graph.addVariable(FLOAT, {1u << 18}, "big");
  graph.setTileMapping(big, 1);
  graph.createHostWrite("big", big);
  try {
    Engine engine(graph, WriteUndef(big));
    FAIL() << "nothing was thrown";
  } catch (const graph_memory_allocation_error& e) {
    EXPECT_THAT(e.what(), HasSubstr("tile 1"));
    EXPECT_THAT(e.what(), HasSubstr("big"));
    EXPECT_EQ(e.graphProfile["memory"]["byTile"]["total"].size(), 4u);
    std::ostringstream text;
    printGraphSummary(text, e.graphProfile);
    EXPECT_THAT(text.str(), HasSubstr("Number of vertices: 0"));
  }
}

TEST_F(EngineReport, DeserialisedExecutablesKeepTheSameAccount) {
  graph.registerPerfEstimator("Whole", [](const VertexIntrospector& v, const Target&) {
    return VertexPerfEstimate(100 * v.getFieldInfo("work").size());
  });
  const Function twice =
      graph.addFunction(Sequence{Execute(addSet("Ragged")), Execute(addSet("Fixed", 20))});
  const Tensor flag = graph.addVariable(UNSIGNED_INT, {}, "flag");
  graph.setTileMapping(flag, 1);
  graph.setInitialValue(flag, 1u);
  Switch choice(flag, Sequence{});
  choice.add(1, Repeat(3, Call(twice)));
  const Sequence prog{choice, If(flag, Copy(work[0], done[3]), Sequence{}),
                      Execute(addSet("Whole")), Sync(SyncType::INTERNAL)};

  const Executable executable = compileGraph(graph, {prog, Sequence{}});
  std::stringstream file;
  executable.serialize(file);
  const auto summary = [&](Engine& engine) {
    engine.load(device);
    const unsigned cycles[kTiles] = {5, 1, 2, 3};
    engine.writeTensor("work", cycles, cycles + kTiles);
    engine.run(0);
    engine.run(1);
    std::ostringstream text;
    engine.printProfileSummary(text, {{"showExecutionSteps", "true"}, {"showVarStorage", "true"}});
    return text.str();
  };
  Engine direct(executable), loaded(Executable::deserialize(file));
  const std::string expected = summary(direct);
  EXPECT_THAT(expected, HasSubstr("RaggedSet"));
  EXPECT_EQ(summary(loaded), expected);
}

} // namespace
