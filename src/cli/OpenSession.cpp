#include "cli/OpenSession.hpp"

#include "network/UserError.hpp"

namespace spillway {

std::unique_ptr<TrainingSession> openSession(const Settings&) {
  throw UserError("openSession: this build has no training session on any device");
}

} // namespace spillway
