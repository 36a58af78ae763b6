#include "profile/Summary.hpp"

#include "profile/TileBalance.hpp"

#include <algorithm>
#include <iomanip>
#include <numeric>
#include <ostream>
#include <sstream>

namespace ipumodel {
namespace {

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string percent(double part, double whole) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << (whole > 0 ? 100 * part / whole : 0.0) << "%";
  return text.str();
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return percent(static_cast<double>(part), static_cast<double>(whole));
}

void row(std::ostream& out, int indent, const std::string& label, const std::string& value,
         const std::string& note = "") {
  constexpr int kLabelWidth = 40;
  out << std::string(static_cast<std::size_t>(indent), ' ') << std::left
      << std::setw(kLabelWidth - indent) << label << std::right << std::setw(18) << value;
  if (!note.empty())
    out << "  " << note;
  out << '\n';
}

// Poplar's words for the categories.
const char* titleOf(Category category) {
  switch (category) {
  case Category::Variable:
    return "Variables";
  case Category::Constant:
    return "Constants";
  case Category::VertexInstanceState:
    return "Vertex Instance State";
  case Category::VertexFieldData:
    return "Vertex Field Data";
  case Category::VectorListDescriptor:
    return "VectorList Descriptors";
  case Category::VertexCode:
    return "Vertex Code";
  case Category::CopyDescriptor:
    return "Copy Descriptors";
  case Category::ControlCode:
    return "Control Code";
  case Category::InternalExchangeCode:
    return "Internal Exchange Code";
  case Category::HostExchangeCode:
    return "Host Exchange Code";
  case Category::HostExchangePacketHeader:
    return "Host Exchange Packet Headers";
  case Category::GlobalExchangeCode:
    return "Global Exchange Code";
  case Category::GlobalExchangePacketHeader:
    return "Global Exchange Packet Headers";
  case Category::InstrumentationResults:
    return "Instrumentation Results";
  case Category::Stack:
    return "Stack";
  case Category::Message:
    return "Internal Exchange Message Buffers";
  case Category::Rearrangement:
    return "Data Rearrangement Buffers";
  }
  return "";
}

void printTarget(std::ostream& out, const ProfileData& p) {
  const TargetInfo& t = p.target;
  const std::uint64_t tiles = std::uint64_t{t.numTiles()} * t.numReplicas;
  const std::string ofAll = t.numReplicas > 1 ? "of all replicas" : "";
  std::ostringstream clock;
  clock << std::fixed << std::setprecision(1) << t.clockHz / 1e6 << " MHz";
  out << "Target:\n";
  row(out, 2, "Type:", t.type);
  row(out, 2, "Architecture:", t.architecture);
  row(out, 2, "Bytes per IPU:", grouped(t.bytesPerTile * t.tilesPerIpu));
  row(out, 2, "Bytes per tile:", grouped(t.bytesPerTile));
  row(out, 2, "IPUs:", grouped(std::uint64_t{t.numIpus} * t.numReplicas), ofAll);
  row(out, 2, "Replicas:", grouped(t.numReplicas));
  row(out, 2, "Tiles per IPU:", grouped(t.tilesPerIpu));
  row(out, 2, "Total tiles:", grouped(tiles), ofAll);
  row(out, 2, "Total memory:", grouped(tiles * t.bytesPerTile), ofAll);
  row(out, 2, "Clock frequency:", clock.str());
  out << "\nAll figures below are modelled by the " << p.producer
      << (t.numReplicas > 1 ? ", and of one replica" : "") << ".\n\n";
}

void printGraph(std::ostream& out, const ProfileData& p) {
  out << "Graph:\n";
  row(out, 2, "Number of vertices:", grouped(p.graph.numVertices));
  row(out, 2, "Number of edges:", grouped(p.graph.numEdges));
  row(out, 2, "Number of variables:", grouped(p.graph.numVars));
  row(out, 2, "Number of compute sets:", grouped(p.graph.numComputeSets));
  out << '\n';
}

void printMemory(std::ostream& out, const ProfileData& p) {
  CategoryBytes always, peak;
  std::uint64_t gaps = 0, over = 0, most = 0;
  std::size_t mostTile = 0;
  for (std::size_t i = 0; i < p.tiles.size(); ++i) {
    const TileMemory& tile = p.tiles[i];
    always += tile.alwaysLive;
    peak += tile.atPeak;
    gaps += tile.gapBytes;
    over += tile.totalBytes() > p.target.bytesPerTile ? 1 : 0;
    if (tile.totalBytes() > most) {
      most = tile.totalBytes();
      mostTile = i;
    }
  }
  const std::uint64_t total = always.total() + peak.total();
  const std::uint64_t available = p.target.bytesPerTile * p.tiles.size();
  out << "Memory Usage:\n";
  row(out, 2, "Total:", "");
  row(out, 4, "Including Gaps:", grouped(total + gaps),
      "B (" + percent(total + gaps, available) + ")");
  row(out, 4, "Excluding Gaps:", grouped(total), "B (" + percent(total, available) + ")");
  row(out, 4, "Always live:", grouped(always.total()), "B");
  row(out, 4, "Not always live, each tile's peak:", grouped(peak.total()), "B");
  out << "  By Data Type:\n";
  for (std::size_t i = 0; i < kNumCategories; ++i) {
    const auto category = static_cast<Category>(i);
    if (const std::uint64_t bytes = always[category] + peak[category]; bytes > 0)
      row(out, 4, titleOf(category), grouped(bytes), "B (" + percent(bytes, total) + ")");
  }
  out << "  By Tile:\n";
  row(out, 4, "Maximum:", grouped(most),
      "B (" + percent(most, p.target.bytesPerTile) + ") on tile " + std::to_string(mostTile));
  row(out, 4, "Mean:", grouped(p.tiles.empty() ? 0 : total / p.tiles.size()), "B");
  row(out, 4, "Tiles out of memory:", grouped(over));
  out << '\n';
}

void printVariables(std::ostream& out, const ProfileData& p) {
  constexpr std::size_t kMost = 100;
  std::vector<const VariableInfo*> order;
  for (const VariableInfo& v : p.variables)
    if (v.bytes > 0)
      order.push_back(&v);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->bytes > b->bytes; });
  out << "Variable Storage:\n";
  for (std::size_t i = 0; i < std::min(order.size(), kMost); ++i)
    row(out, 2, order[i]->name.empty() ? "(unnamed)" : order[i]->name, grouped(order[i]->bytes),
        order[i]->alwaysLive ? "B always live" : "B not always live");
  if (order.size() > kMost)
    out << "  ... and " << order.size() - kMost << " more\n";
  std::uint64_t most = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < p.livenessSteps.size(); ++i)
    if (p.livenessSteps[i].bytes > most) {
      most = p.livenessSteps[i].bytes;
      at = i;
    }
  if (most > 0)
    row(out, 2, "Most not always live at once:", grouped(most),
        "B in " + p.programs[p.livenessSteps[at].program].name);
  out << '\n';
}

void printCostliest(std::ostream& out, const ProfileData& p) {
  constexpr std::size_t kMost = 20;
  std::vector<std::size_t> order(p.programs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return p.execution.programs[i].cycles == 0; });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return p.execution.programs[a].cycles > p.execution.programs[b].cycles;
  });
  out << "  Cycles by program (costliest first):\n";
  for (std::size_t i = 0; i < std::min(order.size(), kMost); ++i) {
    const ProgramTotal& total = p.execution.programs[order[i]];
    row(out, 4, p.programs[order[i]].name, grouped(total.cycles),
        "(" + grouped(total.executions) + (total.executions == 1 ? " execution)" : " executions)"));
  }
}

const char* nameOf(ProgramType type) {
  switch (type) {
  case ProgramType::OnTileExecute:
    return "OnTileExecute";
  case ProgramType::DoExchange:
    return "DoExchange";
  case ProgramType::GlobalExchange:
    return "GlobalExchange";
  case ProgramType::StreamCopy:
    return "StreamCopy";
  case ProgramType::RemoteCopy:
    return "RemoteCopy";
  case ProgramType::Sync:
    return "Sync";
  default:
    return "Program";
  }
}

void printSteps(std::ostream& out, const ProfileData& p) {
  constexpr std::size_t kMost = 1000;
  out << "  Execution Steps:\n";
  const std::size_t shown = std::min(p.execution.steps.size(), kMost);
  for (std::size_t i = 0; i < shown; ++i) {
    const ExecutedStep& step = p.execution.steps[i];
    const ProgramInfo& program = p.programs[step.program];
    out << "    " << nameOf(program.type) << ": " << program.name << '\n';
    out << "      Cycles: " << grouped(step.cycles);
    if (program.computeSet >= 0)
      out << "  Active Tiles: "
          << p.computeSets[static_cast<std::size_t>(program.computeSet)].estimatedCycles.size()
          << " / " << p.tiles.size();
    if (program.bytes > 0)
      out << "  Total Data: " << grouped(program.bytes) << " B";
    out << '\n';
  }
  const std::uint64_t more = p.execution.steps.size() - shown + p.execution.stepsDropped;
  if (more > 0)
    out << "    ... and " << grouped(more) << " more steps\n";
}

void printExecution(std::ostream& out, const ProfileData& p, bool showSteps) {
  const CycleSplit& c = p.execution.cycles;
  std::ostringstream time;
  time << std::fixed << std::setprecision(1)
       << 1e6 * static_cast<double>(c.total()) / p.target.clockHz << " us";
  out << "Execution:\n";
  row(out, 2, "Total cycles:", grouped(c.total()), "(" + time.str() + ")");
  const auto part = [&](const char* label, std::uint64_t cycles) {
    row(out, 4, label, grouped(cycles), "(" + percent(cycles, c.total()) + ")");
  };
  part("Tile compute:", c.compute);
  part("IPU exchange:", c.exchange);
  part("Sync:", c.sync);
  part("Global exchange:", c.globalExchange);
  part("Host exchange (streams):", c.stream);
  part("Host exchange (Streaming Memory):", c.remote);
  if (p.execution.hiddenCycles > 0 || p.execution.stalls > 0)
    row(out, 2, "Beside compute:", grouped(p.execution.hiddenCycles),
        "(Streaming Memory, hidden; " + grouped(p.execution.stalls) + " waits)");
  row(out, 2, "Tile balance:", percent(tileBalance(p), 1));
  if (p.execution.unknownVertexExecutions > 0)
    row(out, 2, "Vertices of unknown cost:", grouped(p.execution.unknownVertexExecutions),
        "executions, not in the cycles");
  printCostliest(out, p);
  if (showSteps)
    printSteps(out, p);
  out << '\n';
}

void printVertices(std::ostream& out, const ProfileData& p) {
  out << "Vertices by type:\n";
  for (const VertexTypeInfo& type : p.vertexTypes)
    row(out, 2, type.name, grouped(type.instances), "instances (" + type.kind + ")");
  std::uint64_t unknownVertices = 0;
  for (const ComputeSetInfo& set : p.computeSets)
    unknownVertices += set.unknownVertices;
  if (unknownVertices > 0)
    row(out, 2, "Without a cycle estimate:", grouped(unknownVertices), "instances");
  out << '\n';
}

void printMachine(std::ostream& out, const ProfileData& p) {
  out << "Machine parameters:\n";
  for (const ParameterNote& note : p.machine) {
    std::ostringstream value;
    value << note.value << (note.unit.empty() ? "" : " ") << note.unit;
    row(out, 2, note.name, value.str(),
        std::string(toString(note.confidence)) + ": " + note.source);
  }
  out << '\n';
}

} // namespace

void printSummary(std::ostream& out, const ProfileData& profile, const SummaryOptions& options) {
  printTarget(out, profile);
  printGraph(out, profile);
  printMemory(out, profile);
  printVertices(out, profile);
  if (options.showVarStorage)
    printVariables(out, profile);
  if (profile.execution.recorded)
    printExecution(out, profile, options.showExecutionSteps);
  if (options.showMachine)
    printMachine(out, profile);
}

} // namespace ipumodel
