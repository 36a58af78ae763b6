#include "Codelets.hpp"
#include "popc/CodeletObject.hpp"

#include <poplar/exceptions.hpp>

#include <gmock/gmock.h>

namespace ipumodel::testing {
namespace {

using ::testing::HasSubstr;

std::string linkErrorOf(const std::string& text) {
  try {
    compile(text);
  } catch (const poplar::link_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Link, RejectsCodeletsThatAllocate) {
  EXPECT_THAT(linkErrorOf(R"(
    struct V : Vertex {
      Output<int> x;
      void compute() { int* p = new int[x]; *x = reinterpret_cast<long>(p); }
    };)"),
              HasSubstr("undefined symbol _Znam on tile 0"));
  EXPECT_THAT(linkErrorOf(R"(
    #include <vector>
    struct V : Vertex {
      InOut<int> x;
      void compute() { std::vector<int> v(x); v[0] = x; *x = v[x - 1]; }
    };)"),
              HasSubstr("undefined symbol _Znwm on tile 0"));
}

TEST(Link, IgnoresAllocationThatNoVertexReaches) {
  EXPECT_EQ(linkErrorOf(R"(
    int* unused(int n) { return new int[n]; }
    struct V : Vertex { void compute() {} };)"),
            "no error");
}

TEST(Link, RejectsFunctionsThatAreNotThere) {
  EXPECT_THAT(linkErrorOf(R"(
    extern "C" int not_defined_anywhere(int);
    struct V : Vertex { InOut<int> x; void compute() { *x = not_defined_anywhere(x); } };)"),
              HasSubstr("undefined symbol not_defined_anywhere"));
}

TEST(Link, ReportsErrorsOfTheCompiler) {
  try {
    compile("struct V : Vertex { void compute() { undeclared = 1; } };");
    FAIL();
  } catch (const poplar::graph_object_creation_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("codelets.cpp:3:38: error: use of undeclared identifier"));
  }
}

TEST(Link, ReportsMissingFiles) {
  CodeletLibrary library;
  EXPECT_THROW(library.addFile("/no/such/file.cpp", CodeletSource::Cpp, ""),
               poplar::file_load_error);
  EXPECT_THROW(library.addFile("/no/such/file.gp", CodeletSource::GraphProgram, ""),
               poplar::file_load_error);
  EXPECT_THROW(CodeletObject::fromBytes("not a shared object", "x.gp"),
               poplar::graph_object_load_error);
}

TEST(Link, TakesFlags) {
  const auto library =
      compile("struct V : Vertex { Output<int> x; void compute() { *x = VALUE; } };",
              "-DVALUE='(40 + 2)' -O1 -target ipu2 -Wall");
  int x = 0;
  VertexObject(typeOf(library, "V")).scalar("x", x).run();
  EXPECT_EQ(x, 42);
  EXPECT_THROW(compile("struct V : Vertex { void compute() {} };", "file.cpp"),
               poplar::poplar_error);
}

TEST(Link, LoadsAnObjectFromItsBytes) {
  CodeletLibrary copy;
  {
    const auto library =
        compile("struct V : Vertex { Output<int> x; void compute() { *x = 9; } };");
    copy.add(CodeletObject::fromBytes(library.objects().front()->bytes(), "bytes"));
  }
  int x = 0;
  VertexObject(typeOf(copy, "V")).scalar("x", x).run();
  EXPECT_EQ(x, 9);
}

TEST(Link, KeepsTypesOfEarlierObjects) {
  CodeletLibrary library;
  library.addText(codelet("struct A : Vertex { void compute() {} };"), "");
  const VertexType* first = library.find("A");
  library.addText(codelet("struct B : Vertex { void compute() {} };"), "");
  EXPECT_EQ(library.find("A"), first);
  EXPECT_NE(library.find("B"), nullptr);
  EXPECT_EQ(library.find("C"), nullptr);
}

} // namespace
} // namespace ipumodel::testing
