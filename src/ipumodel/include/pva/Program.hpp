// The programs of an executable, as a tree of phases.
#pragma once

#include <pva/Memory.hpp>

namespace pva {

class Program;
class ProgramVisitor;
typedef std::shared_ptr<Program> ProgramPtr;

class LoweredVariable {
public:
  LoweredVariable(const Data& data, std::size_t index) : data_(data), index_(index) {}
  std::string name() const;
  std::uint64_t bytes() const; // over all tiles
  bool alwaysLive() const;

private:
  Data data_;
  std::size_t index_;
};

class ComputeSetVertices {
public:
  ComputeSetVertices(const Data& data, std::size_t computeSet, std::size_t entry)
      : data_(data), computeSet_(computeSet), entry_(entry) {}
  VertexType type() const;
  std::uint64_t count() const;

private:
  Data data_;
  std::size_t computeSet_, entry_;
};

class ComputeSet {
public:
  ComputeSet(const Data& data, std::size_t index) : data_(data), index_(index) {}
  std::string name() const;
  std::vector<ComputeSetVertices> vertices() const;

  /// Tile cycles of one execution by tile: the mean of what the vertices said they cost, otherwise
  /// the estimate.
  std::vector<std::uint64_t> cyclesByTile() const;
  /// From what is known before the run.
  std::vector<std::uint64_t> estimatedCyclesByTile() const;
  /// Vertices without any estimate; they are in none of the cycles.
  std::uint64_t numVerticesOfUnknownCost() const;

private:
  Data data_;
  std::size_t index_;
};

class Program : public std::enable_shared_from_this<Program> {
public:
  enum class Type {
    Sequence,
    Block,
    Repeat,
    RepeatWhile,
    If,
    Switch,
    Call,
    OnTileExecute,
    DoExchange,
    GlobalExchange,
    StreamCopyBegin,
    StreamCopyMid, // the model shows a stream or remote copy as one program of this type
    StreamCopyEnd,
    Sync,
    WriteUndef,
    Unknown
  };

  Program(const Data& data, std::size_t index) : data_(data), index_(index) {}
  virtual ~Program();

  Type type() const;
  std::string name() const;
  std::vector<ProgramPtr> children() const;
  std::size_t _id() const { return index_; }
  std::vector<LoweredVariable> vars() const;
  std::vector<std::uint64_t> controlCodeByTile() const; // bytes
  std::vector<std::uint64_t> codeBytesByTile() const;   // of exchange code
  virtual void accept(ProgramVisitor& visitor) const;

protected:
  Data data_;
  std::size_t index_;
};

class OnTileExecuteProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor& visitor) const override;
  std::vector<ComputeSet> computeSets() const; // none for a copy inside tiles
};

class DoExchangeProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor& visitor) const override;
  std::uint64_t totalData() const; // bytes received
  std::vector<std::uint64_t> bytesSentByTile() const;
  std::vector<std::uint64_t> bytesReceivedByTile() const;
};

class GlobalExchangeProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor& visitor) const override;
};

class StreamCopyProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor& visitor) const override;
  std::uint64_t totalData() const; // bytes
  bool isRemote() const;           // Streaming Memory rather than the host
};

class SyncProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor& visitor) const override;
};

class RepeatProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor& visitor) const override;
  std::uint64_t count() const;
};

/// Override what is of interest; accept() does not visit children.
class ProgramVisitor {
public:
  virtual ~ProgramVisitor();
  virtual void visitOnTileExecute(const OnTileExecuteProgram&) {}
  virtual void visitDoExchange(const DoExchangeProgram&) {}
  virtual void visitGlobalExchange(const GlobalExchangeProgram&) {}
  virtual void visitStreamCopyMid(const StreamCopyProgram&) {}
  virtual void visitSync(const SyncProgram&) {}
  virtual void visitRepeat(const RepeatProgram&) {}
  virtual void visitProgram(const Program&) {} // any other
};

} // namespace pva
