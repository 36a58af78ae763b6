// Which members of a graph a serialised executable holds, and in which order: what the account
// reads. A change here needs a new kExecutableVersion.
#pragma once

#include "engine/Archive.hpp"
#include "engine/ExecutableFormat.hpp"
#include "graph/GraphData.hpp"
#include "graph/ProgramNode.hpp"

#include <optional>
#include <type_traits>

namespace ipumodel {

template <class A, class T, std::size_t N>
void archive(A& a, boost::container::small_vector<T, N>& values) {
  std::vector<T> plain(values.begin(), values.end());
  a(plain);
  if constexpr (std::is_same_v<A, Reader>)
    values.assign(plain.begin(), plain.end());
}
template <class A, class T>
void archive(A& a, std::optional<T>& value) {
  bool present = value.has_value();
  a(present);
  if constexpr (std::is_same_v<A, Reader>)
    if (present)
      value.emplace();
  if (present)
    a(*value);
}
template <class A, class K, class V>
void archive(A& a, std::map<K, V>& map) {
  std::vector<std::pair<K, V>> pairs(map.begin(), map.end());
  a(pairs);
  if constexpr (std::is_same_v<A, Reader>)
    map.insert(pairs.begin(), pairs.end());
}

template <class A>
void archive(A& a, Box& b) {
  a(b.origin, b.extent, b.var, b.offset, b.stride);
}
template <class A>
void archive(A& a, View& v) {
  a(v.type, v.shape, v.boxes, v.orderedBy);
}
template <class A>
void archive(A& a, TileMap::Range& r) {
  a(r.begin, r.end, r.tile);
}
template <class A>
void archive(A& a, TileMap& map) {
  std::vector<TileMap::Range> ranges = map.ranges();
  a(ranges);
  if constexpr (std::is_same_v<A, Reader>)
    for (const TileMap::Range& range : ranges)
      map.assign(range.begin, range.end, range.tile);
}
// Of initial values only whether there are any; the lowered program has them.
template <class A>
void archive(A& a, Variable& v) {
  bool hasInitial = !v.initial.empty();
  a(v.name, v.type, v.numElements, v.kind, hasInitial, v.tiles, v.owner);
  if constexpr (std::is_same_v<A, Reader>)
    v.initial.resize(hasInitial ? 1 : 0);
}
template <class A>
void archive(A& a, Connection& c) {
  a(c.field, c.element, c.view);
}
template <class A>
void archive(A& a, FieldValue& v) {
  a(v.field, v.element, v.bytes);
}
template <class A>
void archive(A& a, ComputeSet& c) {
  a(c.name, c.vertices);
}
template <class A>
void archive(A& a, Stream& s) {
  a(s.handle, s.direction, s.type, s.numElements, s.replication);
}
template <class A>
void archive(A& a, RemoteBuffer& b) {
  a(b.handle, b.type, b.numElements, b.repeats);
}
template <class A>
void archive(A& a, HostAccess& h) {
  a(h.view, h.canRead, h.canWrite);
}
template <class A>
void archive(A& a, HostFunctionData::Argument& x) {
  a(x.type, x.numElements);
}
template <class A>
void archive(A& a, HostFunctionData& f) {
  a(f.handle, f.inputs, f.outputs);
}

// Programs, without the programs inside them.
namespace node {

template <class A>
void archive(A&, Sequence&) {}
template <class A>
void archive(A&, Block&) {}
template <class A>
void archive(A& a, Execute& n) {
  a(n.computeSet, n.exitValue);
}
template <class A>
void archive(A& a, CopyTensor& n) {
  a(n.source, n.destination);
}
template <class A>
void archive(A& a, CopyFromStream& n) {
  a(n.stream, n.destination);
}
template <class A>
void archive(A& a, CopyToStream& n) {
  a(n.source, n.stream);
}
template <class A>
void archive(A& a, CopyFromRemote& n) {
  a(n.buffer, n.destination, n.rows);
}
template <class A>
void archive(A& a, CopyToRemote& n) {
  a(n.source, n.buffer, n.rows);
}
template <class A>
void archive(A& a, CrossReplicaCopy& n) {
  a(n.source, n.destination, n.sourceOf);
}
template <class A>
void archive(A& a, Repeat& n) {
  a(n.count);
}
template <class A>
void archive(A& a, RepeatWhile& n) {
  a(n.predicate, n.whileTrue);
}
template <class A>
void archive(A& a, If& n) {
  a(n.predicate);
}
template <class A>
void archive(A& a, Switch& n) {
  std::vector<std::int32_t> values;
  for (const auto& [value, body] : n.cases)
    values.push_back(value);
  a(n.control, values, n.boundsChecked);
  if constexpr (std::is_same_v<A, Reader>)
    for (const std::int32_t value : values)
      n.cases.emplace_back(value, nullptr);
}
template <class A>
void archive(A& a, CallFunction& n) {
  a(n.function);
}
template <class A>
void archive(A& a, CallHostFunction& n) {
  a(n.function, n.inputs, n.outputs);
}
template <class A>
void archive(A& a, Sync& n) {
  a(n.external);
}
template <class A>
void archive(A& a, WriteUndef& n) {
  a(n.view);
}
template <class A>
void archive(A& a, PrintTensor& n) {
  a(n.title, n.view, n.format);
}
template <class A>
void archive(A& a, Abort& n) {
  a(n.message);
}
template <class A>
void archive(A& a, AbortOnCondition& n) {
  a(n.predicate, n.message);
}
template <class A>
void archive(A& a, AssumeEqualAcrossReplicas& n) {
  a(n.view);
}
template <class A>
void archive(A& a, CycleCount& n) {
  a(n.destination, n.tile);
}
template <class A>
void archive(A& a, CycleStamp& n) {
  a(n.destination, n.tile);
}

} // namespace node

} // namespace ipumodel
