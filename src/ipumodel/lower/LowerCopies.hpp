// Turns the data movements of programs into move lists.
#pragma once

#include "graph/GraphData.hpp"
#include "graph/ProgramNode.hpp"
#include "lower/LoweredProgram.hpp"
#include "lower/ViewSegments.hpp"

#include <optional>
#include <unordered_map>

namespace ipumodel {

// Index of the moves, and of a second list when the copy must go through scratch.
struct LoweredCopy {
  std::uint32_t moves = kNoMoves;
  std::uint32_t through = kNoMoves;
};

enum class RemoteDirection { FromRemote, ToRemote };

// Adds lists and tables to a LoweredProgram and returns their indices. A node that occurs twice in
// the program tree is lowered once.
class CopyLowering {
public:
  CopyLowering(const GraphData& graph, const VariableOffsets& offsets, LoweredProgram& program)
      : graph_(graph), offsets_(offsets), program_(program) {}

  LoweredCopy tensorCopy(const ProgramNode& owner, const node::CopyTensor& copy);
  std::uint32_t fromPacked(const ProgramNode& owner, const View& destination);
  std::uint32_t toPacked(const ProgramNode& owner, const View& source);
  std::uint32_t remoteCopy(RemoteBufferId buffer, const View& tensor,
                           const std::optional<View>& rows, RemoteDirection direction);
  std::uint32_t crossReplica(const node::CrossReplicaCopy& copy);
  std::uint32_t hostCall(const node::CallHostFunction& call);
  std::uint32_t print(const node::PrintTensor& print);
  // REQUIRES: one element.
  std::uint32_t scalar(const View& view);

private:
  MoveList gather(const View& view) const;
  std::uint32_t store(MoveList&& list);
  std::vector<ScalarRef> elementsOf(const View& view) const;

  const GraphData& graph_;
  const VariableOffsets& offsets_;
  LoweredProgram& program_;
  std::unordered_map<const ProgramNode*, LoweredCopy> done_;
};

} // namespace ipumodel
