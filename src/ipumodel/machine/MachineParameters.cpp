#include "machine/MachineParameters.hpp"

#include "machine/ParameterTable.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <variant>

namespace ipumodel {
namespace {

void store(MachineParameters& parameters, const ParameterRow& row, double value) {
  if (const auto* count = std::get_if<CountMember>(&row.member))
    parameters.*(*count) = static_cast<std::uint64_t>(value);
  else
    parameters.*std::get<RateMember>(row.member) = value;
}

std::string knownNames() {
  std::string names;
  for (const ParameterRow& row : parameterTable())
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

} // namespace

MachineParameters MachineParameters::of(MachineVersion version) {
  return MachineDescription(version).parameters();
}

MachineDescription::MachineDescription(MachineVersion version) : parameters_{} {
  parameters_.version = version;
  const auto column = static_cast<std::size_t>(version);
  for (const ParameterRow& row : parameterTable()) {
    store(parameters_, row, row.value[column]);
    notes_.push_back({row.name, row.value[column], row.unit, row.source, row.confidence});
  }
}

void MachineDescription::set(std::string_view name, double value, std::string_view origin) {
  const auto& table = parameterTable();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const ParameterRow& row = table[i];
    if (row.name != name)
      continue;
    const bool whole = std::holds_alternative<CountMember>(row.member);
    if (!(value >= row.least && value <= row.most) || (whole && std::floor(value) != value))
      throw std::invalid_argument(
          "machine parameter " + std::string(name) + " = " + std::to_string(value) +
          "; it must be " + (whole ? "a whole number " : "") + "from " + std::to_string(row.least) +
          " to " + std::to_string(row.most) + " " + row.unit);
    if (value == notes_[i].value)
      return; // nothing is overridden: the source stays what it is
    store(parameters_, row, value);
    notes_[i].value = value;
    notes_[i].source = origin;
    notes_[i].confidence = Confidence::Chosen;
    return;
  }
  throw std::invalid_argument("unknown machine parameter '" + std::string(name) + "'; known are " +
                              knownNames());
}

void MachineDescription::setAll(std::string_view assignments, std::string_view origin) {
  while (!assignments.empty()) {
    const std::string_view item = assignments.substr(0, assignments.find(','));
    assignments.remove_prefix(std::min(assignments.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    double value = 0;
    const char* end = item.data() + item.size();
    const char* begin = equals == item.npos ? end : item.data() + equals + 1;
    const auto parsed = std::from_chars(begin, end, value);
    if (begin == end || parsed.ec != std::errc() || parsed.ptr != end)
      throw std::invalid_argument("machine parameter '" + std::string(item) +
                                  "' is not of the form name=number");
    set(item.substr(0, equals), value, origin);
  }
}

MachineVersion machineVersion(std::string_view name) {
  if (name == "ipu1" || name == "mk1")
    return MachineVersion::Mk1;
  if (name == "ipu2" || name == "gc200")
    return MachineVersion::Gc200;
  if (name == "bow")
    return MachineVersion::Bow;
  if (name == "ipu21" || name == "c600")
    return MachineVersion::C600;
  throw std::invalid_argument("unknown machine '" + std::string(name) +
                              "'; known are ipu1 (mk1), ipu2 (gc200), bow, ipu21 (c600)");
}

std::string_view toString(MachineVersion version) {
  constexpr std::string_view names[] = {"mk1", "gc200", "bow", "c600"};
  return names[static_cast<std::size_t>(version)];
}

std::string_view toString(Confidence confidence) {
  constexpr std::string_view names[] = {"vendor", "third party", "derived", "uncalibrated",
                                        "chosen"};
  return names[static_cast<std::size_t>(confidence)];
}

std::uint64_t cyclesOf(double seconds, const MachineParameters& machine) {
  // A hair is taken off first, so that a time that came from whole cycles gives them back.
  return static_cast<std::uint64_t>(std::ceil(seconds * machine.clockHz * (1 - 1e-12)));
}

} // namespace ipumodel
