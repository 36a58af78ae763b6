#include "plan/ClosedForms.hpp"

#include "plan/Require.hpp"

#include <algorithm>

namespace spillway::plan {

namespace {

using Count = std::uint64_t;

Count ceilDiv(Count a, Count b) {
  return (a + b - 1) / b;
}

// standard(k) over n states, x_0 free: slots and light steps.
struct Inner {
  Count slots = 0, light = 0;
};

Inner standardOver(Count n, Count k) {
  if (n == 0)
    return {};
  const Count numChunks = ceilDiv(n, k);
  const Count last = n - (numChunks - 1) * k;
  if (numChunks == 1)
    return {n, 0};
  return {std::max(numChunks - 1 + last, numChunks + k - 3), (numChunks - 1) * (k - 1)};
}

ScheduleCounts counts(Count numSteps, Count slots, Count light, Count transfers, Count ops) {
  ScheduleCounts result;
  result.forwardSteps = result.backwardSteps = numSteps;
  result.lightSteps = light;
  result.remoteWrites = result.remoteReads = transfers;
  result.remoteWriteOps = result.remoteReadOps = ops;
  result.slotsUsed = static_cast<std::uint32_t>(slots);
  return result;
}

} // namespace

ScheduleCounts baseCounts(Step numSteps) {
  requireAtLeastOne("T", numSteps);
  return counts(numSteps, numSteps, 0, 0, 0);
}

ScheduleCounts standardCounts(Step numSteps, Step chunk, Form form) {
  requireAtLeastOne("T", numSteps);
  requireAtLeastOne("chunk", chunk);
  const Count k = std::min(chunk, numSteps);
  if (form == Form::Literal)
    return counts(numSteps, k + ceilDiv(numSteps, k), numSteps, 0, 0);
  const Inner all = standardOver(numSteps, k);
  return counts(numSteps, all.slots, all.light, 0, 0);
}

ScheduleCounts remoteCounts(Step numSteps, Step chunk, Form form) {
  if (form == Form::Tight)
    return hierarchicalCounts(numSteps, chunk, 1);
  requireAtLeastOne("T", numSteps);
  requireAtLeastOne("chunk", chunk);
  const Count k = std::min(chunk, numSteps);
  const Count transfers = ceilDiv(numSteps, k);
  return counts(numSteps, k + 1, numSteps, transfers, transfers);
}

ScheduleCounts hierarchicalCounts(Step numSteps, Step chunk, Step numLocal, Form form) {
  requireAtLeastOne("T", numSteps);
  requireAtLeastOne("chunk", chunk);
  requireAtLeastOne("numLocal", numLocal);
  const Count k = std::min(chunk, numSteps), numChunks = ceilDiv(numSteps, k);
  const Count nl = std::min<Count>(numLocal, numChunks);
  if (form == Form::Literal) {
    const Count remoteBatches = ceilDiv(numChunks, nl) - 1;
    return counts(numSteps, k + nl, numSteps, remoteBatches * nl, remoteBatches);
  }
  if (numChunks == 1)
    return baseCounts(numSteps);
  const Count last = numSteps - (numChunks - 1) * k, checkpoints = numChunks - 1;
  const Count remoteBatches = ceilDiv(checkpoints, nl) - 1;
  const Count inLastBatch = checkpoints - remoteBatches * nl;
  Count slots = std::max(inLastBatch + last, inLastBatch + k - 2);
  if (remoteBatches > 0)
    slots = std::max(slots, nl + k - 1);
  return counts(numSteps, slots, checkpoints * (k - 1), remoteBatches * nl, remoteBatches);
}

ScheduleCounts doubleCounts(Step numSteps, Step remoteChunk, Step chunk, Form form) {
  requireAtLeastOne("T", numSteps);
  requireAtLeastOne("remoteChunk", remoteChunk);
  requireAtLeastOne("chunk", chunk);
  const Count K = std::min(remoteChunk, numSteps), k = std::min<Count>(chunk, K);
  const Count numSegments = ceilDiv(numSteps, K);
  if (form == Form::Literal)
    return counts(numSteps, k + ceilDiv(K, k), Count{2} * numSteps, numSegments, numSegments);
  const Count earlier = numSegments - 1, lastLength = numSteps - earlier * K;
  const Inner last = standardOver(lastLength, k), segment = standardOver(K - 1, k);
  Count slots = last.slots + (numSegments > 1);
  if (numSegments > 1)
    slots = std::max({slots, segment.slots + (numSegments > 2), Count{1}});
  const Count transfers = numSegments > 2 ? numSegments - 2 : 0;
  return counts(numSteps, slots, last.light + earlier * (K - 1 + segment.light), transfers,
                transfers);
}

} // namespace spillway::plan
