// The table behind MachineParameters: name, unit, value on each machine, source, legal range.
#pragma once

#include "machine/MachineParameters.hpp"

#include <variant>
#include <vector>

namespace ipumodel {

using CountMember = std::uint64_t MachineParameters::*;
using RateMember = double MachineParameters::*;

struct ParameterRow {
  const char* name;
  const char* unit;
  std::variant<CountMember, RateMember> member;
  double value[4]; // in the order of MachineVersion
  const char* source;
  Confidence confidence;
  double least, most; // legal range of an override
};

const std::vector<ParameterRow>& parameterTable();

} // namespace ipumodel
