// Options by name: {{"debug.instrument", "true"}, ...}.
#pragma once

#include <poplar/ProfileValue.hpp>
#include <poplar/StringRef.hpp>

namespace poplar {

class OptionFlags {
public:
  typedef std::pair<const std::string, std::string> OptionFlag;
  typedef std::initializer_list<OptionFlag> initializer_list;
  typedef std::map<std::string, std::string>::const_iterator iterator;

  OptionFlags() = default;
  OptionFlags(initializer_list init) { set(init); }

  // Later values replace earlier ones.
  void set(initializer_list init) {
    for (const OptionFlag& flag : init)
      flags_[flag.first] = flag.second;
  }
  void set(StringRef option, StringRef value) { flags_[option.cloneAsString()] = value; }

  // Throws std::out_of_range when the option is not set.
  StringRef at(StringRef option) const { return flags_.at(option.cloneAsString()); }
  iterator find(StringRef option) const { return flags_.find(option.cloneAsString()); }
  std::size_t size() const { return flags_.size(); }
  void clear() { flags_.clear(); }
  iterator begin() const { return flags_.begin(); }
  iterator end() const { return flags_.end(); }

  friend bool operator==(const OptionFlags& a, const OptionFlags& b) {
    return a.flags_ == b.flags_;
  }
  friend bool operator!=(const OptionFlags& a, const OptionFlags& b) { return !(a == b); }
  friend bool operator<(const OptionFlags& a, const OptionFlags& b) { return a.flags_ < b.flags_; }

private:
  std::map<std::string, std::string> flags_;
};

ProfileValue getAsProfileValue(const OptionFlags& flags);

// Sets the members of a JSON object as options. Throws parse_error for anything else.
void readJSON(StringRef text, OptionFlags& flags);
void readJSON(std::istream& stream, OptionFlags& flags);

// The same for the value of an environment variable; does nothing when it is not set.
void readJSONFromEnv(StringRef variable, OptionFlags& flags);

std::ostream& operator<<(std::ostream& os, const OptionFlags& flags);

} // namespace poplar
