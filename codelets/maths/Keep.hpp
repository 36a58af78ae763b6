// What the host tells a replica to do with the gradients of the micro-batch it has run.
#pragma once

namespace spillway {

enum KeepWord : unsigned {
  kKeepActive, // 0: it ran nothing, and keeps what it has
  kKeepSlot,   // of the stack, where the sum goes
  kKeepMerges, // sums above that slot, itself included, that are added to it
  kKeepWords
};

} // namespace spillway
