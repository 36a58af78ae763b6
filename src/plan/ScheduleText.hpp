// Schedules as text: a header, then one action a line, words separated by single spaces. Steps,
// states, slots and rows count from 0; a slot may be the word `initial`.
//
//   schedule steps T slots S rows R staging G
//   forward B E last from SRC to SLOT     steps [B,E), state E kept in SLOT
//   forward B E all from SRC to SLOT      states B+1 .. E kept in SLOT, SLOT+1, ...
//   light B E last|all from SRC to SLOT   the same, from stored spikes
//   backward B E at SLOT                  steps E-1 .. B; state B+1 in SLOT, the others following
//   copy SRC to SLOT
//   write SLOT row R count N              slots SLOT .. to rows R .., one operation; compute waits
//   read SLOT row R count N
//   start-write SLOT row R                overlapped, through the outgoing buffer
//   start-read row R                      overlapped, into the incoming buffer
//   finish-read SLOT row R
//   write-spikes BUFFER block K           spilled spike history; compute waits
//   read-spikes BUFFER block K
//
// With a spilled spike history the header ends in `spikes block D buffers N`, and forward, light
// and backward in `spikes BUFFER`. A schedule that caches the surrogate says `surrogate cached` at
// the end of the header, and its backward is `at initial`.
#pragma once

#include "plan/Schedule.hpp"

#include <iosfwd>
#include <string>

namespace spillway::plan {

enum class ShowSpikes { No, Yes };

// One line, without the newline.
std::string toText(const Action& action, ShowSpikes spikes = ShowSpikes::No);
void writeText(std::ostream& out, const Schedule& schedule);

// Reads what writeText wrote: parse(write(s)) == s. Empty lines and lines that begin with # are
// skipped. Throws UserError naming the line otherwise. Does not replay the schedule (see
// Simulator).
Schedule parseSchedule(std::istream& in);

} // namespace spillway::plan
