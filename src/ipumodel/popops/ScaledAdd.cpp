#include "popops/ElementWiseVertices.hpp"
#include "popops/OpInfo.hpp"

#include <popops/Cast.hpp>
#include <popops/ScaledAdd.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

namespace popops {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;
using Special = ScaledAddSpecialisation;

void checkOptions(const OptionFlags& options) {
  bool optimizeForSpeed = false;
  double tolerance = 1e-6;
  const poplibs::OptionSpec spec{
      {"optimizeForSpeed", poplibs::OptionHandler::createWithBool(optimizeForSpeed)},
      {"scaleFloatToHalfTolerance", poplibs::OptionHandler::createWithDouble(tolerance)}};
  for (const auto& flag : options)
    spec.parse(flag.first, flag.second);
}

void checkOperands(const Tensor& A, const Tensor& B) {
  if (A.shape() != B.shape())
    throw poputil::poplibs_error("scaledAdd: A of shape " + A.shapeToString() + " and B of shape " +
                                 B.shapeToString() + " differ");
}

// B in a type that vertices combine with A's.
Tensor matchType(Graph& graph, const Tensor& A, const Tensor& B, Sequence& prog,
                 const DebugContext& debugContext) {
  if (A.elementType() == B.elementType() || (isReal(A.elementType()) && isReal(B.elementType())))
    return B;
  return cast(graph, B, A.elementType(), prog, debugContext);
}

void addConst(Graph& graph, const Tensor& A, double scaleA, Tensor B, double scaleB, Sequence& prog,
              const DebugContext& debugContext, const OptionFlags& options) {
  checkOptions(options);
  checkOperands(A, B);
  poputil::PoplibsOpDebugInfo di(debugContext);
  B = matchType(graph, A, B, prog, {di});
  const bool real = isReal(A.elementType());
  const auto scaleType = real ? poplar::FLOAT : A.elementType();
  const auto name = [&](const char* base) {
    return poputil::templateVertex(base, A.elementType(), B.elementType(), scaleType);
  };
  const auto cs = graph.addComputeSet({di, "ScaledAdd"});
  addElementWiseVertices(graph, cs, A, "a", {makeOperand("b", B, A.shape())},
                         {name("popops::ScaledAddConst1D"), name("popops::ScaledAddConst2D")},
                         PatternFields::Absent, [&](poplar::VertexRef v) {
                           if (real) {
                             graph.setInitialValue(v["scaleA"], static_cast<float>(scaleA));
                             graph.setInitialValue(v["scaleB"], static_cast<float>(scaleB));
                           } else {
                             graph.setInitialValue(v["scaleA"], static_cast<long long>(scaleA));
                             graph.setInitialValue(v["scaleB"], static_cast<long long>(scaleB));
                           }
                         });
  prog.add(poplar::program::Execute(cs, {di}));
}

void addTensor(Graph& graph, const Tensor& A, Tensor scaleA, Tensor B, Tensor scaleB, int signOfB,
               Special special, Sequence& prog, const DebugContext& debugContext,
               const OptionFlags& options) {
  checkOptions(options);
  checkOperands(A, B);
  poputil::PoplibsOpDebugInfo di(debugContext);
  B = matchType(graph, A, B, prog, {di});
  const bool real = isReal(A.elementType());
  const auto toScale = [&](Tensor t) {
    if (t.numElements() != 1)
      throw poputil::poplibs_error("scaledAdd: a scale has " + std::to_string(t.numElements()) +
                                   " elements; it must have one");
    const bool fits = real ? isReal(t.elementType()) : t.elementType() == A.elementType();
    return (fits ? t : cast(graph, t, real ? poplar::FLOAT : A.elementType(), prog, {di}))
        .flatten();
  };
  scaleB = toScale(scaleB);
  if (scaleA.valid()) {
    scaleA = toScale(scaleA);
    if (scaleA.elementType() != scaleB.elementType()) {
      scaleA = cast(graph, scaleA, poplar::FLOAT, prog, {di});
      scaleB = cast(graph, scaleB, poplar::FLOAT, prog, {di});
    }
  } else {
    scaleA = graph.addConstant(scaleB.elementType(), {1}, 1, {di});
    graph.setTileMapping(scaleA, 0);
  }
  const auto name = [&](const char* base) {
    return poputil::templateVertex(base, A.elementType(), B.elementType(), scaleB.elementType());
  };
  const auto cs = graph.addComputeSet({di, "ScaledAdd"});
  addElementWiseVertices(graph, cs, A, "a",
                         {makeOperand("b", B, A.shape()), makeOperand("scaleA", scaleA, A.shape()),
                          makeOperand("scaleB", scaleB, A.shape())},
                         {name("popops::ScaledAdd1D"), name("popops::ScaledAdd2D")},
                         PatternFields::Absent, [&](poplar::VertexRef v) {
                           graph.setInitialValue(v["signOfB"], signOfB);
                           graph.setInitialValue(v["complementA"],
                                                 special == Special::X_MINUS_AX_PLUS_BY);
                         });
  prog.add(poplar::program::Execute(cs, {di}));
}

double factorOf(float scaleA, Special special) {
  return special == Special::X_MINUS_AX_PLUS_BY ? 1.0 - scaleA : scaleA;
}

} // namespace

void scaledAddTo(Graph& graph, Tensor A, Tensor B, float scaleB, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags& options) {
  addConst(graph, A, 1, B, scaleB, prog, debugContext, options);
}
void scaledAddTo(Graph& graph, Tensor A, Tensor B, Tensor scaleB, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags& options) {
  addTensor(graph, A, Tensor(), B, scaleB, 1, Special::DEFAULT, prog, debugContext, options);
}
void scaledSubtractFrom(Graph& graph, Tensor A, Tensor B, float scaleB, Sequence& prog,
                        const DebugContext& debugContext, const OptionFlags& options) {
  addConst(graph, A, 1, B, -static_cast<double>(scaleB), prog, debugContext, options);
}
void scaledSubtractFrom(Graph& graph, Tensor A, Tensor B, Tensor scaleB, Sequence& prog,
                        const DebugContext& debugContext, const OptionFlags& options) {
  addTensor(graph, A, Tensor(), B, scaleB, -1, Special::DEFAULT, prog, debugContext, options);
}
void scaledAddTo(Graph& graph, Tensor A, Tensor scaleA, Tensor B, Tensor scaleB, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags& options) {
  addTensor(graph, A, scaleA, B, scaleB, 1, Special::DEFAULT, prog, debugContext, options);
}
void scaledAddTo(Graph& graph, Tensor A, Tensor scaleA, Tensor B, Tensor scaleB, Sequence& prog,
                 const Special speciality, const DebugContext& debugContext,
                 const OptionFlags& options) {
  addTensor(graph, A, scaleA, B, scaleB, 1, speciality, prog, debugContext, options);
}
void scaledAddTo(Graph& graph, Tensor A, float scaleA, Tensor B, float scaleB, Sequence& prog,
                 const DebugContext& debugContext, const OptionFlags& options) {
  addConst(graph, A, scaleA, B, scaleB, prog, debugContext, options);
}
void scaledAddTo(Graph& graph, Tensor A, float scaleA, Tensor B, float scaleB, Sequence& prog,
                 const Special speciality, const DebugContext& debugContext,
                 const OptionFlags& options) {
  addConst(graph, A, factorOf(scaleA, speciality), B, scaleB, prog, debugContext, options);
}
void scaledSubtractFrom(Graph& graph, Tensor A, Tensor scaleA, Tensor B, Tensor scaleB,
                        Sequence& prog, const DebugContext& debugContext,
                        const OptionFlags& options) {
  addTensor(graph, A, scaleA, B, scaleB, -1, Special::DEFAULT, prog, debugContext, options);
}
void scaledSubtractFrom(Graph& graph, Tensor A, float scaleA, Tensor B, float scaleB,
                        Sequence& prog, const DebugContext& debugContext,
                        const OptionFlags& options) {
  addConst(graph, A, scaleA, B, -static_cast<double>(scaleB), prog, debugContext, options);
}

} // namespace popops
