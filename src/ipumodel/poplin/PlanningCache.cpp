#include "poplin/PlanningKeys.hpp"

#include <poplin/PlanningCache.hpp>

#include <sstream>

namespace poplin {
namespace {

void add(std::ostream& text, const poplar::OptionFlags& options) {
  for (const auto& [name, value] : options)
    text << ' ' << name << '=' << value;
}

} // namespace

PlanningCache::PlanningCache() = default;
PlanningCache::~PlanningCache() = default;
std::size_t PlanningCache::size() const {
  return planned_.size();
}
void PlanningCache::add(const std::string& description) {
  planned_.insert(description);
}

std::string describe(const MatMulParams& params, const poplar::OptionFlags& options) {
  std::ostringstream text;
  text << "product " << params.inputType << ' ' << params.outputType;
  for (const auto* shape : {&params.aShape, &params.bShape}) {
    text << " of";
    for (const auto size : *shape)
      text << ' ' << size;
  }
  add(text, options);
  return text.str();
}

// Parameters that differ only in what no output uses are planned as one.
std::string describe(const ConvParams& params, const poplar::OptionFlags& options) {
  std::ostringstream text;
  text << params.canonicalize();
  add(text, options);
  return text.str();
}

} // namespace poplin
