// The session the settings ask for, on the device they ask for.
#pragma once

#include "config/Config.hpp"
#include "parallel/Ranks.hpp"
#include "train/GraphSession.hpp"

#include <memory>
#include <string>

namespace spillway {

struct OpenedSession {
  std::unique_ptr<TrainingSession> session;
  std::string scheduleReason; // why `auto` chose what it chose; empty without auto
};

// What a session that runs the schedule is made from.
SessionRequest sessionRequest(const Settings& settings, plan::Schedule schedule);

// How many copies of the network share batches, and how. Where numProcesses > 1 their graphs are
// one.
struct Replication {
  std::uint32_t numReplicas = 1, numProcesses = 1, process = 0;
  GradientSharing sharing;
};
Replication replicationOf(const Settings& settings, const Ranks& ranks);
SessionRequest replicated(SessionRequest request, const Replication& replication);

// REQUIRES: settings as openData() left them. Throws ConfigError if the device is not to be had, if
// nothing fits, or for a setting no device can honour.
OpenedSession openSession(const Settings& settings, const Origins& origins,
                          Tracing tracing = Tracing::Off, const Replication& replication = {});

} // namespace spillway
