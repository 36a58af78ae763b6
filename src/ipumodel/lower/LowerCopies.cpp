#include "lower/LowerCopies.hpp"

#include "graph/TypeInfo.hpp"

#include <poplar/exceptions.hpp>

#include <algorithm>
#include <string>

namespace ipumodel {

MoveList CopyLowering::gather(const View& view) const {
  const std::uint64_t elementBytes = sizeOf(view.type);
  return makeMoves(segmentsOf(view, offsets_), packedSegments(0, view.numElements(), elementBytes),
                   elementBytes);
}

std::uint32_t CopyLowering::store(MoveList&& list) {
  program_.moveLists.push_back(std::move(list));
  return static_cast<std::uint32_t>(program_.moveLists.size() - 1);
}

LoweredCopy CopyLowering::tensorCopy(const ProgramNode& owner, const node::CopyTensor& copy) {
  const auto [it, isNew] = done_.try_emplace(&owner);
  LoweredCopy& result = it->second;
  if (!isNew)
    return result;
  if (copy.source.numElements() != copy.destination.numElements())
    throw poplar::control_program_error(
        "Copy '" + owner.name + "' from " + std::to_string(copy.source.numElements()) +
        " elements to " + std::to_string(copy.destination.numElements()));
  const std::uint64_t elementBytes = sizeOf(copy.source.type);
  const std::vector<Segment> from = segmentsOf(copy.source, offsets_);
  const std::vector<Segment> to = segmentsOf(copy.destination, offsets_);
  if (!overlap(from, to, elementBytes)) {
    result.moves = store(makeMoves(from, to, elementBytes));
    return result;
  }
  const std::uint64_t count = copy.source.numElements();
  const std::vector<Segment> packed = packedSegments(0, count, elementBytes);
  result.moves = store(makeMoves(from, packed, elementBytes));
  result.through = store(makeMoves(packed, to, elementBytes));
  program_.scratchBytes = std::max(program_.scratchBytes, count * elementBytes);
  return result;
}

std::uint32_t CopyLowering::fromPacked(const ProgramNode& owner, const View& destination) {
  const auto [it, isNew] = done_.try_emplace(&owner);
  if (isNew)
    it->second.moves = store(reversed(gather(destination)));
  return it->second.moves;
}

std::uint32_t CopyLowering::toPacked(const ProgramNode& owner, const View& source) {
  const auto [it, isNew] = done_.try_emplace(&owner);
  if (isNew)
    it->second.moves = store(gather(source));
  return it->second.moves;
}

std::uint32_t CopyLowering::remoteCopy(RemoteBufferId buffer, const View& tensor,
                                       const std::optional<View>& rows, RemoteDirection direction) {
  const RemoteBuffer& remote = graph_.remoteBuffers[buffer.value];
  const std::uint64_t elementBytes = sizeOf(tensor.type);
  const std::uint64_t rowElements = remote.numElements;
  const std::uint64_t numRows = rows ? rows->numElements() : 1;
  if (tensor.numElements() != numRows * rowElements)
    throw poplar::control_program_error("remote buffer '" + remote.handle + "': a tensor of " +
                                        std::to_string(tensor.numElements()) + " elements for " +
                                        std::to_string(numRows) + " rows of " +
                                        std::to_string(rowElements));
  RemoteCopy copy;
  copy.buffer = buffer.value;
  if (rows) {
    copy.rowsVariableOffset = static_cast<std::uint32_t>(program_.rowOffsets.size());
    program_.rowOffsets.push_back({elementsOf(*rows)});
  }
  const View flat = tensor.reshape({tensor.numElements()});
  for (std::uint64_t row = 0; row < numRows; ++row) {
    const View part =
        numRows == 1 ? flat : flat.slice(Dims{row * rowElements}, Dims{(row + 1) * rowElements});
    const std::vector<Segment> inTensor = segmentsOf(part, offsets_);
    const std::vector<Segment> inRow = packedSegments(0, rowElements, elementBytes);
    copy.rows.push_back(direction == RemoteDirection::FromRemote
                            ? makeMoves(inRow, inTensor, elementBytes)
                            : makeMoves(inTensor, inRow, elementBytes));
  }
  program_.remoteCopies.push_back(std::move(copy));
  return static_cast<std::uint32_t>(program_.remoteCopies.size() - 1);
}

std::uint32_t CopyLowering::crossReplica(const node::CrossReplicaCopy& copy) {
  CrossReplicaMoves moves;
  moves.gather = gather(copy.source);
  moves.scatter = reversed(gather(copy.destination));
  for (const auto& [destination, source] : copy.sourceOf) {
    if (destination >= graph_.replicationFactor || source >= graph_.replicationFactor)
      throw poplar::graph_replication_error("CrossReplicaCopy from replica " +
                                            std::to_string(source) + " to " +
                                            std::to_string(destination) + ", but there are " +
                                            std::to_string(graph_.replicationFactor) + " replicas");
    moves.sourceOf.emplace_back(destination, source);
  }
  program_.crossReplicaCopies.push_back(std::move(moves));
  return static_cast<std::uint32_t>(program_.crossReplicaCopies.size() - 1);
}

std::uint32_t CopyLowering::hostCall(const node::CallHostFunction& call) {
  HostCallMoves moves;
  moves.function = call.function.value;
  for (const View& input : call.inputs)
    moves.inputs.push_back(gather(input));
  for (const View& output : call.outputs)
    moves.outputs.push_back(reversed(gather(output)));
  const LoweredHostFunction& function = program_.hostFunctions[moves.function];
  const auto fit = [](const std::vector<MoveList>& lists, const std::vector<std::uint64_t>& bytes) {
    return std::equal(lists.begin(), lists.end(), bytes.begin(), bytes.end(),
                      [](const MoveList& list, std::uint64_t size) { return list.bytes == size; });
  };
  if (!fit(moves.inputs, function.inputBytes) || !fit(moves.outputs, function.outputBytes))
    throw poplar::control_program_error("the tensors of a call to host function '" +
                                        function.handle +
                                        "' do not fit the arguments it was added with");
  program_.hostCalls.push_back(std::move(moves));
  return static_cast<std::uint32_t>(program_.hostCalls.size() - 1);
}

std::uint32_t CopyLowering::print(const node::PrintTensor& print) {
  PrintRequest request;
  request.title = print.title;
  request.type = print.view.type;
  request.shape.assign(print.view.shape.begin(), print.view.shape.end());
  request.gather = gather(print.view);
  request.format = print.format;
  program_.prints.push_back(std::move(request));
  return static_cast<std::uint32_t>(program_.prints.size() - 1);
}

std::vector<ScalarRef> CopyLowering::elementsOf(const View& view) const {
  std::vector<ScalarRef> elements;
  for (const Segment& segment : segmentsOf(view, offsets_))
    for (std::uint64_t i = 0; i < segment.count; ++i)
      elements.push_back(
          {segment.offset + i * static_cast<std::uint64_t>(segment.strideBytes), view.type});
  return elements;
}

std::uint32_t CopyLowering::scalar(const View& view) {
  const std::vector<ScalarRef> elements = elementsOf(view);
  if (elements.size() != 1)
    throw poplar::control_program_error("a control value must have one element, not " +
                                        std::to_string(elements.size()));
  program_.scalars.push_back(elements.front());
  return static_cast<std::uint32_t>(program_.scalars.size() - 1);
}

} // namespace ipumodel
