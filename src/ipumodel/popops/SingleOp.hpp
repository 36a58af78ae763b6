// One element-wise operator, executed by its own vertices.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/ExprOp.hpp>

namespace popops {

// Each adds one Execute to `prog` that writes `out`, which has the common shape of the operands and
// may be one of them. REQUIRES: types as OpInfo says.
void addUnaryOp(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& in,
                const poplar::Tensor& out, poplar::program::Sequence& prog,
                const poplar::DebugContext& debugContext);
void addBinaryOp(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a,
                 const poplar::Tensor& b, const poplar::Tensor& out,
                 poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);
void addTernaryOp(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a,
                  const poplar::Tensor& b, const poplar::Tensor& c, const poplar::Tensor& out,
                  poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);

} // namespace popops
