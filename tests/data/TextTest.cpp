#include "TempFolder.hpp"
#include "data/FileBytes.hpp"
#include "data/OpenDataSet.hpp"
#include "data/Streams.hpp"
#include "data/TextCorpus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spillway {
namespace {

using test::messageOf;
using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(TextCorpus, EveryLineEndsASentence) {
  const TempFolder folder;
  const auto path = folder.write("train.txt", std::string(" the cat \n \n the  <unk>\n"));
  const Vocabulary vocabulary = Vocabulary::ofFile(path);
  EXPECT_EQ(vocabulary.size(), 4u);
  EXPECT_EQ(vocabulary.word(2), "<eos>");
  EXPECT_THAT(vocabulary.tokens(path), ElementsAre(0, 1, 2, 2, 0, 3, 2));
  folder.write("test.txt", std::string("a cat\n"));
  EXPECT_THAT(vocabulary.tokens(folder / "test.txt"), ElementsAre(3, 1, 2)); // <unk> cat <eos>
}

TEST(TextCorpus, TheNextWordIsTheLabel) {
  const TempFolder folder;
  const auto path = folder.write("train.txt", std::string(" the cat \n \n the  <unk>\n"));
  const TextCorpus corpus(Vocabulary::ofFile(path), path, 3); // 0 1 2 2 0 3 2
  ASSERT_EQ(corpus.size(), 2u);
  const Sample sample = corpus.sample(1);
  EXPECT_THAT(sample.events, ElementsAre(Event{0, 2}, Event{1, 0}, Event{2, 3}));
  EXPECT_THAT(sample.stepLabels, ElementsAre(0, 3, 2));
}

TEST(TextCorpus, ATextWithoutAWindowIsNamed) {
  const TempFolder folder;
  const auto path = folder.write("train.txt", std::string("a b\n"));
  EXPECT_THAT(messageOf<UserError>([&] { TextCorpus(Vocabulary::ofFile(path), path, 3); }),
              HasSubstr("train.txt, a text of 3 tokens"));
}

TEST(TextCorpus, UnknownWordsAndBinaryFilesAreNamed) {
  const TempFolder folder;
  folder.write("train.txt", std::string("a b\n"));
  folder.write("test.txt", std::string("a\nnew b\n"));
  const Vocabulary vocabulary = Vocabulary::ofFile(folder / "train.txt");
  EXPECT_THAT(messageOf<FileError>([&] { vocabulary.tokens(folder / "test.txt"); }),
              HasSubstr("test.txt: byte 2: 'new' does not occur"));
  folder.write("train.txt", test::Bytes{'a', 0, 'b'});
  EXPECT_THAT(messageOf<FileError>([&] { Vocabulary::ofFile(folder / "train.txt"); }),
              HasSubstr("train.txt: byte 1: a zero byte"));
}

TEST(Streams, NeighbouringBatchesHoldNeighbouringSamples) {
  EXPECT_THAT(streamedOrder(7, 3, 2), ElementsAre(0, 2, 4, 1, 3, 5)); // sample 6 is left over
  EXPECT_THAT(streamedOrder(7, 3, 3), ElementsAre(0, 3, 6, 1, 4, kNoSample, 2, 5, kNoSample));
}

TEST(TextCorpus, ValidationHasAFileOfItsOwn) {
  const TempFolder folder;
  folder.write("a.train.txt", std::string("a b c\na b\n"));
  folder.write("a.test.txt", std::string("c b a c b a\n"));
  DataSettings settings;
  settings.set = "text";
  settings.path = folder.path().string();
  settings.numSteps = 2;
  EXPECT_EQ(openDataSet(settings)->numSamples(Split::Validation), 0u);
  folder.write("a.valid.txt", std::string("a b c a\n"));
  const auto data = openDataSet(settings);
  EXPECT_TRUE(data->info().sequential);
  EXPECT_EQ(data->numSamples(Split::Validation), 2u);
  EXPECT_EQ(data->numSamples(Split::Test), 3u);
  const std::uint32_t last = 1;
  const EventBatch batch = data->batch(Split::Validation, {&last, 1}, 1, 0);
  EXPECT_THAT(batch.ids, ElementsAre(2, 0));
  settings.numValidation = 1;
  EXPECT_THAT(messageOf<UserError>([&] { openDataSet(settings); }), HasSubstr("it must be 0"));
}

TEST(TextCorpus, DamagedTextIsReadOrRefused) {
  const TempFolder folder;
  const auto path = folder.write("train.txt", std::string("the cat\n\nsat on <unk> mat\n"));
  const auto read = [&] { Vocabulary::ofFile(path).tokens(path); };
  test::readWithDamagedBytes<FileError>(path, 1, read);
  test::readMutations<FileError>(path, 1, 500, read);
}

} // namespace
} // namespace spillway
