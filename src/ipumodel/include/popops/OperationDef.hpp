// The operations of reductions. Shared with codelets.
#pragma once

namespace popops {

enum class Operation {
  ADD,
  MUL,
  MIN,
  MAX,
  LOGICAL_AND,
  LOGICAL_OR,
  SQUARE_ADD, // of the squares of the inputs
  LOG_ADD     // log of the sum of exponentials: for inputs that are logarithms
};

} // namespace popops
