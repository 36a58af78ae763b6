#include "lower/LowerVertices.hpp"

#include "graph/TypeInfo.hpp"
#include "lower/VertexImage.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <map>

namespace ipumodel {

namespace {

constexpr std::uint64_t kScratchAlign = 64;
constexpr std::uint64_t kTableAlign = 16;
constexpr std::uint32_t kVertexOverheadWeight = 32; // bytes that a call is worth

std::uint64_t alignUp(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

// One compute set at a time; buffers of different compute sets share scratch.
class ComputeSetLowering {
public:
  ComputeSetLowering(const GraphData& graph, const VariableOffsets& offsets,
                     LoweredProgram& program)
      : graph_(graph), offsets_(offsets), program_(program), image_(program) {}

  void run(const ComputeSet& set) {
    LoweredComputeSet lowered;
    lowered.name = set.name;
    gather_ = {};
    scatter_ = {};
    scratchUsed_ = 0;
    makeGroups(set, lowered);
    for (VertexGroup& group : lowered.groups)
      for (std::size_t i = 0; i < group.count(); ++i) {
        weight_ = kVertexOverheadWeight;
        lowerVertex(graph_.vertices[group.vertices[i].value], group.offset + i * group.stride);
        group.weight.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(weight_, ~0u)));
        lowered.weight += weight_;
      }
    lowered.gather = store(std::move(gather_));
    lowered.scatter = store(std::move(scatter_));
    program_.scratchBytes = std::max(program_.scratchBytes, scratchUsed_);
    program_.computeSets.push_back(std::move(lowered));
  }

private:
  void makeGroups(const ComputeSet& set, LoweredComputeSet& lowered) {
    std::vector<VertexId> order = set.vertices;
    std::stable_sort(order.begin(), order.end(), [&](VertexId a, VertexId b) {
      return graph_.vertices[a.value].tile < graph_.vertices[b.value].tile;
    });
    std::map<const VertexType*, std::size_t> groupOf;
    for (const VertexId id : order) {
      const Vertex& vertex = graph_.vertices[id.value];
      const auto [it, isNew] = groupOf.try_emplace(vertex.type, lowered.groups.size());
      if (isNew) {
        lowered.groups.emplace_back();
        lowered.groups.back().type = vertex.type;
        lowered.groups.back().typeName = vertex.type->name;
      }
      VertexGroup& group = lowered.groups[it->second];
      group.vertices.push_back(id);
      group.tiles.push_back(vertex.tile.value);
    }
    for (VertexGroup& group : lowered.groups) {
      const std::uint64_t align = std::max<std::uint64_t>(group.type->align, alignof(HostSpan));
      group.stride = alignUp(std::max<std::uint64_t>(group.type->size, 1), align);
      group.offset =
          image_.allocate(group.stride * group.count(), std::max<std::uint64_t>(align, 64));
      group.weight.reserve(group.count());
    }
  }

  void lowerVertex(const Vertex& vertex, std::uint64_t at) {
    const VertexType& type = *vertex.type;
    // Sorted indices keep a vertex's edges grouped by field and, within it, by element.
    byField_.resize(type.fields.size());
    for (auto& connections : byField_)
      connections.clear();
    for (const Connection& connection : vertex.connections)
      byField_[connection.field].push_back(&connection);
    for (std::size_t f = 0; f < type.fields.size(); ++f) {
      const FieldInfo& field = type.fields[f];
      if (field.direction == FieldDirection::State)
        lowerState(vertex, static_cast<unsigned>(f), at + field.offset);
      else
        lowerEdges(vertex, static_cast<unsigned>(f), at + field.offset);
    }
  }

  void lowerState(const Vertex& vertex, unsigned f, std::uint64_t at) {
    const FieldInfo& field = vertex.type->fields[f];
    const std::size_t elementBytes = sizeOf(field.elementType);
    if (field.rank == FieldRank::Scalar) {
      for (const FieldValue& value : vertex.values)
        if (value.field == f)
          image_.write(at, value.bytes.data(), std::min(value.bytes.size(), elementBytes));
      return;
    }
    if (field.rank == FieldRank::VectorList) {
      lowerStateList(vertex, f, at);
      return;
    }
    std::size_t count = 0;
    if (const auto size = vertex.fieldSizes.find(f); size != vertex.fieldSizes.end())
      count = size->second;
    for (const FieldValue& value : vertex.values)
      if (value.field == f)
        count = std::max(count, value.element ? *value.element + std::size_t{1}
                                              : value.bytes.size() / elementBytes);
    const std::uint64_t table = image_.allocate(count * elementBytes, kTableAlign);
    for (const FieldValue& value : vertex.values)
      if (value.field == f)
        image_.write(table + value.element.value_or(0) * elementBytes, value.bytes.data(),
                     value.bytes.size());
    image_.writeSpan(at, Memory::Image, table, count);
    weight_ += count * elementBytes;
  }

  void lowerStateList(const Vertex& vertex, unsigned f, std::uint64_t at) {
    const std::size_t elementBytes = sizeOf(vertex.type->fields[f].elementType);
    std::size_t count = 0;
    if (const auto size = vertex.fieldSizes.find(f); size != vertex.fieldSizes.end())
      count = size->second;
    for (const FieldValue& value : vertex.values)
      if (value.field == f)
        count = std::max(count, value.element.value_or(0) + std::size_t{1});
    const std::uint64_t spans = image_.allocate(count * sizeof(HostSpan), kTableAlign);
    for (std::size_t i = 0; i < count; ++i)
      image_.writeSpan(spans + i * sizeof(HostSpan), Memory::Image, spans, 0);
    for (const FieldValue& value : vertex.values) {
      if (value.field != f)
        continue;
      const std::uint64_t table = image_.allocate(value.bytes.size(), kTableAlign);
      image_.write(table, value.bytes.data(), value.bytes.size());
      const std::uint64_t span = spans + value.element.value_or(0) * sizeof(HostSpan);
      const std::size_t size = value.bytes.size() / elementBytes;
      image_.write(span + offsetof(HostSpan, data), &table, sizeof table);
      image_.write(span + offsetof(HostSpan, size), &size, sizeof size);
    }
    image_.writeSpan(at, Memory::Image, spans, count);
  }

  void lowerEdges(const Vertex& vertex, unsigned f, std::uint64_t at) {
    const FieldInfo& field = vertex.type->fields[f];
    auto& connections = byField_[f];
    if (connections.empty()) {
      if (field.rank != FieldRank::Scalar) // an empty vector of edges
        image_.writeSpan(at, Memory::Image, 0, 0);
      return;
    }
    std::stable_sort(connections.begin(), connections.end(),
                     [](const Connection* a, const Connection* b) {
                       return a->element.value_or(0) < b->element.value_or(0);
                     });
    if (field.rank == FieldRank::VectorList) {
      lowerEdgeList(field, connections, at);
      return;
    }
    segments_.clear();
    for (const Connection* connection : connections)
      appendSegments(connection->view, offsets_, segments_);
    const auto [memory, target, count] = place(field);
    if (field.rank == FieldRank::Scalar)
      image_.writePointer(at, memory, target);
    else
      image_.writeSpan(at, memory, target, count);
  }

  // Inner vectors: one per connection to an element, or the outermost slices of one whole
  // connection.
  void lowerEdgeList(const FieldInfo& field, const std::vector<const Connection*>& connections,
                     std::uint64_t at) {
    std::vector<View> inner;
    for (const Connection* connection : connections) {
      const View& view = connection->view;
      if (connection->element || view.shape.size() < 2) {
        inner.push_back(view);
        continue;
      }
      for (std::size_t i = 0; i < view.shape[0]; ++i) {
        Dims begin(view.shape.size(), 0), end = view.shape;
        begin[0] = i;
        end[0] = i + 1;
        inner.push_back(view.slice(begin, end));
      }
    }
    const std::uint64_t spans = image_.allocate(inner.size() * sizeof(HostSpan), kTableAlign);
    for (std::size_t i = 0; i < inner.size(); ++i) {
      segments_.clear();
      appendSegments(inner[i], offsets_, segments_);
      const auto [memory, target, count] = place(field);
      image_.writeSpan(spans + i * sizeof(HostSpan), memory, target, count);
    }
    image_.writeSpan(at, Memory::Image, spans, inner.size());
  }

  struct Place {
    Memory memory;
    std::uint64_t offset;
    std::size_t count;
  };

  // The host's processor takes words of up to 8 bytes at any address, so such a wish alone is no
  // reason for a copy. It matters to programs that share data between vertices by writing through
  // inputs.
  static std::uint64_t alignmentOf(const FieldInfo& field) {
    const std::uint64_t elementBytes = sizeOf(field.elementType);
    return field.minAlign <= 8 ? elementBytes
                               : std::max<std::uint64_t>(field.minAlign, elementBytes);
  }

  // Where the vertex finds the elements of segments_.
  Place place(const FieldInfo& field) {
    const std::uint64_t elementBytes = sizeOf(field.elementType);
    std::uint64_t count = 0;
    for (const Segment& segment : segments_)
      count += segment.count;
    weight_ += count * elementBytes;
    if (count == 0)
      return {Memory::Image, 0, 0};
    const Segment& first = segments_.front();
    if (segments_.size() == 1 && first.strideBytes == static_cast<std::int64_t>(elementBytes) &&
        first.offset % alignmentOf(field) == 0)
      return {Memory::Variables, first.offset, count};

    const std::uint64_t buffer = alignUp(scratchUsed_, kScratchAlign);
    scratchUsed_ = buffer + count * elementBytes;
    const std::vector<Segment> packed = packedSegments(buffer, count, elementBytes);
    // An Output is gathered too: a vertex may leave elements unwritten, and they keep their value.
    for (const Move& move : makeMoves(segments_, packed, elementBytes).moves)
      gather_.append(move);
    if (field.direction != FieldDirection::Input)
      for (const Move& move : makeMoves(packed, segments_, elementBytes).moves)
        scatter_.append(move);
    return {Memory::Scratch, buffer, count};
  }

  std::uint32_t store(MoveList&& list) {
    if (list.empty())
      return kNoMoves;
    program_.moveLists.push_back(std::move(list));
    return static_cast<std::uint32_t>(program_.moveLists.size() - 1);
  }

  const GraphData& graph_;
  const VariableOffsets& offsets_;
  LoweredProgram& program_;
  VertexImage image_;
  MoveList gather_, scatter_;
  std::uint64_t scratchUsed_ = 0;
  std::uint64_t weight_ = 0;
  std::vector<Segment> segments_;
  std::vector<std::vector<const Connection*>> byField_;
};

} // namespace

void lowerVertices(const GraphData& graph, const VariableOffsets& offsets,
                   LoweredProgram& program) {
  ComputeSetLowering lowering(graph, offsets, program);
  program.computeSets.reserve(graph.computeSets.size());
  for (const ComputeSet& set : graph.computeSets)
    lowering.run(set);
}

} // namespace ipumodel
