#include "config/Config.hpp"

#include "config/Keys.hpp"
#include "config/Nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace spillway {
namespace {

namespace fs = std::filesystem;

// "layer.alpha" and "layer3.alpha" name a layer key; empty number: all layers.
struct LayerKeyName {
  std::string section, number, key;
};

std::optional<LayerKeyName> splitLayerKey(const std::string& name) {
  const std::size_t dot = name.find('.');
  const std::string section = name.substr(0, dot);
  if (dot == name.npos || !section.starts_with("layer")) {
    return std::nullopt;
  }
  const std::string number = section.substr(5);
  if (number.size() > 1 && number.front() == '0') {
    return std::nullopt; // a second name for the same layer
  }
  for (const char c : number) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
      return std::nullopt;
    }
  }
  return LayerKeyName{section, number, name.substr(dot + 1)};
}

template <class Owner>
const Key<Owner>* find(const Keys<Owner>& keys, const std::string& name) {
  for (const Key<Owner>& key : keys) {
    if (key.name == name) {
      return &key;
    }
  }
  return nullptr;
}

std::vector<std::string> knownNames(const std::string& layerSection) {
  std::vector<std::string> names;
  for (const auto& key : settingsKeys()) {
    names.push_back(key.name);
  }
  for (const auto& key : layerKeys()) {
    names.push_back(layerSection + "." + key.name);
  }
  return names;
}

std::string unknownKey(const Assignment& given, const std::string& layerSection) {
  std::string text = fmt::format("{}: unknown key {}", given.origin.text(), given.key);
  if (given.key.ends_with(".include")) {
    return text + "; include stands before the first [section]";
  }
  // The right key without its section or in another one, before one that is only spelt alike.
  const std::vector<std::string> names = knownNames(layerSection);
  const std::string ending = "." + given.key.substr(given.key.find('.') + 1); // or all of it
  const auto same = [&](const std::string& known) { return known.ends_with(ending); };
  if (std::count_if(names.begin(), names.end(), same) == 1) {
    return text + "; did you mean " + *std::find_if(names.begin(), names.end(), same) + "?";
  }
  if (const auto guess = nearest(given.key, names)) {
    return text + "; did you mean " + *guess + "?";
  }
  return text + "; `spillway config` lists all keys";
}

std::string badValue(const Assignment& given, const std::string& reason) {
  if (given.origin.fromCommandLine()) {
    return fmt::format("{}: {}", given.origin.text(), reason);
  }
  const bool remarks = given.value.find_first_of(";#") != given.value.npos; // as others have them
  return fmt::format("{}: {} = {}: {}{}", given.origin.text(), given.key, given.value, reason,
                     remarks ? "; a comment begins with # after a space" : "");
}

bool isKnown(const std::string& name) {
  const auto split = splitLayerKey(name);
  return split ? find(layerKeys(), split->key) != nullptr : find(settingsKeys(), name) != nullptr;
}

class Resolver {
public:
  Resolver(const std::vector<Assignment>& assignments, const std::string& file) : file_(file) {
    std::size_t numGiven = 0;
    for (const Assignment& given : assignments) {
      position_[given.key] = ++numGiven;
      if (given.origin.fromCommandLine() && given.key.starts_with("layer.")) {
        eraseFromFiles(given.key.substr(5));
      }
      if (given.value.empty() && given.origin.fromCommandLine()) {
        if (!isKnown(given.key)) {
          problems_.push_back(unknownKey(given, "layer"));
        }
        given_.erase(given.key);
      } else {
        given_[given.key] = given;
      }
    }
  }

  Config resolve() {
    std::vector<std::string> notes;
    // Keys without a use are left out, so that what is resolved stands as a file of its own.
    for (std::vector<std::string> unused = apply(notes); !unused.empty(); unused = apply(notes)) {
      for (const std::string& key : unused) {
        given_.erase(key);
      }
    }
    dropUnusedLayerKeys();
    config_.notes = std::move(notes);
    return std::move(config_);
  }

private:
  enum class Scope { All, One };

  // Makes config_ of what was given. Returns keys that have no use, with a note for each. Throws
  // ConfigError.
  std::vector<std::string> apply(std::vector<std::string>& notes) {
    config_ = {};
    applySettings();
    anchorPaths();
    applyLayers(Scope::All);
    applyLayers(Scope::One);
    for (const auto& [key, given] : given_) {
      config_.origins[key] = given.origin;
    }
    Findings findings;
    if (problems_.empty()) {
      findings = crossCheck(config_.settings, config_.origins, file_);
      problems_ = std::move(findings.problems);
      notes.insert(notes.end(), findings.notes.begin(), findings.notes.end());
    }
    if (!problems_.empty()) {
      throw ConfigError(std::move(problems_));
    }
    return findings.unused;
  }

  // --set layer.KEY means all layers: what files say of single ones does not stand against it,
  // least of all a run's resolved configuration, which names every layer.
  void eraseFromFiles(const std::string& dotKey) {
    std::erase_if(given_, [&](const auto& entry) {
      const auto& [name, given] = entry;
      const auto split = splitLayerKey(name);
      return split && !split->number.empty() && "." + split->key == dotKey &&
             !given.origin.fromCommandLine();
    });
  }

  // In the order of files and lines, so that what is said of them is.
  std::vector<const Assignment*> inOrder() const {
    std::vector<const Assignment*> all;
    for (const auto& [name, given] : given_) {
      all.push_back(&given);
    }
    std::sort(all.begin(), all.end(), [&](const Assignment* a, const Assignment* b) {
      return position_.at(a->key) < position_.at(b->key);
    });
    return all;
  }

  void applySettings() {
    for (const Assignment* given : inOrder()) {
      if (splitLayerKey(given->key)) {
        continue;
      }
      const Key<Settings>* key = find(settingsKeys(), given->key);
      if (key == nullptr) {
        problems_.push_back(unknownKey(*given, "layer"));
      } else {
        set(*key, config_.settings, *given);
      }
    }
  }

  // A relative path in a file is meant from the file's folder where it leads to something there; on
  // the command line from the folder one is in, which the run's own file has to remember.
  void anchorPaths() {
    const auto anchor = [&](const std::string& key, std::string& path) {
      const auto given = given_.find(key);
      if (given == given_.end() || path.empty()) {
        return;
      }
      const Origin& origin = given->second.origin;
      const fs::path beside =
          origin.fromCommandLine() ? fs::path(path) : fs::path(origin.source).parent_path() / path;
      std::error_code error;
      if (fs::path(path).is_relative() && fs::exists(beside, error)) {
        path = fs::absolute(beside).lexically_normal().string();
      }
    };
    anchor("train.weights", config_.settings.train.weights);
    anchor("data.path", config_.settings.data.path);
  }

  // After applySettings(): the layers exist and have their sizes.
  void applyLayers(Scope scope) {
    std::vector<LayerSpec>& layers = config_.settings.network.layers;
    std::vector<const Assignment*> homeless;
    for (const Assignment* given : inOrder()) {
      const auto split = splitLayerKey(given->key);
      if (!split || split->number.empty() != (scope == Scope::All)) {
        continue;
      }
      const Key<LayerSpec>* key = find(layerKeys(), split->key);
      if (key == nullptr) {
        problems_.push_back(unknownKey(*given, split->section));
      } else if (scope == Scope::All) {
        applyToAll(*key, *given);
      } else if (split->number.size() > 4 || std::stoul(split->number) >= layers.size()) {
        homeless.push_back(given);
      } else {
        set(*key, layers[std::stoul(split->number)], *given);
      }
    }
    if (!homeless.empty()) {
      problems_.push_back(noSuchLayers(homeless));
    }
  }

  // Once for all keys: a written-out configuration has dozens of them for every layer.
  std::string noSuchLayers(const std::vector<const Assignment*>& homeless) const {
    std::vector<std::string> sections;
    for (const Assignment* given : homeless) {
      const std::string section = splitLayerKey(given->key)->section;
      if (std::find(sections.begin(), sections.end(), section) == sections.end()) {
        sections.push_back(section);
      }
    }
    std::string text = fmt::format("{}: there is no {}", homeless.front()->origin.text(),
                                   fmt::join(sections, " and no "));
    if (homeless.size() > sections.size()) {
      text += fmt::format(" ({} keys)", homeless.size());
    }
    const std::size_t numLayers = config_.settings.network.layers.size();
    const auto sizes = given_.find("network.layers");
    if (numLayers == 0 || sizes == given_.end()) {
      return text + "; network.layers makes no layer";
    }
    text += fmt::format("; network.layers = {} ({}) makes {} layer{}, layer0", sizes->second.value,
                        sizes->second.origin.text(), numLayers, numLayers == 1 ? "" : "s");
    return numLayers == 1 ? text : text + fmt::format(" to layer{}", numLayers - 1);
  }

  // What [layer] says to all goes past the layers that have no use for it.
  void dropUnusedLayerKeys() {
    for (LayerSpec& layer : config_.settings.network.layers) {
      for (const auto& key : layerKeys()) {
        if (!layerUses(layer, key.name)) {
          key.set(layer, key.get(LayerSpec{}));
        }
      }
    }
  }

  void applyToAll(const Key<LayerSpec>& key, const Assignment& given) {
    for (LayerSpec& layer : config_.settings.network.layers) {
      if (!set(key, layer, given)) {
        return; // one report, not one per layer
      }
    }
  }

  template <class Owner>
  bool set(const Key<Owner>& key, Owner& owner, const Assignment& given) {
    try {
      key.set(owner, given.value);
      return true;
    } catch (const std::invalid_argument& error) {
      problems_.push_back(badValue(given, error.what()));
      return false;
    }
  }

  const std::string& file_;
  std::map<std::string, Assignment> given_;
  std::map<std::string, std::size_t> position_; // of a key among all that were given
  Config config_;
  std::vector<std::string> problems_;
};

} // namespace

std::string placeOf(const std::string& key, const Origins& origins) {
  std::vector<std::string> names{key};
  if (const auto split = splitLayerKey(key)) {
    names.push_back(split->key == "size" ? "network.layers" : "layer." + split->key);
  }
  for (const std::string& name : names) {
    if (const auto found = origins.find(name); found != origins.end()) {
      return found->second.text();
    }
  }
  return "";
}

Config resolve(const std::vector<Assignment>& assignments, const std::string& file) {
  return Resolver(assignments, file).resolve();
}

Config loadConfig(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  std::vector<Assignment> assignments;
  if (!file.empty()) {
    assignments = readConfigFile(file);
  }
  std::map<std::string, std::string> seen;
  for (const std::string& text : overrides) {
    Assignment given = parseOverride(text);
    if (!seen.emplace(given.key, text).second) {
      throw ConfigError({fmt::format("--set {}: {} is set twice, first by --set {}", text,
                                     given.key, seen[given.key])});
    }
    assignments.push_back(std::move(given));
  }
  return resolve(assignments, file.string());
}

} // namespace spillway
