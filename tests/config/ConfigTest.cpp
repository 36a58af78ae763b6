#include "config/Config.hpp"

#include "config/Keys.hpp"
#include "support/TemporaryFolder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spillway {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string problemsOf(const std::function<void()>& load) {
  try {
    load();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

class ConfigFile : public testing::Test {
protected:
  std::string problems(const std::string& content, const std::vector<std::string>& set = {}) {
    const auto file = folder_.write("a.cfg", content);
    return problemsOf([&] { loadConfig(file, set); });
  }
  Config load(const std::string& content, const std::vector<std::string>& set = {}) {
    return loadConfig(folder_.write("a.cfg", content), set);
  }
  TemporaryFolder folder_;
};

TEST_F(ConfigFile, GivesWayToAnOverrideOfAllLayers) {
  const std::string file = "[network]\nlayers = 8, 8\n[layer1]\nalpha = 0.5\n";
  const Settings all = load(file, {"layer.alpha=0.25"}).settings;
  EXPECT_NEAR(all.network.layers.at(1).alpha, 0.25, 1e-6);
  const Settings both = load(file, {"layer.alpha=0.25", "layer1.alpha=0.75"}).settings;
  EXPECT_NEAR(both.network.layers.at(0).alpha, 0.25, 1e-6);
  EXPECT_NEAR(both.network.layers.at(1).alpha, 0.75, 1e-6);
}

TEST_F(ConfigFile, RefusesTilesOnTheCpu) {
  EXPECT_THAT(problems("[network]\nlayers = 8\n[machine]\ntiles = 4\n"),
              HasSubstr("machine.tiles has no meaning with machine.device = cpu"));
}

TEST_F(ConfigFile, NamesALayerWhereThereIsNone) {
  EXPECT_THAT(problems("[layer1]\nalpha = 0.5\n"),
              HasSubstr("there is no layer1; network.layers makes no layer"));
}

TEST_F(ConfigFile, KeepsDefaultsForWhatItDoesNotGive) {
  const Settings settings = load("[network]\nlayers = 8\n").settings;
  EXPECT_EQ(settings.train.epochs, TrainSettings{}.epochs);
  EXPECT_EQ(settings.network.layers.at(0).alpha, LayerSpec{}.alpha);
}

TEST_F(ConfigFile, ReadsEveryKeyBackAsItWroteIt) {
  const Settings settings = load("[network]\nlayers = 2x64, 32\n[layer]\nneuron = alif\nalpha = "
                                 "0.875\nmaxActive = 5%\n[layer1]\nrecurrent = yes\nrho = 0.1\n"
                                 "[checkpoint]\nmemoryBudget = 624KiB\n")
                                .settings;
  const std::string written = formatConfig(settings);
  EXPECT_EQ(formatConfig(load(written).settings), written);
  EXPECT_THAT(written, AllOf(HasSubstr("layers = 64,64,32"), HasSubstr("memoryBudget = 624KiB"),
                             HasSubstr("alpha = 0.875"), HasSubstr("gradientTheta = -inf")));
}

TEST_F(ConfigFile, PutsOneLayersSectionBeforeTheCommonOne) {
  const Settings settings =
      load("[layer1]\nalpha = 0.5\n[layer]\nalpha = 0.9\n[network]\nlayers = 3x10\n").settings;
  EXPECT_EQ(settings.network.layers.at(0).alpha, 0.9);
  EXPECT_EQ(settings.network.layers.at(1).alpha, 0.5);
  EXPECT_EQ(settings.network.layers.at(2).alpha, 0.9);
}

TEST_F(ConfigFile, TakesCapsAsCountsOrShares) {
  const Settings settings =
      load("[network]\nlayers = 974, 10\n[layer0]\nmaxActive = 5%\n[layer1]\nmaxActive = 3\n")
          .settings;
  EXPECT_EQ(settings.network.layers.at(0).maxActive, 48u);
  EXPECT_EQ(settings.network.layers.at(1).maxActive, 3u);
}

TEST_F(ConfigFile, NamesFileLineAndNearestKeyOfAnUnknownOne) {
  EXPECT_THAT(problems("# comment\n\n[network]\nlayers = 8\n[train]\nepoch = 3\n"),
              AllOf(HasSubstr("a.cfg:6: unknown key train.epoch"), HasSubstr("train.epochs?")));
  EXPECT_THAT(problems("[layer3]\nalhpa = 0.5\n"), HasSubstr("layer3.alpha?"));
}

TEST_F(ConfigFile, ReportsAllMistakesAtOnce) {
  const std::string text = problems("[train]\nepochs = many\nbatchSize = 0\nseeed = 1\n");
  EXPECT_THAT(text, AllOf(HasSubstr("a.cfg:2: train.epochs = many: must be a whole number from 1 "
                                    "to 1000000"),
                          HasSubstr("a.cfg:3: train.batchSize = 0"), HasSubstr("train.seed?")));
}

TEST_F(ConfigFile, RefusesADuplicateAndNamesBothLines) {
  EXPECT_THAT(problems("[train]\nepochs = 1\nseed = 2\nepochs = 3\n"),
              HasSubstr("a.cfg:4: train.epochs is given twice; the first is on line 2"));
}

TEST_F(ConfigFile, RefusesALineThatIsNothing) {
  EXPECT_THAT(problems("[train]\nepochs 3\n"), HasSubstr("a.cfg:2: 'epochs 3'"));
}

TEST_F(ConfigFile, RefusesValuesOutsideTheirInterval) {
  const std::string head = "[network]\nlayers = 8\n[layer]\n";
  EXPECT_THAT(problems(head + "alpha = 1\n"), HasSubstr("0 to below 1"));
  EXPECT_THAT(problems(head + "kappa = 0\n"), HasSubstr("above 0"));
  EXPECT_THAT(problems(head + "neuron = lsnn\n"), HasSubstr("one of lif | alif"));
  EXPECT_THAT(problems(head + "bias = maybe\n"), HasSubstr("true or false"));
  EXPECT_THAT(problems("[network]\nlayers = 8,,8\n"), HasSubstr("such as 256,256,128"));
  EXPECT_THAT(problems("[checkpoint]\nmemoryBudget = 3 apples\n"), HasSubstr("number of bytes"));
}

TEST_F(ConfigFile, RefusesKeysOfAnotherKindOfLayer) {
  const std::string head = "[network]\nlayers = 8\n[layer]\n";
  EXPECT_THAT(problems(head + "kind = egru\nalpha = 0.5\n"),
              HasSubstr("a.cfg:5: layer.alpha has no meaning with layer.kind = egru"));
  EXPECT_THAT(problems(head + "kind = gru\npseudoWidth = 0.5\n"),
              HasSubstr("layer.pseudoWidth has no meaning with layer.kind = gru"));
  EXPECT_THAT(problems(head + "zoneout = 0.5\n"),
              HasSubstr("layer.zoneout has no meaning with layer.kind = spiking"));
  EXPECT_NO_THROW(load("[network]\nlayers = 8,8\n[layer]\nkind = egru\npseudoWidth = 0.5\n"
                       "[layer1]\nkind = gru\n"));
  EXPECT_EQ(load(head + "kind = egru\nzoneout = 0.5\n").settings.network.layers[0].gated.zoneout,
            0.5);
}

TEST_F(ConfigFile, RefusesASectionForALayerThatIsNotThere) {
  EXPECT_THAT(problems("[network]\nlayers = 8,8\n[layer2]\nalpha = 0.5\n"),
              HasSubstr("a.cfg:4: there is no layer2; network.layers makes 2 layers"));
}

TEST_F(ConfigFile, OverridesAnIncludedFile) {
  folder_.write("base.cfg", "[network]\nlayers = 8\n[train]\nepochs = 5\nseed = 9\n");
  const Settings settings = load("include = base.cfg\n[train]\nepochs = 6\n").settings;
  EXPECT_EQ(settings.train.epochs, 6u);
  EXPECT_EQ(settings.train.seed, 9u);
}

TEST_F(ConfigFile, NamesTheIncludingLineOfAMissingFile) {
  EXPECT_THAT(problems("\ninclude = none.cfg\n"),
              AllOf(HasSubstr("a.cfg:2: cannot read"), HasSubstr("none.cfg")));
}

TEST_F(ConfigFile, RefusesToIncludeItself) {
  EXPECT_THAT(problems("include = a.cfg\n"), HasSubstr("includes itself"));
}

TEST_F(ConfigFile, SaysWhereAnIncludeMayStand) {
  EXPECT_THAT(problems("[train]\ninclude = b.cfg\n"), HasSubstr("before the first [section]"));
}

TEST_F(ConfigFile, YieldsToTheCommandLine) {
  const std::string content = "[network]\nlayers = 8\n[train]\nepochs = 5\n";
  EXPECT_EQ(load(content, {"train.epochs=7"}).settings.train.epochs, 7u);
  EXPECT_EQ(load(content, {"train.epochs="}).settings.train.epochs, TrainSettings{}.epochs);
  EXPECT_THAT(problems(content, {"train.epochs=x"}), HasSubstr("--set train.epochs=x: must be"));
  EXPECT_THAT(problems(content, {"train.epochs"}), HasSubstr("section.key=value"));
  EXPECT_THAT(problems(content, {"train.seed=1", "train.seed=2"}), HasSubstr("set twice"));
}

TEST_F(ConfigFile, RefusesContradictions) {
  const std::string head = "[network]\nlayers = 8\n";
  EXPECT_THAT(problems(head + "[layer]\ntheta = 1\ngradientTheta = 2\n"),
              HasSubstr("a.cfg:5: layer0.gradientTheta = 2 must be at most layer0.theta = 1"));
  EXPECT_THAT(problems(head + "[layer]\nmaxActive = 9\n"), HasSubstr("at most the layer's size"));
  EXPECT_THAT(problems(head + "[layer]\nrecurrent = on\n[machine]\ntimeBlock = 4\n"),
              HasSubstr("must be 1"));
  EXPECT_THAT(
      problems(head + "[checkpoint]\nstrategy = base\nchunk = 4\n"),
      HasSubstr("a.cfg:5: checkpoint.chunk has no meaning with checkpoint.strategy = base"));
  EXPECT_THAT(problems(head + "[machine]\npreset = bow\n"), HasSubstr("machine.device = model"));
  EXPECT_THAT(problems("[train]\nepochs = 1\n"), HasSubstr("network.layers is missing"));
}

TEST_F(ConfigFile, OnlyNotesWhatACommandLineChoiceLeavesUnused) {
  const Config config = load("[network]\nlayers = 8\n[checkpoint]\nstrategy = double\nchunk = "
                             "4\nremoteChunk = 16\n",
                             {"checkpoint.strategy=standard"});
  ASSERT_EQ(config.notes.size(), 1u);
  EXPECT_THAT(config.notes[0], HasSubstr("a.cfg:6: checkpoint.remoteChunk has no meaning"));
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

TEST_F(ConfigFile, NamesTheSectionThatAKeyBelongsTo) {
  EXPECT_THAT(problems("epochs = 3\n"), HasSubstr("did you mean train.epochs?"));
  EXPECT_THAT(problems("[optimiser]\nepochs = 3\n"), HasSubstr("did you mean train.epochs?"));
}

TEST_F(ConfigFile, ShowsOnlyTextOfAFileThatIsNone) {
  const std::string message = problems("\x7f"
                                       "ELF\x01\x80" +
                                       std::string(500, 'x'));
  EXPECT_THAT(message, HasSubstr("a.cfg:1: '?ELF??xxx"));
  EXPECT_LT(message.size(), 250u);
}

} // namespace
} // namespace spillway
