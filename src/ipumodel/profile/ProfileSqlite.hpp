// A profile as an SQLite database, for those who ask questions in SQL.
//
//   about(key, value)                                   producer, target, "figures" = "modelled"
//   machine(name, value, unit, source, confidence)
//   var_categories(id, name)
//   memory_by_tile(tile, always_live, peak, gaps, total)
//   memory_by_category(tile, category, always_live, peak)
//   variables(id, name, size_bytes, constant, always_live)
//   vertex_types(id, name, kind, code_bytes, instances)
//   compute_sets(compute_set, name, unknown_vertices, asked_vertices, measured_executions)
//   cycles_by_tile(compute_set, tile, estimated, measured)   of one execution, measured is a mean
//   programs(id, type, name, compute_set, bytes, executions, cycles)
//   program_children(parent, position, child)
//   liveness(position, program, bytes, busiest_tile_bytes)
//   steps(id, program, cycles_from, cycles)
//   runs(id, name, program, first_step, end_step, host_seconds)
#pragma once

#include "profile/ProfileData.hpp"

#include <string>

namespace ipumodel {

// Replaces a file of that name. Throws std::runtime_error when it cannot be written.
void writeProfileSqlite(const std::string& path, const ProfileData& profile);

} // namespace ipumodel
