#include "cli/TrainedParameters.hpp"

#include "network/IoError.hpp"
#include "train/Snapshot.hpp"
#include "train/StartingParameters.hpp"

namespace spillway {

TrainedParameters trainedParameters(const std::filesystem::path& target,
                                    const std::string& snapshot, const Settings& settings,
                                    std::ostream& remarks) {
  std::optional<Snapshot> found;
  if (!snapshot.empty()) {
    found = readSnapshot(snapshot, settings.network);
  } else if (!std::filesystem::is_directory(target)) {
    return {startingParameters(settings), 0};
  } else {
    std::vector<std::string> damaged;
    found = SnapshotStore(target / "snapshots", 1).loadNewest(settings.network, damaged);
    for (const std::string& line : damaged) {
      remarks << line << (found ? "; using the one before\n" : "\n");
    }
  }
  if (!found) {
    throw IoError(target.string() + " holds no intact snapshot");
  }
  return {std::move(found->parameters), found->update};
}

} // namespace spillway
