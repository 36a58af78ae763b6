// What poplar::Tensor tells about its elements.
#include "graph/Access.hpp"
#include "graph/TypeInfo.hpp"
#include "graph/Values.hpp"
#include "graph/ViewQueries.hpp"

#include <poplar/Tensor.hpp>

#include <algorithm>
#include <iostream>
#include <set>

namespace poplar {

using ipumodel::regionsOf;
using ipumodel::View;
using ipumodel::viewOf;

bool Tensor::isContiguous() const {
  return regionsOf(viewOf(*this)).size() <= 1;
}

bool Tensor::containsAliases() const {
  return ipumodel::containsAliases(viewOf(*this));
}

bool Tensor::containsConstant() const {
  const auto& boxes = viewOf(*this).boxes;
  const auto& variables = data_->graph->variables;
  return std::any_of(boxes.begin(), boxes.end(), [&](const ipumodel::Box& box) {
    return variables[box.var.value].kind != ipumodel::VariableKind::Variable;
  });
}

bool Tensor::readConstant(void* value, const TypeTraits& traits) const {
  const View& view = viewOf(*this);
  if (view.numElements() != 1)
    return false;
  const ipumodel::Box& box = view.boxes.front();
  const ipumodel::Variable& variable = data_->graph->variables[box.var.value];
  if (variable.kind != ipumodel::VariableKind::Constant)
    return false;
  const std::size_t begin = static_cast<std::size_t>(box.offset) * ipumodel::sizeOf(view.type);
  ipumodel::toHost(variable.initial.data() + begin, view.type, 1, value, traits);
  return true;
}

bool Tensor::isParallelWriteable() const {
  return !containsConstant() && !containsAliases();
}

bool Tensor::intersectsWith(const Tensor& other) const {
  const View& view = viewOf(*this);
  return ipumodel::intersects(view, viewOf(other)) && data_->graph == other.data_->graph;
}

std::vector<Interval> Tensor::getContiguousRegions() const {
  std::vector<Interval> out;
  for (const ipumodel::Region& r : regionsOf(viewOf(*this)))
    out.emplace_back(r.position, r.position + r.count);
  return out;
}

std::vector<VariableInterval> Tensor::getVarRegions() const {
  std::vector<VariableInterval> out;
  for (const ipumodel::Region& r : regionsOf(viewOf(*this)))
    out.emplace_back(VariableRef(r.var.value), Interval(r.begin, r.end()));
  return out;
}

std::string Tensor::shapeToString() const {
  std::string out = "{";
  const char* separator = "";
  for (std::size_t extent : viewOf(*this).shape) {
    out += separator + std::to_string(extent);
    separator = ",";
  }
  return out + "}";
}

std::string Tensor::getVarStr() const {
  std::set<std::uint32_t> vars;
  for (const ipumodel::Box& box : viewOf(*this).boxes)
    vars.insert(box.var.value);
  constexpr std::size_t kShown = 3;
  std::string out;
  std::size_t n = 0;
  for (std::uint32_t var : vars) {
    if (n++ == kShown)
      return out + ", ... (" + std::to_string(vars.size()) + " variables)";
    const std::string& name = data_->graph->variables[var].name;
    out += (out.empty() ? "'" : ", '") + (name.empty() ? "var" + std::to_string(var) : name) + "'";
  }
  return out.empty() ? "of no elements" : out;
}

std::string Tensor::getDebugStr() const {
  return getVarStr() + " " + elementType().toString() + shapeToString();
}

void Tensor::dump() const {
  std::cout << *this << "\n";
}

void Tensor::dumpRegions(std::ostream& os) const {
  for (const ipumodel::Region& r : regionsOf(viewOf(*this)))
    os << "[" << r.position << "," << r.position + r.count << ") is '"
       << data_->graph->variables[r.var.value].name << "' [" << r.begin << "," << r.end() << ")\n";
}

bool Tensor::operator==(const Tensor& other) const {
  if (!valid() || !other.valid())
    return valid() == other.valid();
  const View& a = viewOf(*this);
  const View& b = viewOf(other);
  return data_ == other.data_ || (data_->graph == other.data_->graph && a.type == b.type &&
                                  a.shape == b.shape && ipumodel::sameElements(a, b));
}

std::ostream& operator<<(std::ostream& os, const Tensor& t) {
  return t.valid() ? os << t.getDebugStr() : os << "invalid tensor";
}

std::ostream& operator<<(std::ostream& os, const VariableRef& var) {
  return os << "var" << var.id;
}
std::ostream& operator<<(std::ostream& os, const VariableInterval& i) {
  return os << i.var << i.interval;
}

} // namespace poplar
