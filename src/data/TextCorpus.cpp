#include "data/TextCorpus.hpp"

#include "data/FileBytes.hpp"
#include "network/SettingError.hpp"

#include <functional>

namespace spillway {

namespace {

const std::string kEndOfLine = "<eos>", kUnknown = "<unk>";

// Calls `use` with every token and its offset.
void forEachToken(const std::filesystem::path& path,
                  const std::function<void(const std::string&, std::uint64_t)>& use) {
  const std::vector<std::uint8_t> bytes = readFile(path);
  std::string word;
  for (std::size_t i = 0; i <= bytes.size(); ++i) {
    const char c = i < bytes.size() ? static_cast<char>(bytes[i]) : ' ';
    if (c == '\0') {
      throw FileError(path, i, "a zero byte: this is no text");
    }
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!blank) {
      word += c;
      continue;
    }
    if (!word.empty()) {
      use(word, i - word.size());
      word.clear();
    }
    if (c == '\n') {
      use(kEndOfLine, i);
    }
  }
}

} // namespace

Vocabulary Vocabulary::ofFile(const std::filesystem::path& path) {
  constexpr std::size_t kMaxWords = 65535;
  Vocabulary vocabulary;
  forEachToken(path, [&](const std::string& word, std::uint64_t offset) {
    const auto [it, isNew] =
        vocabulary.ids_.try_emplace(word, static_cast<std::uint16_t>(vocabulary.words_.size()));
    if (isNew && vocabulary.words_.size() == kMaxWords) {
      throw FileError(path, offset, "more than 65535 different words");
    }
    if (isNew) {
      vocabulary.words_.push_back(word);
    }
  });
  return vocabulary;
}

std::vector<std::uint16_t> Vocabulary::tokens(const std::filesystem::path& path) const {
  std::vector<std::uint16_t> tokens;
  forEachToken(path, [&](const std::string& word, std::uint64_t offset) {
    auto it = ids_.find(word);
    if (it == ids_.end()) {
      it = ids_.find(kUnknown);
    }
    if (it == ids_.end()) {
      throw FileError(path, offset,
                      "'" + word + "' does not occur in the training text, which has no <unk>");
    }
    tokens.push_back(it->second);
  });
  return tokens;
}

TextCorpus::TextCorpus(const Vocabulary& vocabulary, const std::filesystem::path& path,
                       std::uint32_t numSteps)
    : tokens_(vocabulary.tokens(path)), numSteps_(numSteps) {
  if (size() == 0) {
    throw SettingError("data.steps", "data.steps = " + std::to_string(numSteps) +
                                         " is too many for " + path.string() + ", a text of " +
                                         std::to_string(tokens_.size()) + " tokens");
  }
}

std::uint32_t TextCorpus::size() const {
  return tokens_.empty() ? 0 : static_cast<std::uint32_t>((tokens_.size() - 1) / numSteps_);
}

Sample TextCorpus::sample(std::uint32_t index) const {
  Sample sample;
  const std::size_t begin = std::size_t{index} * numSteps_;
  for (std::uint32_t t = 0; t < numSteps_; ++t) {
    sample.events.push_back({t, tokens_[begin + t]});
    sample.stepLabels.push_back(tokens_[begin + t + 1]);
  }
  return sample;
}

} // namespace spillway
