#include "data/Delays.hpp"

#include <algorithm>

namespace spillway {

namespace {

// The events of one step, as indices.
struct Row {
  std::size_t begin = 0, end = 0;
};

std::vector<Row> rowsOf(const std::vector<Event>& events, std::uint32_t numSteps) {
  std::vector<Row> rows(numSteps);
  for (std::size_t i = 0; i < events.size(); ++i) {
    Row& row = rows.at(events[i].step);
    row.begin = row.end == 0 ? i : row.begin;
    row.end = i + 1;
  }
  return rows;
}

} // namespace

void addDelays(const Delays& delays, std::uint32_t numInputs, std::uint32_t numSteps,
               std::vector<Event>& events) {
  if (delays.count <= 1) {
    return;
  }
  // Later arrivals have larger ids, so every step's rows are in order one behind the other.
  const std::vector<Row> rows = rowsOf(events, numSteps);
  std::vector<Event> arrivals;
  arrivals.reserve(events.size() * delays.count);
  for (std::uint32_t step = 0; step < numSteps; ++step) {
    const std::uint32_t last = std::min(delays.count - 1, step / delays.spacing);
    for (std::uint32_t k = 0; k <= last; ++k) {
      const Row& row = rows[step - k * delays.spacing];
      for (std::size_t i = row.begin; i < row.end; ++i) {
        arrivals.push_back(
            {step, static_cast<std::uint16_t>(k * numInputs + events[i].id), events[i].value});
      }
    }
  }
  events = std::move(arrivals);
}

} // namespace spillway
