// The tree behind poplar::program::Program. Immutable once built, shared between copies of a Program.
#pragma once

#include "graph/Ids.hpp"
#include "graph/SameGraph.hpp"
#include "graph/View.hpp"

#include <poplar/PrintTensor.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ipumodel {

struct ProgramNode;
using ProgramPtr = std::shared_ptr<const ProgramNode>; // null is the empty program

namespace node {

struct Sequence { std::vector<ProgramPtr> steps; };
struct Block { ProgramPtr body; }; // a named region for the profiler
struct Execute { ComputeSetId computeSet; std::optional<View> exitValue; };
struct CopyTensor { View source, destination; };
struct CopyFromStream { StreamId stream; View destination; };
struct CopyToStream { View source; StreamId stream; };
struct CopyFromRemote { RemoteBufferId buffer; View destination; std::optional<View> rows; };
struct CopyToRemote { View source; RemoteBufferId buffer; std::optional<View> rows; };
struct CrossReplicaCopy {
  View source, destination;
  std::vector<std::pair<unsigned, unsigned>> sourceOf; // (destination replica, source replica)
};
struct Repeat { std::uint32_t count; ProgramPtr body; };
struct RepeatWhile { ProgramPtr condition; View predicate; bool whileTrue; ProgramPtr body; };
struct If { View predicate; ProgramPtr thenBody, elseBody; };
struct Switch {
  View control;
  std::vector<std::pair<std::int32_t, ProgramPtr>> cases;
  ProgramPtr defaultCase;
  bool boundsChecked = false; // a value without a case is an error
};
struct CallFunction { FunctionId function; };
struct CallHostFunction { HostFunctionId function; std::vector<View> inputs, outputs; };
struct Sync { bool external; };
struct WriteUndef { View view; };
struct PrintTensor { std::string title; View view; poplar::PrintTensorFmt format; };
struct Abort { std::string message; };
struct AbortOnCondition { View predicate; std::string message; };
struct AssumeEqualAcrossReplicas { View view; };
// Cycles of the account on a tile, as UNSIGNED_INT[2], lower word first: those the body took, or those
// since the engine was loaded.
struct CycleCount { ProgramPtr body; View destination; TileId tile; };
struct CycleStamp { View destination; TileId tile; };

} // namespace node

struct ProgramNode {
  std::string name; // debug path, "layer0/forward"
  std::variant<node::Sequence, node::Block, node::Execute, node::CopyTensor, node::CopyFromStream,
               node::CopyToStream, node::CopyFromRemote, node::CopyToRemote, node::CrossReplicaCopy,
               node::Repeat, node::RepeatWhile, node::If, node::Switch, node::CallFunction,
               node::CallHostFunction, node::Sync, node::WriteUndef, node::PrintTensor, node::Abort,
               node::AbortOnCondition, node::AssumeEqualAcrossReplicas, node::CycleCount,
               node::CycleStamp>
      op;
  GraphOrigin graph = {}; // of its tensors, if it has any
};

} // namespace ipumodel
