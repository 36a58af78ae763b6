#include "profile/Traffic.hpp"

#include <algorithm>
#include <unordered_set>

namespace ipumodel {
namespace {

struct Fetch {
  std::uint32_t tile;
  std::uint64_t source, bytes;
  friend bool operator==(const Fetch&, const Fetch&) = default;
};

struct FetchHash {
  std::size_t operator()(const Fetch& f) const noexcept {
    return (f.source * 0x9e3779b97f4a7c15ull) ^ (f.bytes << 32) ^ f.tile;
  }
};

bool reads(const FieldInfo& field) {
  return field.direction == FieldDirection::Input || field.direction == FieldDirection::InOut;
}

bool writes(const FieldInfo& field) {
  return field.direction == FieldDirection::Output || field.direction == FieldDirection::InOut;
}

} // namespace

std::uint64_t Traffic::largestOnTileCopy() const {
  std::uint64_t most = 0;
  for (const auto& [tile, bytes] : onTileCopy)
    most = std::max(most, bytes);
  return most;
}

TrafficModel::TrafficModel(const GraphData& graph, const MachineParameters& machine)
    : graph_(graph), machine_(machine), addresses_(graph) {}

void TrafficModel::finish(std::vector<Transfer>& transfers, Traffic& traffic) const {
  std::map<std::uint64_t, std::uint64_t> out, in; // by IPU
  for (const Transfer& t : transfers) {
    const std::uint64_t from = t.fromTile / machine_.tilesPerIpu;
    const std::uint64_t to = t.toTile / machine_.tilesPerIpu;
    if (from == to)
      continue;
    traffic.ipuLinkBytes =
        std::max({traffic.ipuLinkBytes, out[from] += t.bytes, in[to] += t.bytes});
  }
  traffic.exchange = shapeOf(transfers, machine_);
}

Traffic TrafficModel::before(ComputeSetId computeSet) const {
  Traffic traffic;
  std::vector<Transfer> transfers;
  std::unordered_set<Fetch, FetchHash> fetched;
  std::uint64_t buffer = addresses_.end();
  for (const VertexId id : graph_.computeSets[computeSet.value].vertices) {
    const Vertex& vertex = graph_.vertices[id.value];
    const std::uint32_t tile = vertex.tile.value;
    for (const Connection& connection : vertex.connections) {
      if (!reads(vertex.type->fields[connection.field]))
        continue;
      const std::vector<Piece> pieces = piecesOf(graph_, connection.view);
      std::uint64_t localBytes = 0;
      for (const Piece& piece : pieces) {
        const std::uint64_t bytes = piece.count() * addresses_.elementBytes(piece.var);
        if (piece.tile.value == tile) {
          localBytes += bytes;
          continue;
        }
        const std::uint64_t source = addresses_.address(piece.var, piece.begin);
        if (!fetched.insert({tile, source, bytes}).second)
          continue;
        transfers.push_back({piece.tile.value, tile, source, buffer, bytes});
        traffic.message[tile] += bytes;
        buffer += bytes;
      }
      buffer += 8; // the next field is another buffer
      if (pieces.size() > 1 && localBytes > 0) {
        traffic.onTileCopy[tile] += localBytes;
        traffic.rearrangement[tile] += localBytes;
      }
    }
  }
  finish(transfers, traffic);
  return traffic;
}

Traffic TrafficModel::after(ComputeSetId computeSet) const {
  Traffic traffic;
  std::vector<Transfer> transfers;
  std::uint64_t buffer = addresses_.end();
  for (const VertexId id : graph_.computeSets[computeSet.value].vertices) {
    const Vertex& vertex = graph_.vertices[id.value];
    const std::uint32_t tile = vertex.tile.value;
    for (const Connection& connection : vertex.connections) {
      const FieldInfo& field = vertex.type->fields[connection.field];
      if (!writes(field))
        continue;
      const std::vector<Piece> pieces = piecesOf(graph_, connection.view);
      std::uint64_t localBytes = 0;
      for (const Piece& piece : pieces) {
        const std::uint64_t bytes = piece.count() * addresses_.elementBytes(piece.var);
        if (piece.tile.value == tile) {
          localBytes += bytes;
          continue;
        }
        transfers.push_back(
            {tile, piece.tile.value, buffer, addresses_.address(piece.var, piece.begin), bytes});
        traffic.message[tile] += bytes;
        buffer += bytes;
      }
      buffer += 8;
      if (pieces.size() > 1 && localBytes > 0) {
        traffic.onTileCopy[tile] += localBytes;
        // An InOut field scatters back from the buffer it was gathered into.
        if (field.direction == FieldDirection::Output)
          traffic.rearrangement[tile] += localBytes;
      }
    }
  }
  finish(transfers, traffic);
  return traffic;
}

Traffic TrafficModel::copy(const View& source, const View& destination) const {
  Traffic traffic;
  std::vector<Transfer> transfers;
  const std::vector<Piece> from = piecesOf(graph_, source);
  const std::vector<Piece> to = piecesOf(graph_, destination);
  for (std::size_t i = 0, j = 0; i < from.size() && j < to.size();) {
    const std::uint64_t begin = std::max(from[i].at, to[j].at);
    const std::uint64_t end = std::min(from[i].at + from[i].count(), to[j].at + to[j].count());
    if (begin < end) {
      const std::uint64_t bytes = (end - begin) * addresses_.elementBytes(from[i].var);
      const std::uint32_t fromTile = from[i].tile.value, toTile = to[j].tile.value;
      if (fromTile == toTile)
        traffic.onTileCopy[toTile] += bytes;
      else
        transfers.push_back({fromTile, toTile,
                             addresses_.address(from[i].var, from[i].begin + begin - from[i].at),
                             addresses_.address(to[j].var, to[j].begin + begin - to[j].at), bytes});
    }
    if (from[i].at + from[i].count() < to[j].at + to[j].count())
      ++i;
    else
      ++j;
  }
  finish(transfers, traffic);
  return traffic;
}

BytesByTile TrafficModel::bytesByTile(const View& view) const {
  BytesByTile bytes;
  for (const Piece& piece : piecesOf(graph_, view))
    bytes[piece.tile.value] += piece.count() * addresses_.elementBytes(piece.var);
  return bytes;
}

} // namespace ipumodel
