// Which members of a lowered program a serialised executable holds, and in which order.
// A change here needs a new kExecutableVersion.
#pragma once

#include "engine/TargetData.hpp"
#include "graph/Ids.hpp"
#include "lower/LoweredProgram.hpp"

#include <cstdint>
#include <type_traits>

namespace ipumodel {

constexpr std::uint32_t kExecutableVersion = 3;

template <class A, class Tag>
void archive(A& a, Id<Tag>& id) {
  a(id.value);
}
template <class A>
void archive(A& a, Move& m) {
  a(m.src, m.dst, m.blockBytes, m.count, m.srcStride, m.dstStride);
}
template <class A>
void archive(A& a, MoveList& l) {
  a(l.moves, l.bytes);
}
template <class A>
void archive(A& a, LoweredVariable& v) {
  a(v.name, v.offset, v.bytes, v.initial, v.isReplicationIndex);
}
template <class A>
void archive(A& a, VertexGroup& g) {
  a(g.typeName, g.offset, g.stride, g.vertices, g.tiles, g.weight);
}
template <class A>
void archive(A& a, LoweredComputeSet& c) {
  a(c.name, c.groups, c.gather, c.scatter, c.weight);
}
template <class A>
void archive(A& a, Instruction& i) {
  a(i.op, i.a, i.b, i.c, i.name);
}
template <class A>
void archive(A& a, SwitchTable& t) {
  a(t.scalar, t.cases, t.otherwise);
}
template <class A>
void archive(A& a, RemoteCopy& c) {
  a(c.buffer, c.rowsVariableOffset, c.rows);
}
template <class A>
void archive(A& a, RowOffsets& r) {
  a(r.elements);
}
template <class A>
void archive(A& a, CrossReplicaMoves& m) {
  a(m.gather, m.scatter, m.sourceOf);
}
template <class A>
void archive(A& a, HostCallMoves& m) {
  a(m.function, m.inputs, m.outputs);
}
template <class A>
void archive(A& a, poplar::PrintTensorFmt& f) {
  a(f.summariseThreshold, f.edgeItems, f.maxLineWidth, f.digits, f.floatFormat, f.separator,
    f.openBracket, f.closeBracket);
}
template <class A>
void archive(A& a, poplar::Type& type) {
  unsigned char id = type.id();
  a(id);
  type = poplar::Type(id);
}
template <class A>
void archive(A& a, ScalarRef& s) {
  a(s.offset, s.type);
}
template <class A>
void archive(A& a, PrintRequest& p) {
  a(p.title, p.type, p.shape, p.gather, p.format);
}
template <class A>
void archive(A& a, LoweredStream& s) {
  a(s.handle, s.type, s.bytes, s.toDevice, s.broadcast);
}
template <class A>
void archive(A& a, LoweredRemoteBuffer& b) {
  a(b.handle, b.type, b.rowBytes, b.rows);
}
template <class A>
void archive(A& a, LoweredHostAccess& h) {
  a(h.handle, h.type, h.bytes, h.read, h.canRead, h.canWrite);
}
template <class A>
void archive(A& a, LoweredHostFunction& f) {
  a(f.handle, f.inputBytes, f.outputBytes);
}
template <class A>
void archive(A& a, LoweredProgram& p) {
  a(p.replicationFactor, p.numWorkerContexts, p.variables, p.variableBytes, p.scratchBytes, p.image,
    p.pointersToVariables, p.pointersToImage, p.pointersToScratch, p.computeSets, p.moveLists,
    p.code, p.programEntry, p.functionEntry, p.numCounters, p.numCycleCounters, p.scalars,
    p.switches, p.remoteCopies, p.rowOffsets, p.crossReplicaCopies, p.hostCalls, p.prints, p.texts,
    p.names, p.streams, p.remoteBuffers, p.hostFunctions, p.hostAccess);
}
template <class A>
void archive(A& a, TargetData::ConvUnits& c) {
  a(c.fp8MaxPipelineDepth, c.fp16MaxPipelineDepth, c.fp32MaxPipelineDepth,
    c.fp8InputLoadElemsPerCycle, c.fp16InputLoadElemsPerCycle, c.fp32InputLoadElemsPerCycle,
    c.fp8InFp16OutPerTile, c.fp16InFp16OutPerTile, c.fp16InFp32OutPerTile, c.fp32InFp32OutPerTile,
    c.coeffLoadBytesPerCycle);
}
template <class A>
void archive(A& a, TargetData& t) {
  a(t.type, t.architecture, t.system, t.numIPUs, t.tilesPerIPU, t.tilesPerSharedExchangeBus,
    t.numWorkerContexts, t.bytesPerTile, t.tileClockFrequencyHz, t.exchangeBytesPerCycle,
    t.memcpyBytesPerCycle, t.instructionBytes, t.supportsExchangeBusSharing, t.minSyncDelayCycles,
    t.relativeSyncDelay, t.globalSyncCycles, t.memoryElementOffsets,
    t.interleavedMemoryElementIndex, t.atomicStoreGranularityBytes, t.numStrideBits,
    t.dataPathWidthBits, t.rptCountMax, t.convUnits);
}

} // namespace ipumodel
