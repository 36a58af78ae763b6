#include "config/Keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace spillway {
namespace {

TEST(ConfigKeys, RefuseWhatIsNotFinite) {
  const auto takes = [](const auto& key, auto& owner, const char* value) {
    try {
      key.set(owner, value);
      return true;
    } catch (const std::invalid_argument&) {
      return false;
    }
  };
  const std::set<std::string> paths{"data.path", "train.weights", "checkpoint.remotePath"};
  Settings settings;
  for (const auto& key : settingsKeys()) {
    for (const char* value : {"nan", "inf", "-inf", "1e39"}) {
      EXPECT_FALSE(!paths.contains(key.name) && takes(key, settings, value)) << key.name << value;
    }
  }
  LayerSpec layer;
  for (const auto& key : layerKeys()) {
    for (const char* value : {"nan", "inf", "1e39"}) {
      EXPECT_FALSE(takes(key, layer, value)) << key.name << value;
    }
    EXPECT_EQ(takes(key, layer, "-inf"), key.name == "gradientTheta") << key.name;
  }
}

TEST(ConfigKeys, RefuseWhatVanishesInSinglePrecision) {
  Settings settings;
  for (const auto& key : settingsKeys()) {
    if (key.name == "optimiser.epsilon") {
      EXPECT_THAT([&] { key.set(settings, "1e-60"); },
                  testing::ThrowsMessage<std::invalid_argument>(
                      testing::HasSubstr("must be a number that single precision holds, above 0")));
    }
  }
}

TEST(ConfigKeys, AcceptTheirOwnDefaults) {
  Settings settings;
  settings.network.layers.resize(1);
  settings.network.layers[0].size = 1;
  for (const auto& key : settingsKeys()) {
    EXPECT_NO_THROW(key.set(settings, key.get(settings))) << key.name;
    EXPECT_FALSE(key.meaning.empty()) << key.name;
  }
  LayerSpec layer;
  for (const auto& key : layerKeys()) {
    EXPECT_NO_THROW(key.set(layer, key.get(layer))) << key.name;
  }
}

} // namespace
} // namespace spillway
