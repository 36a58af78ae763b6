// What goes wrong, by class.
#pragma once

#include <poplar/ProfileValue.hpp>
#include <poplar/StringRef.hpp>

namespace poplar {

class DebugContext;

// The root of all errors of the library.
struct poplar_error : std::runtime_error {
  explicit poplar_error(const std::string& s) : std::runtime_error(s), message_(s) {}
  explicit poplar_error(const char* s) : std::runtime_error(s), message_(s) {}

  // Adds the place in the program that the failing call was made from.
  void attachSourceLocation(const DebugContext& debugContext);
  const char* what() const noexcept override { return message_.c_str(); }

private:
  std::string message_;
};

struct graph_program_compilation_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_object_creation_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_object_load_error : poplar_error {
  graph_object_load_error(const std::string& path, const std::string& error)
      : poplar_error("Error loading graph object " + path + ": " + error) {}
};
struct no_environment : poplar_error {
  using poplar_error::poplar_error;
};
struct unknown_vertex_type : poplar_error {
  explicit unknown_vertex_type(const std::string& name)
      : poplar_error("Unknown vertex type '" + name + "'") {}
};
struct unknown_field : poplar_error {
  using poplar_error::poplar_error;
  unknown_field(const std::string& vertexType, const std::string& fieldName)
      : poplar_error("Unknown field '" + fieldName + "' in vertex type '" + vertexType + "'") {}
};
struct control_program_error : poplar_error {
  using poplar_error::poplar_error;
};
struct type_error : poplar_error {
  using poplar_error::poplar_error;
};
struct index_error : poplar_error {
  using poplar_error::poplar_error;
  index_error(const std::string& vertexField, std::size_t index)
      : poplar_error("Index " + std::to_string(index) + " is out of bounds for field '" +
                     vertexField + "'") {}
};
struct no_size_specified : poplar_error {
  using poplar_error::poplar_error;
  no_size_specified(const std::string& fieldName, const std::string& vertexName)
      : poplar_error("No size specified for field '" + fieldName + "' of vertex '" + vertexName +
                     "'") {}
};
struct graph_connection_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_cycle_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_recursion_error : poplar_error {
  using poplar_error::poplar_error;
};
struct graph_replication_error : poplar_error {
  using poplar_error::poplar_error;
};
struct profiling_disabled : poplar_error {
  profiling_disabled() : poplar_error("Profiling is disabled for the engine") {}
  using poplar_error::poplar_error;
};
struct missing_profile_data : poplar_error {
  using poplar_error::poplar_error;
};
struct missing_graph_profile : poplar_error {
  using poplar_error::poplar_error;
};
struct missing_perf_estimate : poplar_error {
  using poplar_error::poplar_error;
};
typedef missing_perf_estimate missing_cycle_estimate;
struct invalid_tile_mapping : poplar_error {
  using poplar_error::poplar_error;
};
struct tensor_creation_error : poplar_error {
  using poplar_error::poplar_error;
};
struct tensor_io_state_error : poplar_error {
  using poplar_error::poplar_error;
};
struct tensor_metadata_error : poplar_error {
  using poplar_error::poplar_error;
};
struct stream_connection_error : poplar_error {
  using poplar_error::poplar_error;
};
struct overflow_error : poplar_error {
  using poplar_error::poplar_error;
};
struct memory_elem_constraints_error : poplar_error {
  using poplar_error::poplar_error;
};

// Code and data do not fit the tiles. profilePath names the report that was written, if any;
// graphProfile is what Engine::getGraphProfile would have returned.
struct graph_memory_allocation_error : poplar_error {
  using poplar_error::poplar_error;
  graph_memory_allocation_error(const std::string& s, const std::string& path,
                                const ProfileValue& profile = ProfileValue())
      : poplar_error(s), profilePath(path), graphProfile(profile) {}
  std::string profilePath;
  ProfileValue graphProfile;
};
struct stream_memory_allocation_error : poplar_error {
  using poplar_error::poplar_error;
};
struct invalid_machine_model : poplar_error {
  using poplar_error::poplar_error;
};
struct invalid_option : poplar_error {
  using poplar_error::poplar_error;
};
struct link_error : poplar_error {
  explicit link_error(const std::string& s, const std::string& out = "")
      : poplar_error(s), output(out) {}
  explicit link_error(const char* s, const char* out = "") : poplar_error(s), output(out) {}
  std::string output;
};
struct symbol_error : poplar_error {
  symbol_error(const std::string& name, const unsigned tile)
      : poplar_error("Symbol '" + name + "' not found on tile " + std::to_string(tile)) {}
};
struct file_load_error : poplar_error {
  explicit file_load_error(const std::string& path)
      : poplar_error("Failed to load file '" + path + "'") {}
};
struct parse_error : poplar_error {
  using poplar_error::poplar_error;
};

// Errors while a program runs.
struct runtime_error : poplar_error {
  using poplar_error::poplar_error;
};
// The program's own fault: an Abort, a floating-point exception, an index out of range.
struct application_runtime_error : runtime_error {
  using runtime_error::runtime_error;
};
struct system_runtime_error : runtime_error {
  using runtime_error::runtime_error;
};

enum class RecoveryAction { IPU_RESET, LINK_RESET, PARTITION_RESET, FULL_RESET };
std::string toString(RecoveryAction action);
std::ostream& operator<<(std::ostream& os, RecoveryAction action);

struct recoverable_runtime_error : system_runtime_error {
  recoverable_runtime_error(RecoveryAction action, const std::string& s)
      : system_runtime_error(s), action_(action) {}
  recoverable_runtime_error(RecoveryAction action, const char* s)
      : system_runtime_error(s), action_(action) {}
  RecoveryAction getRecoveryAction() const { return action_; }

private:
  RecoveryAction action_;
};
struct unrecoverable_runtime_error : system_runtime_error {
  using system_runtime_error::system_runtime_error;
};
struct unknown_runtime_error : system_runtime_error {
  using system_runtime_error::system_runtime_error;
};

} // namespace poplar
