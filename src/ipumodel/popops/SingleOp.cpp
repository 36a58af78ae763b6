#include "popops/SingleOp.hpp"

#include "popops/ElementWiseVertices.hpp"
#include "popops/OpInfo.hpp"

#include <poputil/VertexTemplates.hpp>

namespace popops {
namespace {

using poplar::Graph;
using poplar::Tensor;
using poplar::program::Execute;

VertexNames vertexNames(const std::string& base, const std::string& suffix,
                        const poplar::Type& type) {
  return {poputil::templateVertex("popops::" + base + "1D" + suffix, type),
          poputil::templateVertex("popops::" + base + "2D" + suffix, type)};
}

} // namespace

void addUnaryOp(Graph& graph, expr::UnaryOpType op, const Tensor& in, const Tensor& out,
                poplar::program::Sequence& prog, const poplar::DebugContext& debugContext) {
  const auto cs = graph.addComputeSet(debugContext);
  const auto setOp = [&](poplar::VertexRef v) {
    graph.setInitialValue(v["op"], static_cast<unsigned char>(op));
  };
  if (!givesBool(op) && in == out)
    addElementWiseVertices(graph, cs, out, "inOut", {},
                           vertexNames("UnaryOp", "InPlace", in.elementType()),
                           PatternFields::Absent, setOp);
  else
    addElementWiseVertices(
        graph, cs, out, "out", {makeOperand("in", in, out.shape())},
        vertexNames(givesBool(op) ? "UnaryTest" : "UnaryOp", "", in.elementType()),
        PatternFields::Absent, setOp);
  prog.add(Execute(cs, debugContext));
}

void addBinaryOp(Graph& graph, expr::BinaryOpType op, const Tensor& a, const Tensor& b,
                 const Tensor& out, poplar::program::Sequence& prog,
                 const poplar::DebugContext& debugContext) {
  const auto cs = graph.addComputeSet(debugContext);
  // The vertices broadcast their second operand only, and overwrite their first.
  const bool inPlace = !givesBool(op) && (a == out || b == out);
  const bool swapped =
      inPlace ? !(a == out)
              : a.numElements() < out.numElements() && b.numElements() == out.numElements();
  const auto setFields = [&](poplar::VertexRef v) {
    graph.setInitialValue(v["op"], static_cast<unsigned char>(op));
    graph.setInitialValue(v["swapped"], swapped);
  };
  auto first = makeOperand("in1", swapped ? b : a, out.shape());
  first.pattern = {};
  if (first.elements.numElements() == 1 &&
      out.numElements() != 1) // both are scalars, the output is not
    first.elements =
        first.elements.broadcast(static_cast<unsigned>(out.numElements()), 0).reshape(out.shape());
  auto second = makeOperand("in2", swapped ? a : b, out.shape());
  if (inPlace)
    addElementWiseVertices(graph, cs, out, "inOut", {second},
                           vertexNames("BinaryOp", "InPlace", a.elementType()),
                           PatternFields::Present, setFields);
  else
    addElementWiseVertices(graph, cs, out, "out", {first, second},
                           vertexNames(givesBool(op) ? "Compare" : "BinaryOp", "", a.elementType()),
                           PatternFields::Present, setFields);
  prog.add(Execute(cs, debugContext));
}

void addTernaryOp(Graph& graph, expr::TernaryOpType op, const Tensor& a, const Tensor& b,
                  const Tensor& c, const Tensor& out, poplar::program::Sequence& prog,
                  const poplar::DebugContext& debugContext) {
  const auto cs = graph.addComputeSet(debugContext);
  const bool isSelect = op == expr::TernaryOpType::SELECT;
  addElementWiseVertices(graph, cs, out, "out",
                         {makeOperand("in1", a, out.shape()), makeOperand("in2", b, out.shape()),
                          makeOperand("in3", c, out.shape())},
                         vertexNames(isSelect ? "Select" : "Clamp", "", a.elementType()),
                         PatternFields::Absent, [](poplar::VertexRef) {});
  prog.add(Execute(cs, debugContext));
}

} // namespace popops
