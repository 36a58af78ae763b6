#include "TestGraph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace poplar;
using namespace poplar::program;
using testing::HasSubstr;
using testing::Not;

namespace {

class ProgramTest : public testing::Test {
protected:
  Graph graph{testTarget()};
  Tensor a = graph.addVariable(FLOAT, {4}, "a");
  Tensor b = graph.addVariable(FLOAT, {4}, "b");
  Tensor flag = graph.addVariable(BOOL, {}, "flag");
  Tensor number = graph.addVariable(INT, {}, "number");
};

} // namespace

TEST_F(ProgramTest, SequencesAreMadeInEveryForm) {
  EXPECT_TRUE(Program().isEmpty());
  EXPECT_TRUE(Sequence().isEmpty());
  EXPECT_FALSE(Sequence({Copy(a, b)}).isEmpty());
  EXPECT_FALSE((Sequence{Copy(a, b), Copy(b, a)}.isEmpty()));
  EXPECT_FALSE(Sequence(Copy(a, b), Copy(b, a), Sync(SyncType::INTERNAL)).isEmpty());
  EXPECT_TRUE(Sequence({}, {"name"}).isEmpty());
  Sequence assigned = {};
  assigned = Sequence({Copy(a, b)}, "named");
  const std::vector<Program> empty(3);
  EXPECT_TRUE(empty[2].isEmpty());
}

TEST_F(ProgramTest, AddingToASequenceLeavesItsCopiesAlone) {
  Sequence s;
  const Sequence before = s;
  const Repeat holder(3, s);
  s.add(Copy(a, b));
  EXPECT_TRUE(before.isEmpty());
  EXPECT_FALSE(s.isEmpty());
  EXPECT_NE(before, s);
  Sequence copy = s;
  EXPECT_EQ(copy, s);
  copy.add(copy);
  EXPECT_NE(copy, s);
}

// Public programs copy {B,T,U,1} to {B,T,U}, and {1} to a scalar.
TEST_F(ProgramTest, CopiesNeedNotHaveEqualShapes) {
  EXPECT_NO_THROW(Copy(a.expand({1}), b));
  EXPECT_NO_THROW(Copy(a.reshape({2, 2}), b));
  EXPECT_NO_THROW(Copy(a.slice(0, 1), b[3]));
}

TEST_F(ProgramTest, CopiesNeedEqualTypesAndSizes) {
  EXPECT_THROW(Copy(a, b.slice(0, 2)), control_program_error);
  EXPECT_THROW(Copy(a, graph.addVariable(HALF, {4})), type_error);
  const DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 4);
  const DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, 4);
  Copy(in, a);
  Copy(a, out);
  EXPECT_THROW(Copy(in, a.slice(0, 2)), control_program_error);
  EXPECT_THROW(Copy(out, a), control_program_error);
  EXPECT_THROW(Copy(a, in), control_program_error);
}

TEST_F(ProgramTest, RemoteRowsAreNamedByAnOffset) {
  const RemoteBuffer one = graph.addRemoteBuffer("one", FLOAT, 4);
  const RemoteBuffer many = graph.addRemoteBuffer("many", FLOAT, 2, 10);
  Copy(one, a);
  Copy(a, one);
  EXPECT_THAT(messageOf<control_program_error>([&] { Copy(many, a); }), HasSubstr("offset"));
  Copy(many, a.slice(0, 2), number);
  Copy(a, many, graph.addVariable(UNSIGNED_INT, {2}));
  EXPECT_THROW(Copy(a, many, number), control_program_error);
  EXPECT_THROW(Copy(many, a.slice(0, 2), flag), type_error);
}

TEST_F(ProgramTest, PredicatesAreScalars) {
  If(flag, Copy(a, b), Sequence());
  If(number, Copy(a, b), Sequence());
  EXPECT_THROW(If(a, Copy(a, b), Sequence()), control_program_error);
  EXPECT_THROW(RepeatWhileTrue(Sequence(), a, Sequence()), control_program_error);
  EXPECT_THROW(RepeatWhileFalse(Sequence(), a, Sequence()), control_program_error);
  EXPECT_THROW(AbortOnCondition(a, "no"), control_program_error);
}

TEST_F(ProgramTest, SwitchCasesAreUnique) {
  Switch s(number, {{1, Copy(a, b)}, {2, Copy(b, a)}}, Sequence());
  s.add(3, Copy(a, b)).add(4, Copy(b, a));
  EXPECT_THROW(s.add(3, Copy(a, b)), control_program_error);
  EXPECT_THROW(Switch(number, {{1, Copy(a, b)}, {1, Copy(b, a)}}), control_program_error);
  EXPECT_FALSE(Switch(number, {{0, Copy(a, b)}}).isEmpty());
  EXPECT_THROW(Switch(flag, {{1, Copy(a, b)}}), control_program_error);
  Switch::switchWithBoundsChecking(number, {{0, Copy(a, b)}});
}

TEST_F(ProgramTest, EveryOtherProgramCanBeMade) {
  Function f = graph.addFunction(Copy(a, b));
  HostFunction h = graph.addHostFunction("h", {{FLOAT, 4}}, {{FLOAT, 4}});
  Sequence all{Repeat(3, Copy(a, b)),
               RepeatWhileTrue(Sequence(), flag, Copy(a, b)),
               RepeatWhileFalse(Sequence(), flag, Copy(a, b), {"loop"}),
               Call(f),
               Call(h, {a}, {b}),
               Block(Copy(a, b), {"block"}),
               Sync(SyncType::EXTERNAL),
               WriteUndef(a),
               AssumeEqualAcrossReplicas(a),
               CrossReplicaCopy(a, b, {{0, 0}}),
               PrintTensor(a),
               PrintTensor("title", a),
               PrintTensor("title", a, PrintTensorFmt(10, 2)),
               PrintTensor(a, PrintTensorFmt::disableFormatting()),
               Abort(),
               Abort("message"),
               AbortOnCondition(flag),
               AbortOnCondition(flag, "message"),
               ErrorProgram("message", a)};
  EXPECT_FALSE(all.isEmpty());

  std::ostringstream text;
  dumpProgram(graph, all, text);
  for (const char* kind : {"Sequence", "Copy", "Repeat", "RepeatWhileTrue", "RepeatWhileFalse",
                           "Call", "Block", "Sync", "WriteUndef", "AssumeEqualAcrossReplicas",
                           "CrossReplicaCopy", "PrintTensor", "Abort", "AbortOnCondition"})
    EXPECT_THAT(text.str(), HasSubstr("\"type\": \"" + std::string(kind) + '"'));
  EXPECT_THAT(text.str(), HasSubstr("\"handle\": \"h\""));
}

TEST_F(ProgramTest, DumpsNameWhatIsThereAndNothingElse) {
  std::ostringstream empty, copies, executes;
  dumpProgram(graph, Sequence({}, DebugContext("nothing")), empty);
  EXPECT_THAT(empty.str(), HasSubstr("nothing"));
  EXPECT_THAT(empty.str(), Not(HasSubstr("Copy")));
  dumpProgram(graph, Sequence{If(flag, Copy(a, b), Sequence())}, copies);
  EXPECT_THAT(copies.str(), HasSubstr("Copy"));
  EXPECT_THAT(copies.str(), Not(HasSubstr("Execute")));
  dumpProgram(graph, Execute(graph.addComputeSet("sums")), executes);
  EXPECT_THAT(executes.str(), HasSubstr("sums"));
}
