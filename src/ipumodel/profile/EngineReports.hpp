// Reports that an engine writes by itself.
#pragma once

namespace ipumodel {

class EngineImpl;

// Writes what the autoReport options ask for into autoReport.directory; nothing when they ask for
// nothing. Throws std::runtime_error when it cannot be written.
void writeAutoReport(EngineImpl& engine);

} // namespace ipumodel
