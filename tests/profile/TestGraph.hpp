// Small graphs made by hand, without codelets: what a profile needs of a graph and nothing else.
#pragma once

#include "graph/GraphData.hpp"
#include "graph/ProgramNode.hpp"
#include "profile/Profile.hpp"

#include <poplar/IPUModel.hpp>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ipumodel {

inline poplar::Target testTarget(unsigned tiles = 8, unsigned ipus = 1) {
  poplar::IPUModel model("ipu2");
  model.tilesPerIPU = tiles;
  model.numIPUs = ipus;
  return model.createDevice().getTarget();
}

class TestGraph {
public:
  explicit TestGraph(unsigned tiles = 8, unsigned ipus = 1) : data(testTarget(tiles, ipus), 1) {}

  GraphData data;

  // A FLOAT vector, spread evenly over the tiles from `firstTile` on, `perTile` elements each.
  VarId variable(const std::string& name, std::size_t elements, std::uint32_t firstTile = 0,
                 std::size_t perTile = 0) {
    Variable v;
    v.name = name;
    v.type = poplar::FLOAT;
    v.numElements = elements;
    if (perTile == 0)
      perTile = elements;
    for (std::size_t begin = 0; begin < elements; begin += perTile, ++firstTile)
      v.tiles.assign(begin, std::min(elements, begin + perTile), TileId{firstTile});
    data.variables.push_back(std::move(v));
    return VarId{static_cast<std::uint32_t>(data.variables.size() - 1)};
  }

  View all(VarId var) const {
    return View::whole(var, poplar::FLOAT, {data.variables[var.value].numElements});
  }
  View part(VarId var, std::size_t begin, std::size_t end) const {
    return all(var).slice({begin}, {end});
  }

  // A type with one Input and one Output vector.
  VertexType& type(const std::string& name, VertexKind kind = VertexKind::Worker) {
    VertexType t;
    t.name = name;
    t.kind = kind;
    for (const FieldDirection direction : {FieldDirection::Input, FieldDirection::Output}) {
      FieldInfo field;
      field.name = direction == FieldDirection::Input ? "in" : "out";
      field.direction = direction;
      field.rank = FieldRank::Vector;
      field.elementType = poplar::FLOAT;
      field.innerLayout = PointerLayout::Span;
      t.fields.push_back(field);
    }
    types_.push_back(std::move(t));
    return types_.back();
  }

  ComputeSetId computeSet(const std::string& name) {
    data.computeSets.push_back({name, {}});
    return ComputeSetId{static_cast<std::uint32_t>(data.computeSets.size() - 1)};
  }

  VertexId vertex(ComputeSetId set, const VertexType& type, std::uint32_t tile, View in, View out,
                  std::optional<std::uint64_t> cycles = std::nullopt) {
    const VertexId id{static_cast<std::uint32_t>(data.vertices.size())};
    Vertex v;
    v.type = &type;
    v.computeSet = set;
    v.tile = TileId{tile};
    v.connections = {{0, std::nullopt, std::move(in)}, {1, std::nullopt, std::move(out)}};
    v.cycles = cycles;
    data.vertices.push_back(std::move(v));
    data.computeSets[set.value].vertices.push_back(id);
    return id;
  }

  StreamId stream(const std::string& handle, StreamDirection direction, std::size_t elements) {
    data.streams.push_back({handle, direction, poplar::FLOAT, elements});
    return StreamId{static_cast<std::uint32_t>(data.streams.size() - 1)};
  }

private:
  std::deque<VertexType> types_;
};

template <class Op>
ProgramPtr program(Op op, std::string name = "") {
  auto node = std::make_shared<ProgramNode>();
  node->name = std::move(name);
  node->op = std::move(op);
  return node;
}

inline ProgramPtr sequence(std::vector<ProgramPtr> steps) {
  return program(node::Sequence{std::move(steps)});
}
inline ProgramPtr copy(View from, View to) {
  return program(node::CopyTensor{std::move(from), std::move(to)}, "copy");
}
inline ProgramPtr execute(ComputeSetId set) {
  return program(node::Execute{set, std::nullopt}, "execute");
}

} // namespace ipumodel
