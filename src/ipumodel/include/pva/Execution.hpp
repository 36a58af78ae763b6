// What was executed, in modelled cycles.
#pragma once

#include <pva/Program.hpp>

namespace pva {

class CycleRange {
public:
  CycleRange(std::uint64_t min, std::uint64_t max) : min_(min), max_(max) {}
  std::uint64_t min() const { return min_; }
  std::uint64_t max() const { return max_; }

private:
  std::uint64_t min_, max_;
};

class CycleSpan {
public:
  CycleSpan(CycleRange from, CycleRange to) : from_(from), to_(to) {}
  CycleRange from() const { return from_; }
  CycleRange to() const { return to_; }
  CycleRange cyclesFrom() const { return from_; }
  CycleRange cyclesTo() const { return to_; }

private:
  CycleRange from_, to_;
};

/// An execution step as one IPU saw it.
class StepOnIpu {
public:
  StepOnIpu(std::uint64_t from, std::uint64_t cycles, std::uint64_t active, double balance,
            std::uint64_t activeTiles)
      : from_(from),
        cycles_(cycles),
        active_(active),
        balance_(balance),
        activeTiles_(activeTiles) {}
  std::uint64_t cycles() const { return cycles_; }
  CycleSpan allCycles() const {
    return CycleSpan(CycleRange(from_, from_), CycleRange(from_ + cycles_, from_ + cycles_));
  }
  /// While some tile of the IPU is busy.
  CycleSpan activeCycles() const {
    return CycleSpan(CycleRange(from_, from_), CycleRange(from_ + active_, from_ + active_));
  }
  double tileBalance() const { return balance_; } // mean busy share of the tiles, 0 to 1
  std::uint64_t activeTiles() const { return activeTiles_; }

private:
  std::uint64_t from_, cycles_, active_;
  double balance_;
  std::uint64_t activeTiles_;
};

class ExecutionStep {
public:
  ExecutionStep(const Data& data, std::size_t index) : data_(data), index_(index) {}
  ProgramPtr program() const;
  std::vector<ComputeSet> computeSets() const;
  std::vector<StepOnIpu> ipus() const;
  std::uint64_t cycles() const;
  std::uint64_t cyclesFrom() const;
  std::uint64_t cyclesTo() const;
  std::vector<std::uint64_t> cyclesByTile() const; // busy cycles

private:
  Data data_;
  std::size_t index_;
};

class Microseconds {
public:
  Microseconds(double start, double end) : start_(start), end_(end) {}
  double start() const { return start_; }
  double end() const { return end_; }

private:
  double start_, end_;
};

class Run {
public:
  Run(const Data& data, std::size_t index) : data_(data), index_(index) {}
  std::string name() const;
  Microseconds microseconds() const; // modelled
  List<ExecutionStep> steps() const;

private:
  Data data_;
  std::size_t index_;
};

/// One execution of a program that the engine was asked to watch (profiler.blocks.filter,
/// profiler.programs.filter; copies off the chip with debug.instrumentExternalExchange).
class Block {
public:
  Block(const Data& data, std::size_t index, std::size_t tile)
      : data_(data), index_(index), tile_(tile) {}
  std::size_t tile() const { return tile_; }
  std::uint64_t cyclesFrom() const;
  std::uint64_t cyclesTo() const;
  ProgramPtr program() const;
  bool isCommon() const { return !isStreamCopy(); }
  bool isStreamCopy() const;
  bool isOverflow() const { return false; }
  bool isBlockFlush() const { return false; }

private:
  Data data_;
  std::size_t index_, tile_;
};

class ExecutionReport {
public:
  explicit ExecutionReport(const Data& data) : data_(data) {}
  List<ExecutionStep> steps() const;
  List<Run> runs() const;
  /// In the order in which they began. Copies are on the tiles that take part; anything else on
  /// one tile of each IPU that takes part, 0 unless profiler.blocks.tile says otherwise.
  std::vector<Block> blocks(std::size_t tile) const;
  std::uint64_t totalCycles() const;
  /// Executed, counted in totalCycles, but not kept one by one.
  std::uint64_t numStepsDropped() const;
  /// Executions of vertices whose cost nobody knows; they are not in the cycles.
  std::uint64_t numUnknownVertexExecutions() const;

private:
  Data data_;
};

} // namespace pva
