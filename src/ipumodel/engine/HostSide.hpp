// Everything on the host that a running program may reach.
#pragma once

#include "engine/HostFunctionTable.hpp"
#include "engine/StreamTable.hpp"

#include <iostream>

namespace ipumodel {

struct HostSide {
  HostSide(const LoweredProgram& program, Prefetch prefetch)
      : streams(program, prefetch), functions(program) {}

  StreamTable streams;
  HostFunctionTable functions;
  std::ostream* printStream = &std::cerr;
};

} // namespace ipumodel
