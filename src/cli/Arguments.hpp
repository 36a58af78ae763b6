// The command line of one command, on Boost.ProgramOptions.
#pragma once

#include <boost/program_options.hpp>

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace spillway {

struct CommandText {
  std::string name;    // "train"
  std::string usage;   // "CONFIG [options]"
  std::string meaning; // some lines
  std::string example; // a command, and what it does
};

class Arguments {
public:
  explicit Arguments(CommandText text);

  std::string command() const { return text_.name; }
  boost::program_options::options_description& options() { return options_; }
  // Arguments without a name go to the option `name`; at most `count` (-1: any number).
  void positional(const std::string& name, int count);
  void addSet(); // --set, repeatable

  // Nothing when --help was asked for and printed. Throws UserError.
  std::optional<boost::program_options::variables_map> parse(const std::vector<std::string>& words,
                                                             std::ostream& out);

private:
  CommandText text_;
  boost::program_options::options_description options_, hidden_;
  boost::program_options::positional_options_description positional_;
};

// The values of a repeatable option, empty if it was not given.
std::vector<std::string> values(const boost::program_options::variables_map& given,
                                const std::string& name);
// The value of an option declared as std::int64_t (an unsigned one would take -1 for a huge
// number); throws UserError unless it is `least` to 2^32 - 1.
std::uint32_t wholeNumber(const boost::program_options::variables_map& given,
                          const std::string& name, std::uint32_t least);
// The value of a required positional argument; throws UserError that shows the usage.
std::string required(const boost::program_options::variables_map& given, const std::string& name,
                     const std::string& usage);

} // namespace spillway
