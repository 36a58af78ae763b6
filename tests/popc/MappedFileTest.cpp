#include "popc/MappedFile.hpp"

#include "popc/Files.hpp"

#include <poplar/exceptions.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <utility>

namespace ipumodel::popc {
namespace {

TEST(MappedFile, KeepsItsBytesWhenTheNameIsGone) {
  MappedFile mapped;
  {
    const TemporaryDirectory folder;
    writeFileAtomically(folder.path() / "a", "twelve bytes");
    mapped = MappedFile(folder.path() / "a");
  }
  mapped.dropPages();
  EXPECT_EQ(mapped.bytes(), "twelve bytes");
  const MappedFile moved = std::move(mapped);
  EXPECT_EQ(moved.bytes(), "twelve bytes");
}

TEST(MappedFile, TakesEmptyFilesAndRefusesWhatIsNone) {
  const TemporaryDirectory folder;
  writeFileAtomically(folder.path() / "empty", "");
  EXPECT_TRUE(MappedFile(folder.path() / "empty").bytes().empty());
  EXPECT_THROW(MappedFile(folder.path()), poplar::file_load_error);
  EXPECT_THROW(MappedFile(folder.path() / "none"), poplar::file_load_error);
}

} // namespace
} // namespace ipumodel::popc
