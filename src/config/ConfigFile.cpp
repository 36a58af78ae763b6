#include "config/ConfigFile.hpp"

#include "network/IoError.hpp"

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace spillway {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

// Where a comment begins, if there is one: within a word # is a letter, as names of folders have
// it.
std::size_t commentIn(const std::string& line) {
  std::size_t at = line.find('#');
  while (at != line.npos && at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t') {
    at = line.find('#', at + 1);
  }
  return at;
}

std::string withoutComment(const std::string& line) {
  const std::string text = line.substr(0, commentIn(line));
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) {
    return "";
  }
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// For messages: what is not text, and more than fits on a line, is left out.
std::string printable(std::string text) {
  constexpr std::size_t kMost = 60;
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

bool isSection(const std::string& text) {
  return text.front() == '[' && text.back() == ']';
}

// ProgramOptions yields options in file order but not where they stood: these are the line numbers
// of the n-th option. REQUIRES: the same rules for what an option line is.
std::vector<int> optionLines(const std::string& content, const std::string& name) {
  std::vector<int> lines;
  std::istringstream in(content);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string text = withoutComment(line);
    if (text.empty() || isSection(text)) {
      continue;
    }
    if (text.find('=') == text.npos) {
      throw ConfigError({fmt::format("{}:{}: '{}' is neither [section] nor key = value", name,
                                     number, printable(text))});
    }
    lines.push_back(number);
  }
  return lines;
}

// ProgramOptions takes every # for a comment's: those that are none stand as this meanwhile.
constexpr char kSharp = '\x1a';

po::parsed_options parse(const std::string& content) {
  std::stringstream cleaned;
  std::istringstream in(content);
  for (std::string line; std::getline(in, line);) {
    std::string text = withoutComment(line);
    std::replace(text.begin(), text.end(), '#', kSharp);
    cleaned << text << '\n';
  }
  const po::options_description none;
  po::parsed_options parsed = po::parse_config_file(cleaned, none, true);
  for (po::option& option : parsed.options) {
    std::string& value = option.value.front();
    std::replace(option.string_key.begin(), option.string_key.end(), kSharp, '#');
    std::replace(value.begin(), value.end(), kSharp, '#');
  }
  return parsed;
}

std::string readAll(const fs::path& file, const std::string& includedFrom) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  const int code = errno;
  std::error_code error;
  const bool folder = fs::is_directory(file, error);
  if (!in || folder) {
    throw IoError(includedFrom + "cannot read the configuration file " + file.string() +
                  (folder      ? ": it is a folder"
                   : code != 0 ? std::string(": ") + std::strerror(code)
                               : ""));
  }
  std::string content{std::istreambuf_iterator<char>(in), {}};
  if (content.starts_with("\xef\xbb\xbf")) { // what some editors put before UTF-8
    content.erase(0, 3);
  }
  if (content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff")) {
    throw ConfigError({includedFrom + file.string() + " is UTF-16; it must be UTF-8"});
  }
  return content;
}

class Reader {
public:
  void read(const fs::path& file, const std::string& includedFrom);
  std::vector<Assignment> take() { return std::move(assignments_); }

private:
  std::vector<Assignment> assignments_;
  std::vector<fs::path> open_; // the chain of includes being read
};

void Reader::read(const fs::path& file, const std::string& includedFrom) {
  const std::string content = readAll(file, includedFrom);
  std::error_code error; // a pipe has no such path
  const fs::path found = fs::weakly_canonical(file, error);
  const fs::path canonical = error ? file : found;
  if (std::find(open_.begin(), open_.end(), canonical) != open_.end()) {
    throw ConfigError({includedFrom + file.string() + " includes itself"});
  }
  open_.push_back(canonical);

  const std::vector<int> lines = optionLines(content, file.string());
  const po::parsed_options parsed = parse(content);
  std::map<std::string, int> seen;
  std::vector<std::string> problems;
  std::vector<Assignment> own;
  for (std::size_t i = 0; i < parsed.options.size(); ++i) {
    const po::option& option = parsed.options[i];
    const Origin origin{file.string(), lines.at(i), static_cast<int>(open_.size()) - 1};
    if (option.string_key == "include" && option.value.front().empty()) {
      throw ConfigError({origin.text() + ": include = : must be a file"});
    }
    if (option.string_key == "include") {
      read(file.parent_path() / option.value.front(), origin.text() + ": ");
      continue;
    }
    const auto [first, isNew] = seen.emplace(option.string_key, origin.line);
    if (!isNew) {
      problems.push_back(fmt::format("{}: {} is given twice; the first is on line {}",
                                     origin.text(), option.string_key, first->second));
      continue;
    }
    own.push_back({option.string_key, option.value.front(), origin});
  }
  if (!problems.empty()) {
    throw ConfigError(std::move(problems));
  }
  assignments_.insert(assignments_.end(), own.begin(), own.end());
  open_.pop_back();
}

} // namespace

std::vector<Assignment> readConfigFile(const fs::path& file) {
  Reader reader;
  reader.read(file, "");
  return reader.take();
}

Assignment parseOverride(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) {
    throw ConfigError({fmt::format("--set {}: must be section.key=value", text)});
  }
  const std::string value = text.substr(equals + 1);
  if (value.find('\n') != value.npos || commentIn(" " + value) != value.npos) {
    throw ConfigError({fmt::format("--set {}: a value has one line, and no # at its beginning or "
                                   "after a space, where files have comments",
                                   text)});
  }
  const std::size_t last = text.find_last_not_of(" \t", equals - 1); // as files may have it
  return {text.substr(0, last == text.npos ? equals : last + 1), value, {"--set " + text, 0, -1}};
}

} // namespace spillway
