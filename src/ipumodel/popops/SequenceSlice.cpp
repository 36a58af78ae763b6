#include <popops/SequenceSlice.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>

namespace popops {
namespace {

using poplar::Tensor;

Tensor asRows(const Tensor& t, const char* name) {
  if (t.rank() < 2)
    throw poputil::poplibs_error(std::string("sequenceSlice: ") + name + " has shape " +
                                 t.shapeToString() + "; two dimensions or more are needed");
  return t.flatten(1, t.rank());
}

void checkList(const Tensor& t, const char* name, std::size_t size) {
  if (t.elementType() != poplar::UNSIGNED_INT || t.rank() != 1 || t.dim(0) != size)
    throw poputil::poplibs_error(std::string("sequenceSlice: ") + name + " is " +
                                 t.elementType().toString().cloneAsString() + " of shape " +
                                 t.shapeToString() + ", not unsigned int of shape {" +
                                 std::to_string(size) + "}");
}

} // namespace

void sequenceSlice(poplar::Graph& graph, const Tensor& tIn, const Tensor& tOut, const Tensor& tN,
                   const Tensor& tInOffset, const Tensor& tOutOffset, bool zeroUnused,
                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext) {
  const auto in = asRows(tIn, "tIn"), out = asRows(tOut, "tOut");
  if (in.dim(1) != out.dim(1) || in.elementType() != out.elementType())
    throw poputil::poplibs_error("sequenceSlice: rows of " + tIn.shapeToString() +
                                 " cannot go to " + tOut.shapeToString());
  checkList(tN, "tN", tN.numElements());
  checkList(tInOffset, "tInOffset", tN.numElements());
  checkList(tOutOffset, "tOutOffset", tN.numElements());
  poputil::PoplibsOpDebugInfo di(debugContext,
                                 DI_ARGS(tIn, tOut, tN, tInOffset, tOutOffset, zeroUnused));
  const auto cs = graph.addComputeSet({di, "sequenceSlice"});
  const auto type = poputil::templateVertex("popops::SequenceSlice", in.elementType());
  // A tile takes some columns of all rows, so that no offset leads to another tile.
  const auto shares = poputil::splitRegions({poplar::Interval(0, in.dim(1))},
                                            graph.getTarget().getVectorWidth(in.elementType()),
                                            graph.getTarget().getNumTiles());
  for (unsigned tile = 0; tile != shares.size(); ++tile)
    for (const auto& columns : shares[tile]) {
      const auto v = graph.addVertex(cs, type);
      graph.connect(v["in"], in.slice(columns, 1).flatten());
      graph.connect(v["out"], out.slice(columns, 1).flatten());
      graph.connect(v["counts"], tN);
      graph.connect(v["inOffsets"], tInOffset);
      graph.connect(v["outOffsets"], tOutOffset);
      graph.setInitialValue(v["columns"], static_cast<unsigned>(columns.size()));
      graph.setInitialValue(v["zeroUnused"], zeroUnused);
      graph.setTileMapping(v, tile);
    }
  prog.add(poplar::program::Execute(cs, {di}));
}

} // namespace popops
