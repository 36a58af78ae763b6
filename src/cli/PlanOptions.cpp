#include "cli/PlanOptions.hpp"

#include "config/Values.hpp"
#include "network/UserError.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace spillway {
namespace {

namespace po = boost::program_options;

struct CostOption {
  const char* name;
  double plan::Costs::*cost;
  const char* meaning;
};
constexpr CostOption kCosts[] = {
    {"forward", &plan::Costs::forward, "f, a full forward step"},
    {"light", &plan::Costs::light, "r, a light step"},
    {"backward", &plan::Costs::backward, "b, a backward step"},
    {"write", &plan::Costs::writePerState, "w, a state to Streaming Memory"},
    {"read", &plan::Costs::readPerState, "rd, a state from there"},
    {"write-latency", &plan::Costs::writeLatency, "a write operation, however many states"},
    {"read-latency", &plan::Costs::readLatency, "a read operation"},
    {"per-action", &plan::Costs::perAction, "starting any action"}};

std::uint32_t atLeastOne(const po::variables_map& given, const char* name) {
  return wholeNumber(given, name, 1);
}

std::uint64_t bytesGiven(const po::variables_map& given, const char* name) {
  try {
    return parseBytes(given[name].as<std::string>());
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("--{} {}: {}", name, given[name].as<std::string>(), error.what()));
  }
}

} // namespace

void addPlanOptions(po::options_description& options) {
  auto add = options.add_options();
  add("activity", po::value<double>()->value_name("SHARE"),
      "how full lists of ids are, as a share of their caps [1; where there is no cap 0.05 of the "
      "size, of event-based units 0.5, as untrained ones have]");
  add("layout", po::value<std::string>()->default_value("ours")->value_name("ours|paper"),
      "whose bytes and step costs: our graphs', or those of the implementation the checkpointing "
      "paper was measured with");
  add("steps", po::value<std::int64_t>()->value_name("T"),
      "steps, in place of data.steps; needed with --slots");
  add("slots", po::value<std::int64_t>()->value_name("N"),
      "plan with N slots for states instead of bytes; needs no CONFIG");
  add("rows", po::value<std::int64_t>()->value_name("N"),
      "states that Streaming Memory holds; spilled spikes take the room of as many as have their "
      "bytes [enough]");
  add("remote-capacity", po::value<std::string>()->value_name("BYTES"),
      "checkpoint.remoteCapacity: what all that is spilled may take [enough]");
  add("chunk", po::value<std::int64_t>()->value_name("STEPS"), "checkpoint.chunk [chosen]");
  add("remote-chunk", po::value<std::int64_t>()->value_name("STEPS"),
      "checkpoint.remoteChunk [chosen]");
  add("local", po::value<std::int64_t>()->value_name("N"),
      "checkpoints of a transfer (hierarchical) [chosen]");
  add("literal", "the published forms of the paper's strategies");
  add("synchronous", "transfers hold up compute: no streamed");
  for (const CostOption& option : kCosts) {
    const std::string text = fmt::format("{} [cycles as modelled; with --slots, in any unit, {:g}]",
                                         option.meaning, plan::Costs{}.*option.cost);
    add(option.name, po::value<double>()->value_name("COST"), text.c_str());
  }
}

PlanOptions planOptions(const po::variables_map& given) {
  PlanOptions options;
  if (given.contains("activity")) {
    options.activity = given["activity"].as<double>();
    if (!(*options.activity > 0.0 && *options.activity <= 1.0)) {
      throw UserError(
          fmt::format("--activity {}: must be above 0 and at most 1", *options.activity));
    }
  }
  const std::string layout = given["layout"].as<std::string>();
  if (layout != "ours" && layout != "paper") {
    throw UserError("--layout " + layout + ": must be ours or paper");
  }
  options.layout = layout == "ours" ? PlanOptions::Layout::Ours : PlanOptions::Layout::Paper;
  return options;
}

std::optional<std::uint32_t> stepsGiven(const po::variables_map& given) {
  return given.contains("steps") ? std::optional(atLeastOne(given, "steps")) : std::nullopt;
}

void applyGiven(plan::PlanRequest& request, const po::variables_map& given) {
  for (const CostOption& option : kCosts) {
    if (given.contains(option.name)) {
      const double cost = given[option.name].as<double>();
      if (!(cost >= 0.0 && cost < 1e18)) {
        throw UserError(
            fmt::format("--{} {}: must be at least 0 and below 1e18", option.name, cost));
      }
      request.costs.*option.cost = cost;
      if (request.beside) {
        request.beside->costs.*option.cost = cost;
      }
    }
  }
  if (given.contains("rows")) {
    request.remoteRows = wholeNumber(given, "rows", 0);
  }
  if (given.contains("remote-capacity")) {
    request.remoteBytes = bytesGiven(given, "remote-capacity");
  }
  if (given.contains("chunk")) {
    request.fixed.chunk = atLeastOne(given, "chunk");
  }
  if (given.contains("remote-chunk")) {
    request.fixed.remoteChunk = atLeastOne(given, "remote-chunk");
  }
  if (given.contains("local")) {
    request.fixed.numLocal = atLeastOne(given, "local");
  }
  if (given.contains("literal")) {
    request.fixed.form = plan::Form::Literal;
  }
  if (given.contains("synchronous")) {
    request.overlap = false;
  }
}

PlanInputs slotInputs(const po::variables_map& given) {
  if (!given.contains("steps")) {
    throw UserError("--slots without a CONFIG needs --steps");
  }
  // A machine of one tile whose only bytes are states of one byte, and one that stages transfers.
  plan::MachineBytes machine;
  machine.tiles.resize(2);
  machine.tiles[0].stateBytes = 1;
  machine.numIoTiles = 1;
  plan::PlanRequest request;
  request.numSteps = atLeastOne(given, "steps");
  request.budgetBytes = atLeastOne(given, "slots");
  request.overlap = true;
  applyGiven(request, given);
  return {.memory = plan::MemoryModel(machine),
          .request = request,
          .clockHz = 1.0,
          .assumptions = fmt::format(
              "{} slots; f {:g}, r {:g}, b {:g}, write {:g} + {:g}, read {:g} + {:g}",
              request.budgetBytes, request.costs.forward, request.costs.light,
              request.costs.backward, request.costs.writePerState, request.costs.writeLatency,
              request.costs.readPerState, request.costs.readLatency)};
}

} // namespace spillway
