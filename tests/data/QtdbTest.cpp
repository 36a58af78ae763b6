#include "data/Qtdb.hpp"

#include "TempFolder.hpp"
#include "data/FileBytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <matio.h>

namespace spillway {
namespace {

using test::messageOf;
using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

struct Arrays {
  std::vector<std::int16_t> x; // [2][3][2], column-major
  std::vector<double> y;       // [2][3][2]
};

// Sample 0: channel 0 up at step 0, channel 1 down at step 2; sample 1 silent. Classes 0 1 1 and 1
// 0 -.
Arrays goodArrays() {
  Arrays arrays;
  arrays.x = {1, 0, 0, 0, 0, 0, /* channel 1 */ 0, 0, 0, 0, -1, 0};
  arrays.y = {1, 0, 0, 1, 0, 0, /* class 1 */ 0, 1, 1, 0, 1, 0};
  return arrays;
}

void writeMat(const std::filesystem::path& path, Arrays arrays, matio_compression compression) {
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
  std::size_t dims[3] = {2, 3, 2};
  matvar_t* x = Mat_VarCreate("x", MAT_C_INT16, MAT_T_INT16, 3, dims, arrays.x.data(), 0);
  matvar_t* y = Mat_VarCreate("y", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, dims, arrays.y.data(), 0);
  Mat_VarWrite(file, x, compression);
  Mat_VarWrite(file, y, compression);
  Mat_VarFree(x);
  Mat_VarFree(y);
  Mat_Close(file);
}

TEST(Qtdb, ReadsEventsAndALabelForEveryStep) {
  const TempFolder folder;
  for (matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    writeMat(folder / "QTDB_train.mat", goodArrays(), compression);
    const Qtdb source(folder / "QTDB_train.mat", 4, Unlabelled::Skipped);
    EXPECT_EQ(source.size(), 2u);
    EXPECT_EQ(source.numClasses(), 2u);
    EXPECT_EQ(source.grid().numInputs(), 4u);
    EXPECT_THAT(source.sample(0).events, ElementsAre(Event{0, 2}, Event{2, 1}));
    EXPECT_THAT(source.sample(0).stepLabels, ElementsAre(0, 1, 1, -1));
    EXPECT_THAT(source.sample(1).stepLabels, ElementsAre(1, 0, -1, -1));
  }
}

// Steps that the file does not have keep no label.
TEST(Qtdb, StepsWithoutAClassMayCountAsTheFirst) {
  const TempFolder folder;
  writeMat(folder / "a.mat", goodArrays(), MAT_COMPRESSION_NONE);
  const Qtdb source(folder / "a.mat", 4, Unlabelled::FirstClass);
  EXPECT_THAT(source.sample(1).stepLabels, ElementsAre(1, 0, 0, -1));
}

TEST(Qtdb, OtherValuesAndTwoClassesAtOnceAreRefused) {
  const TempFolder folder;
  const auto message = [&](const Arrays& arrays) {
    writeMat(folder / "a.mat", arrays, MAT_COMPRESSION_NONE);
    return messageOf<FileError>([&] { Qtdb(folder / "a.mat", 3, Unlabelled::Skipped); });
  };
  Arrays arrays = goodArrays();
  arrays.x[4] = 2;
  EXPECT_THAT(message(arrays), HasSubstr("a.mat: variable 'x', sample 0, step 2: 2.0"));
  arrays = goodArrays();
  arrays.y[6] = 1; // class 1 of sample 0, step 0, which has class 0
  EXPECT_THAT(message(arrays), HasSubstr("variable 'y', sample 0, step 0: is not one-hot"));
}

TEST(MatFile, TruncatedFilesAreRefused) {
  const TempFolder folder;
  for (matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    const auto path = folder / "a.mat";
    writeMat(path, goodArrays(), compression);
    const std::size_t size = test::bytesOf(path).size();
    EXPECT_EQ(
        test::readEveryPrefix<FileError>(path, 1, [&] { Qtdb(path, 3, Unlabelled::Skipped); }),
        size);
  }
}

TEST(MatFile, DamageNeverReadsPastTheEnd) {
  const TempFolder folder;
  for (matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
    const auto path = folder / "a.mat";
    writeMat(path, goodArrays(), compression);
    const auto read = [&] { Qtdb(path, 3, Unlabelled::Skipped).sample(0); };
    EXPECT_GT(test::readWithDamagedBytes<FileError>(path, 1, read), 0u);
    test::readMutations<FileError>(path, 1, 500, read);
  }
}

// The library reads on where tags do not fit together, and fills up with zeros.
TEST(MatFile, TagsThatDoNotFitTheVariableAreRefused) {
  const TempFolder folder;
  const auto path = folder / "a.mat";
  writeMat(path, goodArrays(), MAT_COMPRESSION_NONE);
  const test::Bytes whole = test::bytesOf(path);
  constexpr std::size_t kFlags = 128 + 8, kExtents = kFlags + 16, kName = kExtents + 8 + 16;
  const auto messageWith = [&](std::size_t at, std::uint8_t value) {
    test::Bytes damaged = whole;
    damaged[at] = value;
    test::overwrite(path, damaged);
    return messageOf<FileError>([&] { readMat(path, "x"); });
  };
  EXPECT_EQ(messageWith(0, whole[0]), "");
  EXPECT_THAT(messageWith(kFlags, 5), HasSubstr("a.mat: byte 136: a variable begins without"));
  EXPECT_THAT(messageWith(kExtents + 8, 3), HasSubstr("are not the variable's numbers")); // not 2
  EXPECT_THAT(messageWith(kName + 2, 5), HasSubstr("a.mat: byte 176: the name of a variable"));
  for (const std::uint8_t kind : test::Bytes{2, 5, 14}) { // bytes, words of four, no numbers; not 3
    EXPECT_THAT(messageWith(kName + 8, kind), HasSubstr("byte 184: 24 bytes of kind")) << kind;
  }
}

TEST(MatFile, ForeignFilesAndMissingVariablesAreNamed) {
  const TempFolder folder;
  folder.write("text.mat", std::string(200, 'x'));
  EXPECT_THAT(messageOf<FileError>([&] { readMat(folder / "text.mat", "x"); }),
              HasSubstr("text.mat: byte 124: not a MATLAB 5 .mat file"));
  writeMat(folder / "a.mat", goodArrays(), MAT_COMPRESSION_NONE);
  EXPECT_THAT(messageOf<FileError>([&] { readMat(folder / "a.mat", "z"); }),
              HasSubstr("variable 'z': is missing"));
}

} // namespace
} // namespace spillway
