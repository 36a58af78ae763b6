// Text as token ids, for language models: words between blanks, <eos> at the end of every line
// (blank lines too). UTF-8 passes through untouched.
#pragma once

#include "data/SampleSource.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace spillway {

// Ids in the order of first occurrence.
class Vocabulary {
public:
  // Throws FileError where the text has more than 65535 different words.
  static Vocabulary ofFile(const std::filesystem::path& path);

  std::size_t size() const { return words_.size(); }
  const std::string& word(std::size_t id) const { return words_.at(id); }

  // The file's tokens. A word that is not known counts as <unk>; where there is none, FileError.
  std::vector<std::uint16_t> tokens(const std::filesystem::path& path) const;

private:
  std::unordered_map<std::string, std::uint16_t> ids_;
  std::vector<std::string> words_;
};

// Window i: token i*numSteps + t as the one event of step t, the token after it as the step's
// label.
class TextCorpus : public SampleSource {
public:
  // Of the file that `vocabulary` makes tokens of. Throws UserError where not even one window fits.
  TextCorpus(const Vocabulary& vocabulary, const std::filesystem::path& path,
             std::uint32_t numSteps);

  std::uint32_t size() const override;
  Sample sample(std::uint32_t index) const override;

private:
  std::vector<std::uint16_t> tokens_;
  std::uint32_t numSteps_;
};

} // namespace spillway
