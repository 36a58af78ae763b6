// A value of a profile or a debug record: a JSON-like tree.
#pragma once

#include <poplar/StringRef.hpp>

namespace poplar {

class ProfileValue {
public:
  enum class Type { BOOL_, STRING, NUMBER, VECTOR, MAP };

  typedef bool Boolean;
  typedef double Number;
  typedef std::string String;
  typedef std::vector<ProfileValue> Vector;
  typedef std::map<std::string, ProfileValue> Map;

  // An empty string.
  ProfileValue();
  ProfileValue(Boolean b);
  ProfileValue(String s);
  ProfileValue(StringRef s);
  ProfileValue(const char* s);
  ProfileValue(Vector v);
  ProfileValue(Map m);
  template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  ProfileValue(T n)
      : type_(Type::NUMBER),
        isFloating_(std::is_floating_point<T>::value),
        bits_(std::is_floating_point<T>::value ? 0 : static_cast<std::uint64_t>(n)),
        real_(static_cast<double>(n)) {}
  ProfileValue(const ProfileValue&);
  ProfileValue(ProfileValue&&) noexcept;
  ProfileValue& operator=(const ProfileValue&);
  ProfileValue& operator=(ProfileValue&&) noexcept;
  ~ProfileValue();

  Type type() const { return type_; }

  // Each throws poplar_error when the value is of another type.
  bool asBool() const;
  const String& asString() const;
  std::int64_t asInt() const;
  std::uint64_t asUint() const;
  double asDouble() const;
  const Vector& asVector() const;
  const Map& asMap() const;

  const ProfileValue& operator[](std::size_t i) const;
  const ProfileValue& operator[](StringRef key) const;
  const ProfileValue* getOrNull(StringRef key) const;
  std::size_t size() const;

  std::vector<unsigned> toUintVector() const;
  double sumDouble() const;
  std::int64_t sumInt() const;
  std::uint64_t sumUint() const;
  std::int64_t sum2DInt() const;
  std::uint64_t sum2DUint() const;

  bool operator==(const ProfileValue& other) const;
  bool operator!=(const ProfileValue& other) const { return !(*this == other); }

  // For the library itself: whether a number was made from a floating-point one.
  bool isFloating() const { return isFloating_; }

private:
  Type type_;
  bool isFloating_ = false;
  std::uint64_t bits_ = 0;
  double real_ = 0;
  std::unique_ptr<String> string_;
  std::unique_ptr<Vector> vector_;
  std::unique_ptr<Map> map_;
};

void serializeToJSON(std::ostream& os, const ProfileValue& value, bool prettyPrint = false);
// As CBOR (RFC 8949).
void serializeToCBOR(std::ostream& os, const ProfileValue& value);
std::ostream& operator<<(std::ostream& os, const ProfileValue& value);

} // namespace poplar
