#include "plan/OurHistoryLayout.hpp"

#include "codelets/maths/AppendedLists.hpp"

#include <algorithm>
#include <optional>

namespace spillway::plan {

namespace {

constexpr std::uint64_t kFloatBytes = 4;
constexpr std::uint64_t kBeginBytes = 4; // of a list that is appended

bool exchanges(const LayoutInWork& work) {
  return work.layout.history == OurLayout::History::OverAllTiles;
}

// Values stand beside lists that are appended where the backward pass reads them in place.
bool valuesAreAppended(const LayoutInWork& work, std::size_t list) {
  return work.layout.blockSteps > 1 && work.shapes.units[list - 1].stateFloats == 1;
}

} // namespace

void addLists(const LayoutInWork& work, TileBytes& tile, const ListPart& part) {
  const Shapes& shapes = work.shapes;
  const std::uint64_t bytes = part.numSamples * part.numWords * shapes.idBytes;
  tile.spikeBytesPerStep += bytes;
  const auto maskWords = exchanges(work) ? std::nullopt : shapes.maskWords(part.list);
  const std::uint64_t masked = part.numSamples * maskWords.value_or(0) * shapes.idBytes;
  tile.maskBytesPerStep += masked;
  tile.spilledBytesPerStep += maskWords ? masked : bytes;
  if (part.list == 0) {
    tile.inputBytesPerStep += bytes;
    tile.spilledInputBytesPerStep += maskWords ? masked : bytes;
    return;
  }
  // The cache has a float beside every id; the header needs none.
  const std::uint64_t header = shapes.width(part.list) - shapes.capacities[part.list];
  const std::uint64_t entries =
      part.numWords -
      (part.firstWord < header ? std::min(header - part.firstWord, part.numWords) : 0);
  tile.cacheBytesPerStep += part.numSamples * entries * kFloatBytes;
  if (!work.machine.appendsLists)
    return;
  // Lists then begin at whole places, of which there is a table.
  const std::uint64_t room = appendedWords(static_cast<std::uint32_t>(part.numWords));
  tile.appendedSpikeBytesPerStep +=
      part.numSamples * ((room - part.numWords) * shapes.idBytes + kBeginBytes);
  if (valuesAreAppended(work, part.list))
    tile.appendedCacheBytesPerStep += part.numSamples * (room - entries) * kFloatBytes;
}

} // namespace spillway::plan
