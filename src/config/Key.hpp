// A configuration key: its name, what it means, and how it reads and writes one member of a struct.
// Defaults are the struct's own; nothing here repeats them.
#pragma once

#include "config/Values.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spillway {

template <class Owner>
struct Key {
  std::string name;                                  // "alpha", or with its section "train.epochs"
  std::string unit;                                  // "" where there is none
  std::string legal;                                 // "0 to 1", "lif | alif"
  std::string meaning;                               // one sentence
  std::function<void(Owner&, std::string_view)> set; // throws std::invalid_argument
  std::function<std::string(const Owner&)> get;
};

template <class Owner>
using Keys = std::vector<Key<Owner>>;

template <class Owner, std::unsigned_integral T>
Key<Owner> whole(std::string name, T Owner::*member, std::uint64_t lowest, std::uint64_t highest,
                 std::string unit, std::string meaning) {
  const std::uint64_t top = std::min<std::uint64_t>(highest, std::numeric_limits<T>::max());
  std::string legal = highest == UINT64_MAX ? "at least " + std::to_string(lowest)
                                            : std::to_string(lowest) + " to " + std::to_string(top);
  return {std::move(name),
          std::move(unit),
          std::move(legal),
          std::move(meaning),
          [=](Owner& owner, std::string_view text) {
            owner.*member = static_cast<T>(parseWhole(text, lowest, top));
          },
          [=](const Owner& owner) { return std::to_string(owner.*member); }};
}

// An interval of reals; written "0 to 1", "above 0", "at least 0", "below 1". What the device holds
// in single precision as infinite (or, above 0, as 0) is outside.
struct Interval {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool openLow = false, openHigh = false;
  bool minusInfinity = false; // is legal too

  bool contains(double value) const; // nan never
  std::string text() const;

  static Interval anyOrMinusInfinity() { return {.minusInfinity = true}; }
  static Interval atLeast(double low) { return {.lowest = low}; }
  static Interval above(double low) { return {.lowest = low, .openLow = true}; }
  static Interval between(double low, double high) { return {.lowest = low, .highest = high}; }
  static Interval inside(double low, double high) {
    return {.lowest = low, .highest = high, .openLow = true, .openHigh = true};
  }
  static Interval fromBelow(double low, double high) {
    return {.lowest = low, .highest = high, .openHigh = true};
  }
};

double parseReal(std::string_view text, const Interval& interval);

template <class Owner>
Key<Owner> real(std::string name, double Owner::*member, Interval interval, std::string unit,
                std::string meaning) {
  return {std::move(name),
          std::move(unit),
          interval.text(),
          std::move(meaning),
          [=](Owner& owner, std::string_view text) { owner.*member = parseReal(text, interval); },
          [=](const Owner& owner) { return formatReal(owner.*member); }};
}

template <class Owner>
Key<Owner> flag(std::string name, bool Owner::*member, std::string meaning) {
  return {std::move(name),
          "",
          "true | false",
          std::move(meaning),
          [=](Owner& owner, std::string_view text) { owner.*member = parseFlag(text); },
          [=](const Owner& owner) { return owner.*member ? "true" : "false"; }};
}

template <class Owner>
Key<Owner> bytes(std::string name, std::uint64_t Owner::*member, std::string meaning) {
  return {std::move(name),
          "bytes",
          "such as 638976, 624KiB, 1.5GB",
          std::move(meaning),
          [=](Owner& owner, std::string_view text) { owner.*member = parseBytes(text); },
          [=](const Owner& owner) { return formatBytes(owner.*member); }};
}

template <class Owner>
Key<Owner> text(std::string name, std::string Owner::*member, std::string legal,
                std::string meaning) {
  return {std::move(name),
          "",
          std::move(legal),
          std::move(meaning),
          [=](Owner& owner, std::string_view value) { owner.*member = std::string(value); },
          [=](const Owner& owner) { return owner.*member; }};
}

template <class Enum>
using Choices = std::vector<std::pair<std::string, Enum>>;

// One of some words, kept as it is; "" is legal where it is the default.
template <class Owner>
Key<Owner> word(std::string name, std::string Owner::*member, const std::vector<std::string>& legal,
                std::string meaning) {
  const bool mayBeEmpty = (Owner{}.*member).empty();
  std::string list;
  for (const std::string& one : legal) {
    list += (list.empty() ? "" : " | ") + one;
  }
  return {std::move(name),
          "",
          list,
          std::move(meaning),
          [=](Owner& owner, std::string_view value) {
            if (!(mayBeEmpty && value.empty()) &&
                std::find(legal.begin(), legal.end(), value) == legal.end()) {
              throw std::invalid_argument(mustBeOneOf(value, legal));
            }
            owner.*member = std::string(value);
          },
          [=](const Owner& owner) { return owner.*member; }};
}

template <class Enum>
std::string listChoices(const Choices<Enum>& choices) {
  std::string list;
  for (const auto& choice : choices) {
    list += (list.empty() ? "" : " | ") + choice.first;
  }
  return list;
}

template <class Enum>
std::string choiceName(const Choices<Enum>& choices, Enum value) {
  for (const auto& [name, candidate] : choices) {
    if (candidate == value) {
      return name;
    }
  }
  throw std::logic_error("a value without a name among: " + listChoices(choices));
}

template <class Owner, class Enum>
Key<Owner> choice(std::string name, Enum Owner::*member, Choices<Enum> choices,
                  std::string meaning) {
  std::string legal = listChoices(choices);
  return {std::move(name),
          "",
          legal,
          std::move(meaning),
          [=](Owner& owner, std::string_view text) {
            for (const auto& [known, value] : choices) {
              if (known == text) {
                owner.*member = value;
                return;
              }
            }
            std::vector<std::string> names;
            for (const auto& entry : choices) {
              names.push_back(entry.first);
            }
            throw std::invalid_argument(mustBeOneOf(text, names));
          },
          [=](const Owner& owner) { return choiceName(choices, owner.*member); }};
}

// The keys of a member struct as keys of its owner; `prefix` goes before each name.
template <class Owner, class Part>
Keys<Owner> lift(const std::string& prefix, Part Owner::*member, const Keys<Part>& parts) {
  Keys<Owner> keys;
  for (const Key<Part>& part : parts) {
    keys.push_back({prefix + part.name, part.unit, part.legal, part.meaning,
                    [=](Owner& owner, std::string_view text) { part.set(owner.*member, text); },
                    [=](const Owner& owner) { return part.get(owner.*member); }});
  }
  return keys;
}

template <class Owner>
void append(Keys<Owner>& keys, const Keys<Owner>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
}

} // namespace spillway
