// Looks into a profile, as Graphcore's libpva does: the classes and names that public programs use.
//
// Every figure is modelled. The profile comes from poplar::Engine::getReport(), or from a file the
// engine wrote (profile.json); Graphcore's own profile.pop files are not read.
#pragma once

#include <pva/Execution.hpp>

#include <iosfwd>

namespace pva {

class PoplarVersion {
public:
  explicit PoplarVersion(std::string text) : text_(std::move(text)) {}
  std::string string() const { return text_; }
  unsigned major() const;
  unsigned minor() const;
  unsigned point() const;
  // What those are called in C++, where the C library may have macros of the names above.
  std::uint32_t majorVer() const { return (major)(); }
  std::uint32_t minorVer() const { return (minor)(); }
  std::uint32_t pointVer() const { return point(); }
  std::string packageHash() const { return ""; }
  friend std::ostream& operator<<(std::ostream& os, const PoplarVersion& version);

private:
  std::string text_;
};

/// Of the file that a profile is written to.
class ProfileReportVersion {
public:
  std::uint32_t majorVer() const;
  std::uint32_t minorVer() const { return 0; }
  std::uint32_t pointVer() const { return 0; }
  bool isUnstableFormat() const { return false; }
  friend std::ostream& operator<<(std::ostream& os, const ProfileReportVersion& version);
};

/// What was counted while programs ran: everything on each tile, or nothing.
class InstrumentationSettings {
public:
  enum ComputeInstrumentationLevel { Off, Vertex, Tile, Ipu, Device, Unknown };
  enum class ExternalExchangeInstrumentationLevel { Off, Tile, Unknown };

  explicit InstrumentationSettings(const Data& data) : data_(data) {}
  ComputeInstrumentationLevel compute() const;
  ExternalExchangeInstrumentationLevel externalExchange() const;

private:
  Data data_;
};

class Target {
public:
  explicit Target(const Data& data) : data_(data) {}
  enum class Type { CPU, IPU, IPU_MODEL };
  Type type() const;
  std::uint32_t numIPUs() const; // of all replicas
  std::uint32_t numReplicas() const;
  std::uint32_t tilesPerIPU() const;
  std::uint32_t numTiles() const; // of all replicas
  std::uint64_t bytesPerTile() const;
  std::uint64_t bytesPerIPU() const;
  std::uint64_t totalMemory() const;
  double clockFrequency() const; // Hz
  std::string architecture() const;

private:
  Data data_;
};

class Graph {
public:
  explicit Graph(const Data& data) : data_(data) {}
  std::uint64_t numVertices() const;
  std::uint64_t numEdges() const;
  std::uint64_t numVars() const;
  std::uint64_t numComputeSets() const;

private:
  Data data_;
};

/// Memory that is live all the time: a variable, or all of a category of code and state.
class AlwaysLiveVariable {
public:
  AlwaysLiveVariable(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}
  std::string name() const { return name_; }
  std::uint64_t size() const { return size_; }

private:
  std::string name_;
  std::uint64_t size_;
};

class NotAlwaysLiveMemory {
public:
  NotAlwaysLiveMemory(const Data& data, std::size_t step) : data_(data), step_(step) {}
  std::uint64_t bytes() const; // over all tiles
  std::vector<LoweredVariable> variables() const;

private:
  Data data_;
  std::size_t step_;
};

class LivenessProgramStep {
public:
  LivenessProgramStep(const Data& data, std::size_t index) : data_(data), index_(index) {}
  ProgramPtr program() const;
  NotAlwaysLiveMemory notAlwaysLiveMemory() const { return NotAlwaysLiveMemory(data_, index_); }

private:
  Data data_;
  std::size_t index_;
};

class CompilationReport {
public:
  explicit CompilationReport(const Data& data) : data_(data) {}
  Target target() const { return Target(data_); }
  Graph graph() const { return Graph(data_); }
  List<Tile> tiles() const; // of one replica
  std::vector<ProgramPtr> programs() const;
  List<ComputeSet> computeSets() const;
  std::vector<AlwaysLiveVariable> alwaysLiveVariables() const;
  List<LivenessProgramStep> livenessProgramSteps() const;
  List<LoweredVariable> loweredVariables() const;

private:
  Data data_;
};

class Report {
public:
  explicit Report(const Data& data) : data_(data) {}
  CompilationReport compilation() const { return CompilationReport(data_); }
  ExecutionReport execution() const { return ExecutionReport(data_); }
  PoplarVersion poplarVersion() const;
  ProfileReportVersion version() const { return ProfileReportVersion(); }
  InstrumentationSettings instrumentationSettings() const { return InstrumentationSettings(data_); }

  /// For the library itself.
  const Data& data() const { return data_; }

private:
  Data data_;
};

/// Reads a profile.json. A path that ends in profile.pop means the profile.json in the same folder,
/// since the engine writes that one where Graphcore's would write profile.pop.
/// Throws std::runtime_error when there is none, or when it is not a profile of this version.
Report openReport(const std::string& path, const std::string& debugPath = "");

namespace preview {
using pva::openReport;
}

} // namespace pva
