#include <poplar/ProfileValue.hpp>
#include <poplar/exceptions.hpp>

#include <nlohmann/json.hpp>

#include <cmath>

namespace poplar {
namespace {

const char* name(ProfileValue::Type type) {
  switch (type) {
  case ProfileValue::Type::BOOL_:
    return "bool";
  case ProfileValue::Type::STRING:
    return "string";
  case ProfileValue::Type::NUMBER:
    return "number";
  case ProfileValue::Type::VECTOR:
    return "vector";
  case ProfileValue::Type::MAP:
    return "map";
  }
  return "unknown";
}

void require(ProfileValue::Type is, ProfileValue::Type wanted) {
  if (is != wanted)
    throw poplar_error(std::string("profile value is a ") + name(is) + ", not a " + name(wanted));
}

nlohmann::ordered_json toJson(const ProfileValue& v) {
  switch (v.type()) {
  case ProfileValue::Type::BOOL_:
    return v.asBool();
  case ProfileValue::Type::STRING:
    return v.asString();
  case ProfileValue::Type::NUMBER:
    if (v.isFloating())
      return v.asDouble();
    return v.asDouble() < 0 ? nlohmann::ordered_json(v.asInt())
                            : nlohmann::ordered_json(v.asUint());
  case ProfileValue::Type::VECTOR: {
    auto array = nlohmann::ordered_json::array();
    for (const ProfileValue& e : v.asVector())
      array.push_back(toJson(e));
    return array;
  }
  case ProfileValue::Type::MAP: {
    auto object = nlohmann::ordered_json::object();
    for (const auto& [key, e] : v.asMap())
      object[key] = toJson(e);
    return object;
  }
  }
  return {};
}

template <class T>
std::unique_ptr<T> cloned(const std::unique_ptr<T>& p) {
  return p ? std::make_unique<T>(*p) : nullptr;
}

template <class T>
T sum(const ProfileValue::Vector& values, T (ProfileValue::*get)() const) {
  T total{};
  for (const ProfileValue& v : values)
    total += (v.*get)();
  return total;
}

} // namespace

ProfileValue::ProfileValue() : ProfileValue(String()) {}
ProfileValue::ProfileValue(Boolean b) : type_(Type::BOOL_), bits_(b) {}
ProfileValue::ProfileValue(String s)
    : type_(Type::STRING), string_(std::make_unique<String>(std::move(s))) {}
ProfileValue::ProfileValue(StringRef s) : ProfileValue(s.cloneAsString()) {}
ProfileValue::ProfileValue(const char* s) : ProfileValue(String(s)) {}
ProfileValue::ProfileValue(Vector v)
    : type_(Type::VECTOR), vector_(std::make_unique<Vector>(std::move(v))) {}
ProfileValue::ProfileValue(Map m) : type_(Type::MAP), map_(std::make_unique<Map>(std::move(m))) {}
ProfileValue::ProfileValue(const ProfileValue& o)
    : type_(o.type_),
      isFloating_(o.isFloating_),
      bits_(o.bits_),
      real_(o.real_),
      string_(cloned(o.string_)),
      vector_(cloned(o.vector_)),
      map_(cloned(o.map_)) {}
ProfileValue::ProfileValue(ProfileValue&&) noexcept = default;
ProfileValue& ProfileValue::operator=(const ProfileValue& o) {
  return *this = ProfileValue(o);
}
ProfileValue& ProfileValue::operator=(ProfileValue&&) noexcept = default;
ProfileValue::~ProfileValue() = default;

bool ProfileValue::asBool() const {
  require(type_, Type::BOOL_);
  return bits_ != 0;
}
const std::string& ProfileValue::asString() const {
  require(type_, Type::STRING);
  return *string_;
}
std::int64_t ProfileValue::asInt() const {
  require(type_, Type::NUMBER);
  return isFloating_ ? std::llround(real_) : static_cast<std::int64_t>(bits_);
}
std::uint64_t ProfileValue::asUint() const {
  require(type_, Type::NUMBER);
  return isFloating_ ? static_cast<std::uint64_t>(real_) : bits_;
}
double ProfileValue::asDouble() const {
  require(type_, Type::NUMBER);
  return real_;
}
const ProfileValue::Vector& ProfileValue::asVector() const {
  require(type_, Type::VECTOR);
  return *vector_;
}
const ProfileValue::Map& ProfileValue::asMap() const {
  require(type_, Type::MAP);
  return *map_;
}

const ProfileValue& ProfileValue::operator[](std::size_t i) const {
  return asVector().at(i);
}
const ProfileValue& ProfileValue::operator[](StringRef key) const {
  const ProfileValue* found = getOrNull(key);
  if (!found)
    throw poplar_error("profile value has no member '" + key.cloneAsString() + "'");
  return *found;
}
const ProfileValue* ProfileValue::getOrNull(StringRef key) const {
  const auto it = asMap().find(key.cloneAsString());
  return it == map_->end() ? nullptr : &it->second;
}
std::size_t ProfileValue::size() const {
  return type_ == Type::MAP ? map_->size() : asVector().size();
}

std::vector<unsigned> ProfileValue::toUintVector() const {
  std::vector<unsigned> out;
  out.reserve(asVector().size());
  for (const ProfileValue& v : *vector_)
    out.push_back(static_cast<unsigned>(v.asUint()));
  return out;
}
double ProfileValue::sumDouble() const {
  return sum(asVector(), &ProfileValue::asDouble);
}
std::int64_t ProfileValue::sumInt() const {
  return sum(asVector(), &ProfileValue::asInt);
}
std::uint64_t ProfileValue::sumUint() const {
  return sum(asVector(), &ProfileValue::asUint);
}
std::int64_t ProfileValue::sum2DInt() const {
  return sum(asVector(), &ProfileValue::sumInt);
}
std::uint64_t ProfileValue::sum2DUint() const {
  return sum(asVector(), &ProfileValue::sumUint);
}

bool ProfileValue::operator==(const ProfileValue& o) const {
  if (type_ != o.type_)
    return false;
  switch (type_) {
  case Type::BOOL_:
    return bits_ == o.bits_;
  case Type::STRING:
    return *string_ == *o.string_;
  case Type::NUMBER:
    return real_ == o.real_ && bits_ == o.bits_;
  case Type::VECTOR:
    return *vector_ == *o.vector_;
  case Type::MAP:
    return *map_ == *o.map_;
  }
  return false;
}

void serializeToJSON(std::ostream& os, const ProfileValue& value, bool prettyPrint) {
  os << toJson(value).dump(prettyPrint ? 2 : -1);
}
void serializeToCBOR(std::ostream& os, const ProfileValue& value) {
  nlohmann::json::to_cbor(toJson(value), os);
}
std::ostream& operator<<(std::ostream& os, const ProfileValue& value) {
  serializeToJSON(os, value);
  return os;
}

} // namespace poplar
