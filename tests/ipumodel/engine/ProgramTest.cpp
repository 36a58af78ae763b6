// Control programs, one test per kind.
#include "Codelets.hpp"

#include <poplar/CSRFunctions.hpp>
#include <poplar/exceptions.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace poplar;
using namespace poplar::program;
using namespace enginetest;

namespace {

// A graph with a counter that `count` adds one to.
class ProgramTest : public ::testing::Test {
protected:
  ProgramTest() : device(makeDevice()), graph(device) {
    addCodelets(graph);
    x = variable(graph, FLOAT, {1}, "x");
    graph.setInitialValue(x, ArrayRef<float>(std::vector<float>{0}));
    graph.createHostRead("x", x);
    count = Execute(addOne(graph, x));
  }

  float valueAfter(const Program& program) {
    Engine engine(graph, program);
    engine.load(device);
    engine.run();
    return read<float>(engine, "x", 1)[0];
  }

  Tensor constant(Type type, double value) {
    Tensor t = graph.addConstant(type, {}, value);
    graph.setTileMapping(t, 0);
    return t;
  }

  Device device;
  Graph graph;
  Tensor x;
  Program count;
};

TEST_F(ProgramTest, SequenceRunsInOrderAndEmptyProgramsDoNothing) {
  Sequence inner;
  inner.add(count);
  inner.add(Program());
  inner.add(count);
  EXPECT_EQ(valueAfter(Sequence{inner, Sequence(), inner, count}), 5);
}

TEST_F(ProgramTest, RepeatsNest) {
  EXPECT_EQ(valueAfter(Repeat(7, Sequence{count, Repeat(3, count)})), 28);
}

TEST_F(ProgramTest, RepeatOfZeroDoesNothing) {
  EXPECT_EQ(valueAfter(Repeat(0, count)), 0);
}

TEST_F(ProgramTest, IfTakesOneBranchForEveryPredicateType) {
  Sequence prog;
  for (const Type& type : {BOOL, INT, UNSIGNED_INT, FLOAT}) {
    prog.add(If(constant(type, 1), count, Repeat(100, count)));
    prog.add(If(constant(type, 0), Repeat(1000, count), Repeat(10, count)));
  }
  EXPECT_EQ(valueAfter(prog), 4 * 11);
}

TEST_F(ProgramTest, RepeatWhileTrueTestsBeforeTheBody) {
  Tensor left = variable(graph, INT, {1}, "left");
  Tensor more = variable(graph, BOOL, {1}, "more");
  graph.setInitialValue(left, ArrayRef<int>(std::vector<int>{5}));
  ComputeSet cs = graph.addComputeSet("decrement");
  graph.setTileMapping(graph.addVertex(cs, "Decrement", {{"x", left[0]}, {"more", more[0]}}), 0);
  EXPECT_EQ(valueAfter(RepeatWhileTrue(Execute(cs), more[0], count)), 4);
}

TEST_F(ProgramTest, RepeatWhileFalseStopsWhenTrue) {
  Tensor left = variable(graph, INT, {1}, "left");
  Tensor more = variable(graph, BOOL, {1}, "more");
  graph.setInitialValue(left, ArrayRef<int>(std::vector<int>{-3}));
  ComputeSet cs = graph.addComputeSet("decrement");
  graph.setTileMapping(graph.addVertex(cs, "Decrement", {{"x", left[0]}, {"more", more[0]}}), 0);
  // more is false from the start; the body sets it after its third count.
  Tensor three = variable(graph, INT, {1}, "three");
  graph.setInitialValue(three, ArrayRef<int>(std::vector<int>{3}));
  Tensor notYet = variable(graph, BOOL, {1}, "notYet");
  ComputeSet steps = graph.addComputeSet("steps");
  graph.setTileMapping(graph.addVertex(steps, "Decrement", {{"x", three[0]}, {"more", notYet[0]}}),
                       0);
  Tensor yes = constant(BOOL, 1);
  Sequence body{count, Execute(steps), If(notYet[0], Sequence(), Copy(yes, more[0]))};
  EXPECT_EQ(valueAfter(RepeatWhileFalse(Sequence(), more[0], body)), 3);
}

TEST_F(ProgramTest, SwitchPicksTheCaseOrTheDefault) {
  const auto pick = [&](int value) {
    return Switch(constant(INT, value), {{-1, count}, {7, Repeat(10, count)}}, Repeat(100, count));
  };
  EXPECT_EQ(valueAfter(Sequence{pick(-1), pick(7), pick(7), pick(3), pick(8)}), 1 + 20 + 200);
}

TEST_F(ProgramTest, SwitchWithBoundsCheckingThrowsWithoutACase) {
  Switch prog = Switch::switchWithBoundsChecking(constant(INT, 9), {{1, count}});
  EXPECT_THROW(valueAfter(prog), application_runtime_error);
}

TEST_F(ProgramTest, FunctionsThatCallEachOtherTwiceAreLookedAtOnce) {
  Function function = graph.addFunction(Sequence{});
  for (unsigned depth = 0; depth < 200; ++depth) // 2^200 ways to reach the first
    function = graph.addFunction(Sequence{Call(function), Call(function)});
  EXPECT_NO_THROW(Engine(graph, Repeat(0, Call(function))));
}

TEST_F(ProgramTest, CallRunsAFunctionFromSeveralPlaces) {
  Function inner = graph.addFunction(Sequence{count, count});
  Function outer = graph.addFunction(Repeat(5, Call(inner)));
  EXPECT_EQ(valueAfter(Sequence{Call(inner), Repeat(2, Call(outer)), Call(inner)}), 24);
}

TEST_F(ProgramTest, BlocksSyncsAndHintsChangeNothing) {
  Tensor dead = variable(graph, FLOAT, {4}, "dead");
  EXPECT_EQ(valueAfter(Sequence{Block(count, {"block"}), Sync(SyncType::INTERNAL),
                                Sync(SyncType::EXTERNAL), WriteUndef(dead),
                                AssumeEqualAcrossReplicas(x), count}),
            2);
}

TEST_F(ProgramTest, AbortStopsWithItsMessage) {
  try {
    valueAfter(Sequence{count, Abort("went wrong here")});
    FAIL() << "no exception";
  } catch (const application_runtime_error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("went wrong here"));
  }
}

TEST_F(ProgramTest, AbortOnConditionAbortsOnlyWhenTrue) {
  EXPECT_EQ(valueAfter(Sequence{AbortOnCondition(constant(BOOL, 0), "no"), count}), 1);
  EXPECT_THROW(valueAfter(AbortOnCondition(constant(BOOL, 1), "yes")), application_runtime_error);
}

TEST_F(ProgramTest, EnginesRunAnyOfTheirPrograms) {
  Engine engine(graph, {count, Repeat(10, count), Program()});
  engine.load(device);
  engine.run(1);
  engine.run(0);
  engine.run(2);
  EXPECT_EQ(read<float>(engine, "x", 1)[0], 11);
  EXPECT_THROW(engine.run(3), poplar_error);
}

TEST_F(ProgramTest, FloatingPointFlagsChangeOneByOne) {
  Sequence prog;
  setFloatingPointBehaviour(graph, prog, {true, true, true, false, true});
  setStochasticRounding(graph, prog, true);
  const FloatingPointBehaviour none(false, false, false, false, false);
  FloatingPointBehaviour division = none, overflow = none;
  division.div0 = true;
  overflow.oflo = true;
  const Tensor first = getAndModifyFloatingPointBehaviour(graph, prog, division, none);
  const Tensor second = getAndModifyFloatingPointBehaviour(graph, prog, overflow, division);
  setFloatingPointBehaviour(graph, prog, first);
  const Tensor third = getAndModifyFloatingPointBehaviour(graph, prog, none, none);
  graph.createHostRead("first", first[0]);
  graph.createHostRead("second", second[0]);
  graph.createHostRead("third", third[0]);
  Engine engine(graph, prog);
  engine.load(device);
  engine.run();
  EXPECT_EQ(read<unsigned>(engine, "first", 5), (std::vector<unsigned>{1, 1, 1, 1, 1}));
  EXPECT_EQ(read<unsigned>(engine, "second", 5), (std::vector<unsigned>{1, 0, 1, 1, 1}));
  EXPECT_EQ(read<unsigned>(engine, "third", 5), (std::vector<unsigned>{1, 1, 1, 1, 1}));
}

TEST_F(ProgramTest, PrintTensorWritesBracketsAndSevenDecimals) {
  Tensor m = variable(graph, FLOAT, {2, 2}, "m");
  graph.setInitialValue(m, ArrayRef<float>(std::vector<float>{5, 4.5f, 3, 2}));
  Tensor n = variable(graph, INT, {3}, "n");
  graph.setInitialValue(n, ArrayRef<int>(std::vector<int>{1, -20, 3}));
  Engine engine(graph,
                Sequence{PrintTensor("m-data", m), PrintTensor("n", n), PrintTensor("x", x[0])});
  std::ostringstream text;
  engine.setPrintStream(text);
  engine.load(device);
  engine.run();
  EXPECT_EQ(text.str(), "m-data: [\n [5.0000000 4.5000000]\n [3.0000000 2.0000000]\n]\n"
                        "n: [  1 -20   3]\n"
                        "x: 0.0000000\n");
}

} // namespace
