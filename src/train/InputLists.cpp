#include "train/InputLists.hpp"

#include "data/EventFile.hpp"
#include "maths/Lists.hpp"
#include "network/UserError.hpp"

#include <algorithm>
#include <cstring>

namespace spillway {
namespace {

void fillValues(const EventBatch& batch, std::size_t row, std::uint16_t* to) {
  std::vector<float> values(batch.counts[row], 1.0f);
  if (!batch.values.empty()) {
    const float* from = batch.values.data() + row * batch.maxEvents;
    values.assign(from, from + batch.counts[row]);
  }
  std::memcpy(to, values.data(), values.size() * sizeof(float));
}

void fillFromFile(const EventFile& file, std::uint32_t numSamples, std::size_t begin,
                  std::size_t end, std::size_t width, std::vector<std::uint16_t>& lists) {
  std::vector<std::uint16_t> rows((end - begin) * file.rowWords());
  for (std::uint32_t sample = 0; sample < numSamples; ++sample) {
    file.read(sample, begin, rows);
    for (std::size_t t = 0; t < end - begin; ++t) {
      const std::uint16_t* from = &rows[t * file.rowWords()];
      std::uint16_t* to = &lists[(t * numSamples + sample) * width];
      to[0] = to[1] = from[0];
      std::copy(from + 1, from + 1 + from[0], to + kListHeader);
    }
  }
}

} // namespace

void fillInputLists(const EventBatch& batch, std::size_t begin, std::size_t end,
                    const Geometry& geometry, std::vector<std::uint16_t>& lists) {
  const bool gated = geometry.network.isGated();
  const std::size_t width = geometry.lists[0].width();
  lists.resize((end - begin) * batch.numSamples * width);
  if (batch.file) {
    if (gated) {
      throw UserError("data.batchMemory: gated layers take a batch from memory alone");
    }
    fillFromFile(*batch.file, batch.numSamples, begin, end, width, lists);
    return;
  }
  std::uint16_t* to = lists.data();
  for (std::size_t row = begin * batch.numSamples; row < end * batch.numSamples;
       ++row, to += width) {
    const std::uint16_t count = batch.counts[row];
    to[0] = to[1] = count;
    const std::uint16_t* from = batch.ids.data() + row * batch.maxEvents;
    std::copy(from, from + count, to + kListHeader);
    if (gated) {
      fillValues(batch, row, to + valuesBegin(geometry.lists[0].capacity));
    }
  }
}

} // namespace spillway
