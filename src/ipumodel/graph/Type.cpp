#include "graph/TypeInfo.hpp"

#include <poplar/exceptions.hpp>

#include <array>

namespace ipumodel {
namespace {

struct TypeRow {
  const char* name;
  std::size_t size;
  bool isSigned, isIntegral;
};

// In the order of the ids in poplar/Type.hpp.
constexpr std::array<TypeRow, 17> kTypes = {{
    {"invalid", 0, false, false},
    {"bool", sizeof(bool), false, false},
    {"char", sizeof(char), true, true},
    {"unsigned char", 1, false, true},
    {"signed char", 1, true, true},
    {"unsigned short", sizeof(short), false, true},
    {"short", sizeof(short), true, true},
    {"unsigned int", sizeof(int), false, true},
    {"int", sizeof(int), true, true},
    {"unsigned long", sizeof(long), false, true},
    {"long", sizeof(long), true, true},
    {"unsigned long long", sizeof(long long), false, true},
    {"long long", sizeof(long long), true, true},
    {"quarter", 1, true, false},
    {"half", 2, true, false},
    {"float", sizeof(float), true, false},
    {"quarter_metadata", 1, false, true},
}};

const TypeRow& row(poplar::Type type) {
  return kTypes.at(type.id());
}

} // namespace

std::size_t sizeOf(poplar::Type type) {
  if (type == poplar::Type())
    throw poplar::type_error("the size of an invalid type was asked for");
  return row(type).size;
}
bool isSigned(poplar::Type type) {
  return row(type).isSigned;
}
bool isIntegral(poplar::Type type) {
  return row(type).isIntegral;
}

} // namespace ipumodel

namespace poplar {

StringRef Type::toString() const {
  return ipumodel::row(*this).name;
}
bool Type::isFloatingPoint() const {
  return *this == FLOAT || *this == HALF || *this == QUARTER;
}
bool Type::requiresMetadata() const {
  return *this == QUARTER;
}
std::ostream& operator<<(std::ostream& os, const Type& t) {
  return os << t.toString();
}

} // namespace poplar
