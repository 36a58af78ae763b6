#include "profile/LegacyProfile.hpp"

namespace ipumodel {
namespace {

using poplar::ProfileValue;
using Map = ProfileValue::Map;
using Vector = ProfileValue::Vector;

Vector zeros(std::size_t size) {
  return Vector(size, ProfileValue(0u));
}

Vector dense(const ByTile& values, std::size_t tiles) {
  Vector result = zeros(tiles);
  for (const auto& [tile, value] : values)
    result[tile] = ProfileValue(value);
  return result;
}

Map targetOf(const ProfileData& p) {
  const TargetInfo& t = p.target;
  return {{"type", t.type},
          {"architecture", t.architecture},
          {"bytesPerIPU", t.bytesPerTile * t.tilesPerIpu},
          {"bytesPerTile", t.bytesPerTile},
          {"clockFrequency", t.clockHz},
          {"numIPUs", t.numIpus},
          {"tilesPerIPU", t.tilesPerIpu},
          {"numTiles", t.numTiles()},
          {"totalMemory", t.bytesPerTile * t.numTiles()}};
}

ProfileValue regions(Vector nonOverlapped, Vector overlapped) {
  const std::size_t tiles = nonOverlapped.size();
  const auto region = [](Vector own, Vector shared) {
    return ProfileValue(Map{{"nonOverlapped", std::move(own)}, {"overlapped", std::move(shared)}});
  };
  return Map{{"nonInterleaved", region(std::move(nonOverlapped), std::move(overlapped))},
             {"interleaved", region(zeros(tiles), zeros(tiles))},
             {"overflowed", region(zeros(tiles), zeros(tiles))}};
}

Map memoryOf(const ProfileData& p) {
  Vector total, includingGaps;
  for (const TileMemory& tile : p.tiles) {
    total.push_back(tile.totalBytes());
    includingGaps.push_back(tile.totalBytes() + tile.gapBytes);
  }
  Map byCategory;
  for (std::size_t i = 0; i < kNumCategories; ++i) {
    const auto category = static_cast<Category>(i);
    Vector own, shared;
    for (const TileMemory& tile : p.tiles) {
      own.push_back(tile.alwaysLive[category]);
      shared.push_back(tile.atPeak[category]);
    }
    byCategory.emplace(kCategoryNames[i], regions(std::move(own), std::move(shared)));
  }
  Vector alwaysLive, peak, steps;
  for (const TileMemory& tile : p.tiles) {
    alwaysLive.push_back(tile.alwaysLive.total());
    peak.push_back(tile.atPeak.total());
  }
  for (const LivenessStep& step : p.livenessSteps)
    steps.push_back(Map{{"program", step.program}, {"notAlwaysLive", step.bytes}});
  return {{"byTile", Map{{"total", total}, {"totalIncludingGaps", includingGaps}}},
          {"byCategory", byCategory},
          {"liveness", Map{{"alwaysLive", Map{{"bytesByTile", alwaysLive}}},
                           {"notAlwaysLive", Map{{"maxBytesByTile", peak}}},
                           {"programs", steps}}}};
}

Vector programsOf(const ProfileData& p) {
  constexpr const char* names[] = {"Sequence",   "Block",          "Repeat",        "RepeatWhile",
                                   "If",         "Switch",         "Call",          "OnTileExecute",
                                   "DoExchange", "GlobalExchange", "StreamCopyMid", "StreamCopyMid",
                                   "Sync",       "WriteUndef",     "Unknown"};
  Vector result;
  for (const ProgramInfo& program : p.programs) {
    Map entry{{"type", names[static_cast<std::size_t>(program.type)]}, {"name", program.name}};
    if (!program.children.empty()) {
      Vector children;
      for (const std::uint32_t child : program.children)
        children.push_back(child);
      entry.emplace("children", children);
    }
    if (program.computeSet >= 0)
      entry.emplace("computeset", program.computeSet);
    if (program.type == ProgramType::Repeat)
      entry.emplace("count", program.repeatCount);
    result.push_back(std::move(entry));
  }
  return result;
}

} // namespace

ProfileValue graphProfile(const ProfileData& p) {
  Vector typeNames, typeCode, setNames, setVertexCounts, setVertexTypes, names;
  for (const VertexTypeInfo& type : p.vertexTypes) {
    typeNames.push_back(type.name);
    typeCode.push_back(type.codeBytes);
  }
  for (const ComputeSetInfo& set : p.computeSets) {
    Vector counts, types;
    for (const VertexCount& vertex : set.vertices) {
      counts.push_back(vertex.count);
      types.push_back(vertex.type);
    }
    setNames.push_back(set.name);
    setVertexCounts.push_back(counts);
    setVertexTypes.push_back(types);
  }
  Vector exchanges;
  for (const ProgramInfo& program : p.programs)
    if (program.type == ProgramType::DoExchange)
      exchanges.push_back(Map{{"name", program.name},
                              {"bytesSentByTile", dense(program.bytesSent, p.tiles.size())},
                              {"bytesReceivedByTile", dense(program.bytesReceived, p.tiles.size())},
                              {"cycles", program.cycles}});
  return Map{{"target", targetOf(p)},
             {"optimizationInfo", Map{}},
             {"graph", Map{{"numVertices", p.graph.numVertices},
                           {"numEdges", p.graph.numEdges},
                           {"numVars", p.graph.numVars},
                           {"numComputeSets", p.graph.numComputeSets}}},
             {"vertexTypes", Map{{"names", typeNames}, {"sizes", typeCode}}},
             {"computeSets", Map{{"names", setNames},
                                 {"vertexCounts", setVertexCounts},
                                 {"vertexTypes", setVertexTypes}}},
             {"exchanges", exchanges},
             {"programs", programsOf(p)},
             {"memory", memoryOf(p)}};
}

ProfileValue executionProfile(const ProfileData& p) {
  if (!p.execution.recorded)
    return Map{{"profilerMode", "NONE"}};
  Vector trace, steps;
  std::vector<std::uint64_t> tileCycles(p.tiles.size());
  for (std::size_t i = 0; i < p.programs.size(); ++i) {
    const std::int32_t set = p.programs[i].computeSet;
    if (set < 0)
      continue;
    for (const auto& [tile, cycles] : p.computeSets[static_cast<std::size_t>(set)].estimatedCycles)
      tileCycles[tile] += cycles * p.execution.programs[i].executions;
  }
  for (const ExecutedStep& step : p.execution.steps) {
    const ProgramInfo& program = p.programs[step.program];
    trace.push_back(step.program);
    Map entry{{"program", step.program},
              {"name", program.name},
              {"cyclesFrom", step.from},
              {"cyclesTo", step.from + step.cycles},
              {"cycles", step.cycles}};
    if (program.computeSet >= 0)
      entry.emplace("computeSet", program.computeSet);
    steps.push_back(std::move(entry));
  }
  Vector byTile(tileCycles.begin(), tileCycles.end());
  return Map{{"profilerMode", "IPU_MODEL"},
             {"programTrace", trace},
             {"simulation", Map{{"cycles", p.execution.cycles.total()},
                                {"tileCycles", Map{{"computeByTile", byTile}}},
                                {"steps", steps}}}};
}

} // namespace ipumodel
