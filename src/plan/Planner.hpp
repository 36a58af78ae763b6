// From one number, the bytes there are, to a schedule: evaluates every strategy with its best
// parameters and takes the fastest that fits.
#pragma once

#include "network/NetworkSpec.hpp"
#include "plan/MemoryModel.hpp"
#include "plan/ScheduleCounts.hpp"
#include "plan/Strategy.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace spillway::plan {

struct PlanRequest {
  Step numSteps = 1;
  std::uint64_t budgetBytes = 0; // of the largest tile, or of all of them
  // What has to be set as a budget for so many bytes to be left of it. None: as many.
  std::function<std::uint64_t(std::uint64_t)> budgetLeaving = nullptr;
  MemoryModel::Limit limit = MemoryModel::Limit::PerTile;
  Costs costs;               // spikeWrite and spikeRead are worked out from:
  double spikePerStep = 0.0; // moving the spikes of one step, one way
  double spikeLatency = 0.0; // per transfer of a block
  // What Streaming Memory holds: so many states, spilled spikes and cached values taking the room
  // of as many as have their bytes; and so many bytes of everything. None: enough.
  std::optional<std::uint32_t> remoteRows;
  std::optional<std::uint64_t> remoteBytes;
  bool overlap = false; // transfers may run beside compute
  // What that costs where tiles are set aside for it: f, r, b and memory of the machine with IO
  // tiles. None: nothing.
  struct Beside {
    Costs costs;
    std::shared_ptr<const MemoryModel> memory;
    std::uint32_t numIoTiles = 0;
  };
  std::optional<Beside> beside;
  bool surrogateCache = false;                    // the network allows it: surrogateCacheIsExact()
  double cachePerStep = 0.0;                      // moving the cached values of one step, one way
  double cacheForward = 0.0, cacheBackward = 0.0; // what caching adds to f and b
  bool spillSpikes = false;                       // the spike history may go to Streaming Memory
  // A larger block of spikes has left the cache of a host's core before it is used again, and what
  // comes back takes so much more. None: no cache.
  struct HostCache {
    std::uint64_t bytes = 0;
    double missPerByte = 0.0;
  };
  std::optional<HostCache> hostCache;
  // chunk, remoteChunk, numLocal, numSlots, and spikeBlock with its buffers, where not 0; form
  StrategyChoice fixed;
  // Blocks of spikes that were asked for, where not 0: fixed for chains that are longer than one.
  // The history of any other stays on chip.
  Step askedSpikeBlock = 0;
  std::uint32_t askedSpikeBuffers = 0;
};

// The same for another number of steps.
PlanRequest withSteps(PlanRequest request, Step numSteps);

// Storing every state and spike, whether that fits or not.
double timeOfBase(const PlanRequest& request);

// f, r, b and transfers as the strategy has them.
const Costs& costsOf(Strategy strategy, const PlanRequest& request);

// The memory that the schedule runs in: with IO tiles where its transfers overlap and need them.
const MemoryModel& memoryFor(const Schedule& schedule, const PlanRequest& request,
                             const MemoryModel& memory);

// Of Streaming Memory.
struct RemoteNeed {
  std::uint64_t bytes = 0, rows = 0;
};

// One row of the table.
struct StrategyPlan {
  StrategyChoice choice; // fastest that fits; or, if nothing does, leanest
  bool fits = false;
  bool fitsRemote = true;                   // whatever the budget
  std::optional<std::uint32_t> rowsOffered; // for states; none: enough
  ScheduleCounts counts;
  std::size_t numActions = 0;
  TimeSplit time;
  double lowerBound = 0.0; // for the slots the budget leaves
  // Of Optimal: no schedule with its slots and rows that transfers one state at a time is faster,
  // but for the cost of actions.
  std::optional<bool> isExact;
  MemoryDemand demand;
  MemoryUse memory;
  RemoteUse remote;
  std::optional<std::uint64_t> smallestBudget; // none: more than Streaming Memory holds
  // Where it does not fit and Streaming Memory is limited: what would be enough with this budget.
  std::optional<RemoteNeed> smallestRemote;
  // A step more does not fit. None: as Streaming Memory allows. Exact up to kExactLength.
  std::optional<Step> largestSteps;
  bool spillHelps = false; // the history is spilled: it did not fit, or made no room
};

// One line: how far the row is from its lower bound and, of Optimal, whether it is exact.
std::string certificateOf(const StrategyPlan& plan);

struct Plan {
  std::vector<StrategyPlan> table; // of kAllStrategies those the request allows
  std::optional<std::size_t> chosen;
  std::string reason; // one line
  std::optional<std::uint64_t> smallestBudget;
  std::optional<RemoteNeed> smallestRemote;
  std::optional<Step> largestSteps; // of any strategy
};

// Beyond so many steps each trial of a length would take long: the largest number is then what
// slots and spikes alone allow, which tables of actions may spoil by little.
inline constexpr Step kExactLength = 1u << 17;

// Whether the largest number of steps is worked out too, and the smallest budget, which takes most
// of a plan's time.
enum class PlanDetail { Times, Lengths, Limits };
StrategyPlan planStrategy(Strategy strategy, const PlanRequest& request, const MemoryModel& memory,
                          PlanDetail detail = PlanDetail::Limits);
// Where nothing fits, with both limits unless times alone are asked for.
Plan planAll(const PlanRequest& request, const MemoryModel& memory,
             PlanDetail detail = PlanDetail::Limits);
// The same of one strategy, whether the request allows it or not.
Plan planOnly(Strategy strategy, const PlanRequest& request, const MemoryModel& memory,
              PlanDetail detail = PlanDetail::Limits);

// Whether the request allows the strategy at all.
bool isAllowed(Strategy strategy, const PlanRequest& request);

// Why a plan chose nothing: the smallest budget, as it has to be set, the most steps and, where it
// is limited, the least Streaming Memory that would do.
std::string whatWouldFit(const PlanRequest& request, std::optional<std::uint64_t> smallestBudget,
                         std::optional<Step> largestSteps,
                         const std::optional<RemoteNeed>& smallestRemote);

// Whether the strategy has parameters with which its slots and spikes fit; its table of actions may
// still be too long.
bool mayFit(Strategy strategy, const PlanRequest& request, const MemoryModel& memory);

// The schedule of a row.
Schedule scheduleOf(const StrategyPlan& plan, const PlanRequest& request);

// Whether the backward pass reads the state at the stored ids alone, so that `cached` is exact: LIF
// and ALIF layers that let the adjoint pass a reset, whose neurons do not all learn at every step,
// and no loss on every step's potential.
bool surrogateCacheIsExact(const NetworkSpec& network);

} // namespace spillway::plan
