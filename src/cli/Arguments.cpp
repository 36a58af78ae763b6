#include "cli/Arguments.hpp"

#include "config/Nearest.hpp"
#include "network/UserError.hpp"

#include <limits>

namespace spillway {

namespace po = boost::program_options;

namespace {

// What would have been right, where it can be told.
std::string hint(const po::error& error, const po::options_description& options) {
  if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&error)) {
    std::vector<std::string> names;
    for (const auto& option : options.options()) {
      names.push_back("--" + option->long_name());
    }
    const auto guess = nearest(unknown->get_option_name(), names);
    return guess ? "; did you mean " + *guess + "?" : "";
  }
  return dynamic_cast<const po::invalid_option_value*>(&error) != nullptr ? ": must be a number"
                                                                          : "";
}

} // namespace

Arguments::Arguments(CommandText text) : text_(std::move(text)), options_("options", 100, 50) {
  options_.add_options()("help,h", "show this and stop");
}

void Arguments::positional(const std::string& name, int count) {
  hidden_.add_options()(name.c_str(), po::value<std::vector<std::string>>());
  positional_.add(name.c_str(), count);
}

void Arguments::addSet() {
  options_.add_options()("set",
                         po::value<std::vector<std::string>>()->value_name("section.key=value"),
                         "override a key of the configuration; repeatable, an empty value takes "
                         "the default (`spillway config` lists all keys)");
}

std::optional<po::variables_map> Arguments::parse(const std::vector<std::string>& words,
                                                  std::ostream& out) {
  po::options_description all;
  all.add(options_).add(hidden_);
  po::variables_map given;
  try {
    // No guessing of abbreviated options: --res would silently become --resume.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(
        po::command_line_parser(words).options(all).positional(positional_).style(style).run(),
        given);
    po::notify(given);
  } catch (const po::error& error) {
    const std::string right = hint(error, options_);
    throw UserError(error.what() +
                    (right.empty() ? "; see spillway " + text_.name + " --help" : right));
  }
  if (given.contains("help")) {
    out << "usage: spillway " << text_.name << " " << text_.usage << "\n\n"
        << text_.meaning << "\n\n"
        << options_ << "\nexample:\n  " << text_.example << "\n";
    return std::nullopt;
  }
  return given;
}

std::vector<std::string> values(const po::variables_map& given, const std::string& name) {
  return given.contains(name) ? given[name].as<std::vector<std::string>>()
                              : std::vector<std::string>{};
}

std::uint32_t wholeNumber(const po::variables_map& given, const std::string& name,
                          std::uint32_t least) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t value = given[name].as<std::int64_t>();
  if (value < least || value > kMost) {
    throw UserError("--" + name + " " + std::to_string(value) + ": must be a whole number from " +
                    std::to_string(least) + " to " + std::to_string(kMost));
  }
  return static_cast<std::uint32_t>(value);
}

std::string required(const po::variables_map& given, const std::string& name,
                     const std::string& usage) {
  const std::vector<std::string> all = values(given, name);
  if (all.empty() || all.front().empty()) {
    throw UserError("an argument is missing; usage: spillway " + usage);
  }
  return all.front();
}

} // namespace spillway
