// A batch's events as the lists that the device takes.
#pragma once

#include "data/EventBatch.hpp"
#include "graphs/Geometry.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spillway {

// Fills `lists` with steps [begin, end), at most a history block, as Lists::stored lays them out.
// Throws UserError for a batch in a file that a gated network would need values of.
void fillInputLists(const EventBatch& batch, std::size_t begin, std::size_t end,
                    const Geometry& geometry, std::vector<std::uint16_t>& lists);

// The word of every step and sample, [numSteps][numSamples], kNoWord where there is none.
void fillWords(const EventBatch& batch, std::vector<std::int32_t>& words);

// Throws std::logic_error unless the batch has the shape and the sort of events the network takes.
void requireShape(const EventBatch& batch, const Geometry& geometry);

} // namespace spillway
