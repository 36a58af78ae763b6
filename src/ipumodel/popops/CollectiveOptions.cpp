#include "popops/CollectiveOptions.hpp"

#include "poputil/OptionValues.hpp"

#include <string>

namespace popops {
namespace {

using poputil::anything;
using poputil::oneOf;
using poputil::wholeNumber;

// Of these Graphcore has published only some, which differ from version to version.
bool isOfOneImplementation(const std::string& name) {
  return name.rfind("syncful.", 0) == 0 || name.rfind("syncless.", 0) == 0;
}

} // namespace

void checkCollectiveOptions(const poplar::OptionFlags& options) {
  static const poplibs::OptionSpec kSpec{
      {"method", oneOf({"auto", "anticlockwise_ring", "bidirectional_ring_pair", "broadcast",
                        "clockwise_ring", "meet_in_middle_ring", "quad_directional_ring"})},
      {"collectiveImplementation", anything()},
      {"useReplicatedImplementation", oneOf({"true", "false"})},
      {"useSynclessCollectives", oneOf({"true", "false", "auto", "hybrid"})},
      {"maxBytesPerTile", wholeNumber()},
      {"topology", anything()},
      {"link", anything()},
      {"syncful.maxBroadcastSize", wholeNumber()},
      {"syncful.useOptimisedLayout", oneOf({"true", "false"})}};
  for (const auto& flag : options)
    kSpec.parse(flag.first, flag.second, isOfOneImplementation(flag.first));
}

} // namespace popops
