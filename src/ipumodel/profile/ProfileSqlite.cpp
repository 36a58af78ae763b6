#include "profile/ProfileSqlite.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <variant>
#include <vector>

namespace ipumodel {
namespace {

using Value = std::variant<std::int64_t, double, std::string>;

Value integer(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

class Database {
public:
  explicit Database(const std::string& path) : path_(path) {
    std::remove(path.c_str());
    if (sqlite3_open(path.c_str(), &handle_) != SQLITE_OK)
      fail("open");
    run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN");
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& sql) {
    if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      fail("run '" + sql + "'");
  }

  void finish() { run("COMMIT"); }

  sqlite3* handle() const { return handle_; }

  [[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error("cannot " + what + " in " + path_ + ": " + sqlite3_errmsg(handle_));
  }

private:
  std::string path_;
  sqlite3* handle_ = nullptr;
};

// CREATE TABLE and INSERT for one table.
class Table {
public:
  Table(Database& database, const std::string& name, const std::string& columns, int numColumns)
      : database_(database) {
    database.run("CREATE TABLE " + name + "(" + columns + ")");
    std::string sql = "INSERT INTO " + name + " VALUES (?";
    for (int i = 1; i < numColumns; ++i)
      sql += ",?";
    if (sqlite3_prepare_v2(database.handle(), (sql + ")").c_str(), -1, &statement_, nullptr) !=
        SQLITE_OK)
      database.fail("prepare '" + sql + "'");
  }
  ~Table() { sqlite3_finalize(statement_); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  void add(const std::vector<Value>& values) {
    int column = 0;
    for (const Value& value : values) {
      ++column;
      if (const auto* i = std::get_if<std::int64_t>(&value))
        sqlite3_bind_int64(statement_, column, *i);
      else if (const auto* d = std::get_if<double>(&value))
        sqlite3_bind_double(statement_, column, *d);
      else
        sqlite3_bind_text(statement_, column, std::get<std::string>(value).c_str(), -1,
                          SQLITE_TRANSIENT);
    }
    if (sqlite3_step(statement_) != SQLITE_DONE)
      database_.fail("insert");
    sqlite3_reset(statement_);
  }

private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

void writeAbout(Database& db, const ProfileData& p) {
  Table about(db, "about", "key TEXT PRIMARY KEY, value", 2);
  about.add({"producer", p.producer});
  about.add({"figures", "modelled"});
  about.add({"target", p.target.type});
  about.add({"architecture", p.target.architecture});
  about.add({"tiles", integer(p.target.numTiles())});
  about.add({"bytes_per_tile", integer(p.target.bytesPerTile)});
  about.add({"clock_hz", p.target.clockHz});
  about.add({"replicas", integer(p.target.numReplicas)});
  Table machine(db, "machine", "name TEXT PRIMARY KEY, value REAL, unit, source, confidence", 5);
  for (const ParameterNote& note : p.machine)
    machine.add(
        {note.name, note.value, note.unit, note.source, std::string(toString(note.confidence))});
}

void writeMemory(Database& db, const ProfileData& p) {
  Table categories(db, "var_categories", "id INTEGER PRIMARY KEY, name", 2);
  for (std::size_t i = 0; i < kNumCategories; ++i)
    categories.add({integer(i), std::string(kCategoryNames[i])});
  Table byTile(db, "memory_by_tile", "tile INTEGER PRIMARY KEY, always_live, peak, gaps, total", 5);
  Table byCategory(db, "memory_by_category", "tile, category, always_live, peak", 4);
  for (std::size_t tile = 0; tile < p.tiles.size(); ++tile) {
    const TileMemory& m = p.tiles[tile];
    byTile.add({integer(tile), integer(m.alwaysLive.total()), integer(m.atPeak.total()),
                integer(m.gapBytes), integer(m.totalBytes())});
    for (std::size_t i = 0; i < kNumCategories; ++i) {
      const auto c = static_cast<Category>(i);
      if (m.alwaysLive[c] + m.atPeak[c] > 0)
        byCategory.add({integer(tile), integer(i), integer(m.alwaysLive[c]), integer(m.atPeak[c])});
    }
  }
  Table variables(db, "variables",
                  "id INTEGER PRIMARY KEY, name, size_bytes, constant, always_live", 5);
  for (std::size_t i = 0; i < p.variables.size(); ++i) {
    const VariableInfo& v = p.variables[i];
    variables.add(
        {integer(i), v.name, integer(v.bytes), integer(v.isConstant), integer(v.alwaysLive)});
  }
  Table liveness(db, "liveness", "position INTEGER PRIMARY KEY, program, bytes, busiest_tile_bytes",
                 4);
  for (std::size_t i = 0; i < p.livenessSteps.size(); ++i) {
    const LivenessStep& s = p.livenessSteps[i];
    liveness.add({integer(i), integer(s.program), integer(s.bytes), integer(s.busiestTileBytes)});
  }
}

void writeComputeSets(Database& db, const ProfileData& p) {
  Table types(db, "vertex_types", "id INTEGER PRIMARY KEY, name, kind, code_bytes, instances", 5);
  for (std::size_t i = 0; i < p.vertexTypes.size(); ++i) {
    const VertexTypeInfo& t = p.vertexTypes[i];
    types.add({integer(i), t.name, t.kind, integer(t.codeBytes), integer(t.instances)});
  }
  Table sets(db, "compute_sets",
             "compute_set INTEGER PRIMARY KEY, name, unknown_vertices, asked_vertices, "
             "measured_executions",
             5);
  Table cycles(db, "cycles_by_tile", "compute_set, tile, estimated, measured", 4);
  for (std::size_t i = 0; i < p.computeSets.size(); ++i) {
    const ComputeSetInfo& s = p.computeSets[i];
    sets.add({integer(i), s.name, integer(s.unknownVertices), integer(s.askedVertices),
              integer(s.measuredExecutions)});
    std::map<std::uint32_t, std::uint64_t> measured(s.measuredCycles.begin(),
                                                    s.measuredCycles.end());
    const std::uint64_t executions = std::max<std::uint64_t>(s.measuredExecutions, 1);
    for (const auto& [tile, estimated] : s.estimatedCycles)
      cycles.add(
          {integer(i), integer(tile), integer(estimated), integer(measured[tile] / executions)});
  }
}

std::string typeName(ProgramType type) {
  constexpr const char* names[] = {"Sequence",   "Block",          "Repeat",     "RepeatWhile",
                                   "If",         "Switch",         "Call",       "OnTileExecute",
                                   "DoExchange", "GlobalExchange", "StreamCopy", "RemoteCopy",
                                   "Sync",       "WriteUndef",     "Other"};
  return names[static_cast<std::size_t>(type)];
}

void writePrograms(Database& db, const ProfileData& p) {
  Table programs(db, "programs",
                 "id INTEGER PRIMARY KEY, type, name, compute_set, bytes, executions, cycles", 7);
  Table children(db, "program_children", "parent, position, child", 3);
  for (std::size_t i = 0; i < p.programs.size(); ++i) {
    const ProgramInfo& program = p.programs[i];
    const ProgramTotal total =
        i < p.execution.programs.size() ? p.execution.programs[i] : ProgramTotal{};
    programs.add({integer(i), typeName(program.type), program.name,
                  std::int64_t{program.computeSet}, integer(program.bytes),
                  integer(total.executions), integer(total.cycles)});
    for (std::size_t c = 0; c < program.children.size(); ++c)
      children.add({integer(i), integer(c), integer(program.children[c])});
  }
  Table steps(db, "steps", "id INTEGER PRIMARY KEY, program, cycles_from, cycles", 4);
  for (std::size_t i = 0; i < p.execution.steps.size(); ++i) {
    const ExecutedStep& s = p.execution.steps[i];
    steps.add({integer(i), integer(s.program), integer(s.from), integer(s.cycles)});
  }
  Table runs(db, "runs",
             "id INTEGER PRIMARY KEY, name, program, first_step, end_step, host_seconds", 6);
  for (std::size_t i = 0; i < p.execution.runs.size(); ++i) {
    const RunInfo& r = p.execution.runs[i];
    runs.add({integer(i), r.name, integer(r.program), integer(r.firstStep), integer(r.endStep),
              r.hostSeconds});
  }
}

} // namespace

void writeProfileSqlite(const std::string& path, const ProfileData& profile) {
  Database database(path);
  writeAbout(database, profile);
  writeMemory(database, profile);
  writeComputeSets(database, profile);
  writePrograms(database, profile);
  database.finish();
}

} // namespace ipumodel
