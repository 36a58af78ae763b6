// The graph and the programs behind an executable, as bytes, so that a deserialised executable can
// keep an account.
#pragma once

#include "engine/ExecutableData.hpp"

namespace ipumodel {

class Reader;
class Writer;

// Estimators are functions and cannot be kept; what they say can.
void writeGraph(Writer& write, const ExecutableData& executable);

// Fills graph, programs and program.nodes. REQUIRES: the rest has been read.
void readGraph(Reader& read, ExecutableData& executable);

} // namespace ipumodel
