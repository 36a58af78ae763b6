#include "config/Config.hpp"

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
  EXPECT_THAT(problems("[layer00]\nalpha = 0.5\n"),
              HasSubstr("a.cfg:2: unknown key layer00.alpha"));
}

TEST_F(ConfigFile, KnowsTheKeysThatAreTakenBack) {
  EXPECT_NO_THROW(load("[network]\nlayers = 8\n", {"layer0.alpha=", "train.epochs="}));
  EXPECT_THROW(load("[network]\nlayers = 8\n", {"train.epoch="}), ConfigError);
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
  EXPECT_THAT(problems(head + "bias = maybe\n"), HasSubstr("true | false"));
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

TEST_F(ConfigFile, NamesTheNearestLegalValue) {
  const std::string head = "[network]\nlayers = 8\n";
  EXPECT_THAT(problems(head + "[data]\nset = randmann\n"),
              AllOf(HasSubstr("a.cfg:4: data.set = randmann: must be one of randman | poisson"),
                    HasSubstr("did you mean randman?")));
  EXPECT_THAT(problems(head + "[data]\nencoding = rows\n"), HasSubstr("did you mean row?"));
  EXPECT_THAT(problems(head + "[checkpoint]\nstrategy = dubble\n"),
              HasSubstr("did you mean double?"));
  EXPECT_THAT(problems(head + "[layer]\nsurrogate = superspkie\n"),
              HasSubstr("a.cfg:4: layer.surrogate = superspkie"));
  EXPECT_THAT(problems(head + "[train]\ntensorboard = ture\n"), HasSubstr("did you mean true?"));
}

TEST_F(ConfigFile, RefusesWhatANetworkOfItsKindHasNotGot) {
  EXPECT_THAT(problems("[network]\nlayers = 8,8\n[layer0]\nkind = egru\n"),
              HasSubstr("layer1.kind = spiking is out of range"));
  const std::string gated = "[network]\nlayers = 8\n[layer]\nkind = egru\n";
  EXPECT_THAT(problems(gated + "[readout]\nkind = count\n"),
              HasSubstr("a.cfg:6: readout.kind = count is out of range"));
  EXPECT_THAT(problems(gated + "[loss]\nrateUpper = 1\n"), HasSubstr("a.cfg:6: loss.rateUpper"));
  EXPECT_THAT(problems(gated + "convention = paper\nzoneout = 0.5\n"),
              HasSubstr("a.cfg:6: layer0.zoneout = 0.5 is out of range"));
  EXPECT_THAT(problems(gated + "[data]\nbatchMemory = 1MB\n"),
              HasSubstr("a.cfg:6: data.batchMemory"));
  EXPECT_THAT(problems("[network]\nlayers = 8\ninputs = 4\nmaxInputEvents = 5\n"),
              HasSubstr("a.cfg:4: network.maxInputEvents = 5 is out of range"));
}

TEST_F(ConfigFile, RefusesKeysOfAnotherDataSet) {
  const std::string head = "[network]\nlayers = 8\n[data]\n";
  EXPECT_THAT(problems(head + "activity = 0.3\n"),
              HasSubstr("a.cfg:4: data.activity has no meaning with data.set = randman, the "
                        "default; delete line 4"));
  EXPECT_THAT(problems(head + "set = shd\nclasses = 3\n"),
              HasSubstr("a.cfg:5: data.classes has no meaning with data.set = shd"));
  EXPECT_THAT(problems(head + "set = poisson\npath = here\n"), HasSubstr("data.path has no"));
  EXPECT_NO_THROW(load(head + "set = poisson\nactivity = 0.3\nclasses = 3\n"));
}

TEST_F(ConfigFile, FindsFilesBesideItself) {
  folder_.write("weights.h5", "");
  folder_.write("base.cfg", "[network]\nlayers = 8\n[train]\nweights = weights.h5\n");
  const std::string beside = (folder_.path() / "weights.h5").string();
  EXPECT_EQ(load("include = base.cfg\n").settings.train.weights, beside);
  const std::string head = "[network]\nlayers = 8\n[train]\n";
  EXPECT_EQ(load(head + "weights = elsewhere.h5\n").settings.train.weights, "elsewhere.h5");
  EXPECT_EQ(load(head, {"train.weights=weights.h5"}).settings.train.weights, "weights.h5");
}

TEST_F(ConfigFile, ResolvesMixedLayersToAFileOfItsOwn) {
  for (const std::string layers :
       {"[layer]\nkind = egru\npseudoWidth = 0.5\n[layer1]\nkind = gru\n",
        "[layer]\nneuron = alif\nrho = 0.5\n[layer1]\nneuron = lif\n"}) {
    const std::string written = formatConfig(load("[network]\nlayers = 8,8\n" + layers).settings);
    EXPECT_EQ(problems(written), "no error");
    EXPECT_EQ(formatConfig(load(written).settings), written);
  }
  EXPECT_THAT(problems("[network]\nlayers = 8,8\n[layer0]\nneuron = alif\n[layer1]\nrho = 0.5\n"),
              HasSubstr("a.cfg:6: layer1.rho has no meaning with layer.neuron = lif, the default"));
}

TEST_F(ConfigFile, RefusesASectionForALayerThatIsNotThere) {
  EXPECT_THAT(problems("[network]\nlayers = 8,8\n[layer2]\nalpha = 0.5\n"),
              HasSubstr("a.cfg:4: there is no layer2; network.layers = 8,8 (" +
                        (folder_.path() / "a.cfg").string() +
                        ":2) makes 2 layers, layer0 to layer1"));
}

TEST_F(ConfigFile, NamesLayersThatAreNotThereOnceForAllTheirKeys) {
  const std::string text = problems("[network]\nlayers = 8\n[layer2]\ntheta = 1\nalpha = 0.5\n"
                                    "[layer1]\nbias = on\n");
  EXPECT_THAT(text, HasSubstr("a.cfg:4: there is no layer2 and no layer1 (3 keys); network.layers "
                              "= 8 ("));
  EXPECT_THAT(text, testing::EndsWith("makes 1 layer, layer0"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 0) << text;
}

TEST_F(ConfigFile, SaysHowACommentBegins) {
  EXPECT_THAT(
      problems("[network]\nlayers = 8 ; eight\n"),
      HasSubstr(
          "such as 256,256,128 or 3x256 (three of 256); a comment begins with # after a space"));
  EXPECT_THAT(problems("[network]\nlayers = 8#eight\n"), HasSubstr("a comment begins with #"));
}

TEST_F(ConfigFile, KeepsASharpWithinAName) {
  const std::string head = "# all\n[network]\nlayers = 8 # eight\n";
  EXPECT_EQ(load(head + "[train]\nweights = c#/a#1.h5 #2\n").settings.train.weights, "c#/a#1.h5");
  const Config config = load(head, {"train.weights=c#/a.h5"});
  EXPECT_EQ(load(formatConfig(config.settings)).settings.train.weights, "c#/a.h5");
  EXPECT_THAT(problems(head, {"train.weights=a #b"}), HasSubstr("where files have comments"));
  EXPECT_THAT(problems(head, {"train.weights=#b"}), HasSubstr("where files have comments"));
}

TEST_F(ConfigFile, TellsMistakesInTheOrderOfTheirLines) {
  const std::string text =
      problems("[network]\nlayers = 8\n[train]\nepochs = x\n[data]\nsteps = x\n");
  EXPECT_LT(text.find("a.cfg:4"), text.find("a.cfg:6")) << text;
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
  EXPECT_THAT(problems("[train]\nepochs = 1\n"), HasSubstr("a.cfg: network.layers is missing"));
}

TEST_F(ConfigFile, HasAMicroBatchForEveryReplica) {
  const std::string head = "[network]\nlayers = 8\n[machine]\nreplicas = 4\n[train]\n";
  EXPECT_THAT(problems(head + "batchSize = 8\n"),
              HasSubstr("a.cfg:4: machine.replicas = 4, but a batch of 1 micro-batch: "
                        "train.microBatch must divide train.batchSize = 8 and be 1 to 2"));
  EXPECT_THAT(problems(head + "batchSize = 8\nmicroBatch = 4\n"),
              HasSubstr("a.cfg:7: machine.replicas = 4, but a batch of 2 micro-batches"));
  EXPECT_THAT(problems(head + "batchSize = 3\nmicroBatch = 1\n"),
              HasSubstr("train.batchSize = 3 must be 4 or more"));
  EXPECT_EQ(problems(head + "batchSize = 8\nmicroBatch = 2\n"), "no error");
}

TEST_F(ConfigFile, TakesCopiesOfGradientsWhereATileHasWorkersForThem) {
  const std::string head = "[network]\nlayers = 8\n", six = "gradientCopies = 6\n";
  EXPECT_EQ(problems(head + "[machine]\ndevice = model\n" + six), "no error");
  EXPECT_THAT(problems(head + "[machine]\n" + six),
              HasSubstr("a.cfg:4: machine.gradientCopies = 6 needs tiles with six workers"));
  EXPECT_THAT(problems(head + "[machine]\ndevice = model\ngradientCopies = 4\n"),
              HasSubstr("must divide the six workers of a tile: 1, 2, 3 or 6"));
  EXPECT_THAT(problems(head + "[layer]\nkind = egru\n[machine]\ndevice = model\n" + six),
              HasSubstr("needs spiking layers"));
}

TEST_F(ConfigFile, OnlyNotesWhatACommandLineChoiceLeavesUnused) {
  const Config config = load("[network]\nlayers = 8\n[checkpoint]\nstrategy = double\nchunk = "
                             "4\nremoteChunk = 16\n",
                             {"checkpoint.strategy=standard"});
  ASSERT_EQ(config.notes.size(), 1u);
  EXPECT_THAT(config.notes[0], HasSubstr("a.cfg:6: checkpoint.remoteChunk has no meaning"));
  EXPECT_EQ(config.settings.checkpoint.chunk, 4u);
  const Config again = load(formatConfig(config.settings)); // as a run's config.cfg is
  EXPECT_EQ(again.settings.checkpoint.strategy, StrategyKind::Standard);
  EXPECT_EQ(again.settings.checkpoint.remoteChunk, 0u);
}

TEST_F(ConfigFile, OnlyNotesWhatAnIncludingFileLeavesUnused) {
  folder_.write("base.cfg",
                "[network]\nlayers = 8\n[checkpoint]\nstrategy = standard\nchunk = 4\n");
  const Config config = load("include = base.cfg\n[checkpoint]\nstrategy = base\n");
  ASSERT_EQ(config.notes.size(), 1u);
  EXPECT_THAT(config.notes[0], HasSubstr("base.cfg:5: checkpoint.chunk has no meaning"));
  EXPECT_THAT(problems("include = base.cfg\n[checkpoint]\nnumLocal = 4\n"),
              HasSubstr("a.cfg:3: checkpoint.numLocal has no meaning with checkpoint.strategy = "
                        "standard"));
}

TEST_F(ConfigFile, SaysWhichLineToDelete) {
  EXPECT_THAT(
      problems("[network]\nlayers = 8\n[checkpoint]\nstrategy = base\nremoteChunk = 50\n"),
      AllOf(HasSubstr("a.cfg:5: checkpoint.remoteChunk has no meaning with checkpoint.strategy = "
                      "base ("),
            HasSubstr("a.cfg:4); delete line 5")));
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

TEST_F(ConfigFile, ReadsWhatOtherSystemsWrite) {
  const Settings settings = load("\xef\xbb\xbf[network]\r\nlayers = 8\r\n").settings;
  EXPECT_EQ(settings.network.layers.at(0).size, 8u);
  EXPECT_THAT(problems("\xff\xfe["), HasSubstr("is UTF-16; it must be UTF-8"));
}

TEST_F(ConfigFile, RefusesAnIncludeOfNothing) {
  EXPECT_THAT(problems("include =\n"), HasSubstr("a.cfg:1: include = : must be a file"));
  EXPECT_THAT(problems("include = .\n"), HasSubstr("it is a folder"));
}

TEST_F(ConfigFile, BoundsTheNumberOfLayers) {
  EXPECT_THAT(problems("[network]\nlayers = 1000x8, 25x8\n"), HasSubstr("must be 1 to 1024 sizes"));
}

} // namespace
} // namespace spillway
