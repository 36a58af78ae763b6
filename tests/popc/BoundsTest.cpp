#include "Codelets.hpp"
#include "popc/CodeletObject.hpp"

#include <poplar/exceptions.hpp>

#include <cstdlib>

namespace ipumodel::testing {
namespace {

constexpr const char* kText = R"(
  namespace n {
  template <class T> struct V : Vertex {
    Input<Vector<T, VectorLayout::ONE_PTR>> in;
    Output<Vector<T>> out;
    Vector<Input<Vector<T>>> lists;
    unsigned index;
    void compute() {
      auto copy = in;
      out[index] = index == 7 ? lists[1][9] : index == 8 ? copy[3] : in[index];
    }
  };
  template struct V<float>;
  })";

// The message of the error a vertex with in[3], out[2] and lists[2][2] raises for an index.
std::string errorAt(const CodeletLibrary& library, unsigned index) {
  std::vector<float> in(3), out(9), list(2);
  std::vector<HostSpan> lists = {{list.data(), 2}, {list.data(), 2}};
  out.resize(index > 6 ? 9 : 2);
  VertexObject vertex(typeOf(library, "n::V<float>"));
  vertex.vector("in", in).vector("out", out).list("lists", lists).state("index", index);
  try {
    vertex.run();
  } catch (const poplar::application_runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Bounds, AreCheckedOnRequest) {
  const auto library = compile(kText, "-DIPUMODEL_CHECK_BOUNDS");
  EXPECT_EQ(errorAt(library, 1), "no error");
  EXPECT_EQ(errorAt(library, 2),
            "Index 2 is out of bounds for field 'n::V<float>.out' of 2 elements");
  EXPECT_EQ(errorAt(library, 3),
            "Index 3 is out of bounds for field 'n::V<float>.in' of 3 elements");
}

TEST(Bounds, AreCheckedInsideListsAndCopies) {
  const auto library = compile(kText, "-DIPUMODEL_CHECK_BOUNDS");
  EXPECT_EQ(errorAt(library, 7),
            "Index 9 is out of bounds for field 'n::V<float>.lists' of 2 elements");
  EXPECT_EQ(errorAt(library, 8),
            "Index 3 is out of bounds for field 'n::V<float>.(a copy of a field)' of 3 elements");
}

TEST(Bounds, AreCheckedInPrebuiltProgramsToo) {
  const auto built = compile(kText);
  const std::string path = ::testing::TempDir() + "bounds.gp";
  const std::string_view bytes = built.objects().front()->bytes();
  FILE* file = std::fopen(path.c_str(), "wb");
  ASSERT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
  std::fclose(file);

  setenv("IPUMODEL_CHECK_BOUNDS", "1", 1);
  CodeletLibrary library;
  library.addFile(path, CodeletSource::GraphProgram, "");
  setenv("IPUMODEL_CHECK_BOUNDS", "0", 1);
  CodeletLibrary unchecked;
  unchecked.addFile(path, CodeletSource::GraphProgram, "");
  unsetenv("IPUMODEL_CHECK_BOUNDS");

  EXPECT_EQ(errorAt(library, 2),
            "Index 2 is out of bounds for field 'n::V<float>.out' of 2 elements");
  EXPECT_EQ(unchecked.objects().front()->bytes(), bytes);
}

} // namespace
} // namespace ipumodel::testing
