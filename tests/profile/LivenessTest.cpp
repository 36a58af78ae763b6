#include "profile/Liveness.hpp"

#include "TestGraph.hpp"

#include <gtest/gtest.h>

namespace ipumodel {
namespace {

class LivenessOf {
public:
  LivenessOf(const TestGraph& graph, std::vector<ProgramPtr> programs)
      : steps_(programs, graph.data.functions), liveness_(graph.data, programs, steps_) {}

  bool alwaysLive(VarId var) const {
    for (const Atom& atom : liveness_.atoms())
      if (atom.var == var && !atom.alwaysLive)
        return false;
    return true;
  }

  bool partAlwaysLive(VarId var) const {
    for (const Atom& atom : liveness_.atoms())
      if (atom.var == var && atom.alwaysLive)
        return true;
    return false;
  }

  // Whether some piece of the variable holds memory at that leaf.
  bool liveAt(std::size_t leaf, VarId var) const {
    for (const std::uint32_t atom : liveness_.liveDuring(leaf))
      if (liveness_.atoms()[atom].var == var)
        return true;
    return false;
  }

  std::size_t numLeaves() const { return liveness_.leaves().size(); }

private:
  StepTable steps_;
  Liveness liveness_;
};

struct Chain {
  TestGraph graph;
  VarId a = graph.variable("a", 16);
  VarId b = graph.variable("b", 16);
  VarId c = graph.variable("c", 16);
  VarId d = graph.variable("d", 16);
};

TEST(Liveness, WhatIsWrittenThenReadLivesInBetween) {
  Chain g;
  const LivenessOf l(g.graph, {sequence({copy(g.graph.all(g.a), g.graph.all(g.b)),
                                         copy(g.graph.all(g.b), g.graph.all(g.c)),
                                         copy(g.graph.all(g.c), g.graph.all(g.d))})});
  EXPECT_TRUE(l.alwaysLive(g.a)) << "read before any write";
  EXPECT_FALSE(l.alwaysLive(g.b));
  EXPECT_TRUE(l.liveAt(0, g.b));
  EXPECT_TRUE(l.liveAt(1, g.b));
  EXPECT_FALSE(l.liveAt(2, g.b));
  EXPECT_FALSE(l.liveAt(0, g.c));
}

TEST(Liveness, WhatTheHostReachesIsAlwaysLive) {
  Chain g;
  g.graph.data.hostAccess["b"] = {g.graph.all(g.b), true, false};
  const LivenessOf l(g.graph, {copy(g.graph.all(g.a), g.graph.all(g.b))});
  EXPECT_TRUE(l.alwaysLive(g.b));
}

TEST(Liveness, InitialValuesAndConstantsAreAlwaysLive) {
  Chain g;
  g.graph.data.variables[g.a.value].kind = VariableKind::Constant;
  g.graph.data.variables[g.b.value].initial.resize(64);
  const LivenessOf l(g.graph, {sequence({copy(g.graph.all(g.a), g.graph.all(g.b)),
                                         copy(g.graph.all(g.b), g.graph.all(g.c))})});
  EXPECT_TRUE(l.alwaysLive(g.a));
  EXPECT_TRUE(l.alwaysLive(g.b));
}

TEST(Liveness, AValueHandedFromProgramToProgramIsAlwaysLive) {
  Chain g;
  const LivenessOf l(g.graph, {copy(g.graph.all(g.a), g.graph.all(g.b)),
                               copy(g.graph.all(g.b), g.graph.all(g.c))});
  EXPECT_TRUE(l.alwaysLive(g.b));
  EXPECT_FALSE(l.alwaysLive(g.c));
}

TEST(Liveness, ALoopKeepsWhatTheNextRoundReads) {
  Chain g;
  // b is set before the loop and read at the top of each round, written at its end.
  const auto body =
      sequence({copy(g.graph.all(g.b), g.graph.all(g.c)), copy(g.graph.all(g.a), g.graph.all(g.d)),
                copy(g.graph.all(g.c), g.graph.all(g.b))});
  const LivenessOf l(g.graph, {sequence({copy(g.graph.all(g.a), g.graph.all(g.b)),
                                         program(node::Repeat{10, body})})});
  ASSERT_EQ(l.numLeaves(), 4u);
  EXPECT_FALSE(l.alwaysLive(g.b));
  EXPECT_TRUE(l.liveAt(0, g.b));
  EXPECT_TRUE(l.liveAt(1, g.b));
  EXPECT_FALSE(l.liveAt(2, g.b)) << "between its last read and the write for the next round";
  EXPECT_TRUE(l.liveAt(3, g.b));
  EXPECT_TRUE(l.liveAt(2, g.c));
}

TEST(Liveness, WhatOneBranchWritesMayStillBeTheOldValue) {
  Chain g;
  const View predicate = g.graph.part(g.d, 0, 1);
  const auto branch =
      program(node::If{predicate, copy(g.graph.all(g.a), g.graph.all(g.b)), nullptr});
  const LivenessOf one(g.graph, {sequence({branch, copy(g.graph.all(g.b), g.graph.all(g.c))})});
  EXPECT_TRUE(one.alwaysLive(g.b));
  const auto both = program(node::If{predicate, copy(g.graph.all(g.a), g.graph.all(g.b)),
                                     copy(g.graph.all(g.d), g.graph.all(g.b))});
  const LivenessOf two(g.graph, {sequence({both, copy(g.graph.all(g.b), g.graph.all(g.c))})});
  EXPECT_FALSE(two.alwaysLive(g.b));
}

TEST(Liveness, HalvesWrittenByTwoStepsCoverTheWhole) {
  Chain g;
  const LivenessOf l(g.graph, {sequence({copy(g.graph.part(g.a, 0, 8), g.graph.part(g.b, 0, 8)),
                                         copy(g.graph.part(g.a, 8, 16), g.graph.part(g.b, 8, 16)),
                                         copy(g.graph.all(g.b), g.graph.all(g.c))})});
  EXPECT_FALSE(l.alwaysLive(g.b));
}

TEST(Liveness, WriteUndefFreesFromTheOldValue) {
  Chain g;
  const auto partial = copy(g.graph.part(g.a, 0, 4), g.graph.part(g.b, 0, 4));
  const auto read = copy(g.graph.all(g.b), g.graph.all(g.c));
  const LivenessOf without(g.graph, {sequence({partial, read})});
  EXPECT_TRUE(without.partAlwaysLive(g.b)) << "the rest of it is read as it was";
  const LivenessOf with(g.graph,
                        {sequence({program(node::WriteUndef{g.graph.all(g.b)}), partial, read})});
  EXPECT_FALSE(with.partAlwaysLive(g.b));
}

TEST(Liveness, AFunctionLivesWithAllItsCallers) {
  Chain g;
  g.graph.data.functions.push_back(copy(g.graph.all(g.b), g.graph.all(g.c)));
  const auto call = program(node::CallFunction{FunctionId{0}});
  const LivenessOf l(g.graph, {sequence({copy(g.graph.all(g.a), g.graph.all(g.b)), call,
                                         copy(g.graph.all(g.c), g.graph.all(g.d)), call})});
  EXPECT_FALSE(l.alwaysLive(g.b));
  EXPECT_TRUE(l.liveAt(2, g.b)) << "the second call reads it again";
}

TEST(Liveness, WhatNoProgramTouchesTakesNothing) {
  Chain g;
  const StepTable steps({}, {});
  EXPECT_TRUE(Liveness(g.graph.data, {}, steps).atoms().empty());
}

} // namespace
} // namespace ipumodel
