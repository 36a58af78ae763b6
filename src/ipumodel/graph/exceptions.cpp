#include <poplar/DebugContext.hpp>
#include <poplar/exceptions.hpp>

namespace poplar {

void poplar_error::attachSourceLocation(const DebugContext& debugContext) {
  const SourceLocation& at = debugContext.getLocation();
  if (at.isValid())
    message_ += std::string(" (") + at.getFileName() + ":" + std::to_string(at.getLineNumber()) +
                " in " + at.getFunctionName() + ")";
}

std::string toString(RecoveryAction action) {
  switch (action) {
  case RecoveryAction::IPU_RESET:
    return "IPU_RESET";
  case RecoveryAction::LINK_RESET:
    return "LINK_RESET";
  case RecoveryAction::PARTITION_RESET:
    return "PARTITION_RESET";
  case RecoveryAction::FULL_RESET:
    return "FULL_RESET";
  }
  throw poplar_error("unknown RecoveryAction");
}

std::ostream& operator<<(std::ostream& os, RecoveryAction action) {
  return os << toString(action);
}

} // namespace poplar
