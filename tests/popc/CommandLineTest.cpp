// The popc executable as users call it.
#include "Codelets.hpp"
#include "popc/Files.hpp"
#include "popc/Process.hpp"

#include <poplar/exceptions.hpp>

#include <gmock/gmock.h>

#include <filesystem>

namespace ipumodel::testing {
namespace {

using popc::ProcessResult;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CommandLine : public ::testing::Test {
protected:
  std::string write(const std::string& name, const std::string& text) {
    const auto path = scratch.path() / name;
    popc::writeFileAtomically(path, text);
    return path.string();
  }
  std::string place(const std::string& name) { return (scratch.path() / name).string(); }

  ProcessResult popcWith(std::vector<std::string> arguments,
                         std::vector<std::string> environment = {}) {
    std::vector<std::string> command = {"env"};
    command.insert(command.end(), environment.begin(), environment.end());
    command.push_back(POPC_PROGRAM);
    command.insert(command.end(), arguments.begin(), arguments.end());
    return popc::runProcess(command);
  }

  static std::string vertex(const std::string& name, const std::string& value) {
    return codelet("struct " + name + " : Vertex { Output<int> x; void compute() { *x = " + value +
                   "; } };");
  }
  static int run(const CodeletLibrary& library, const std::string& name) {
    int x = 0;
    VertexObject(typeOf(library, name)).scalar("x", x).run();
    return x;
  }

  popc::TemporaryDirectory scratch;
};

TEST_F(CommandLine, CompilesAFile) {
  const auto result =
      popcWith({"-O2", "-g", "-std=c++14", "-DVALUE=3", "-I", scratch.path(), "-Wall", "-v",
                write("a.cpp", vertex("A", "VALUE")), "-o", place("a.gp")});
  EXPECT_EQ(result.exitCode, 0) << result.output;
  EXPECT_EQ(result.output, "vertex A\n");
  CodeletLibrary library;
  library.addFile(place("a.gp"), CodeletSource::GraphProgram, "");
  EXPECT_EQ(run(library, "A"), 3);
}

TEST_F(CommandLine, LinksSourcesAndPrograms) {
  const std::string a = write("a.cpp", vertex("A", "1")), b = write("b.cpp", vertex("B", "2")),
                    c = write("c.cpp", vertex("C", "3"));
  ASSERT_EQ(popcWith({a, b, "-o", place("ab.gp")}).exitCode, 0);
  const auto result = popcWith({place("ab.gp"), c, "-o", place("abc.gp")});
  ASSERT_EQ(result.exitCode, 0) << result.output;
  CodeletLibrary library;
  library.addFile(place("abc.gp"), CodeletSource::GraphProgram, "");
  EXPECT_EQ(library.objects().size(), 1u);
  EXPECT_EQ(run(library, "A") * 100 + run(library, "B") * 10 + run(library, "C"), 123);
}

TEST_F(CommandLine, LinksFilesThatShareNames) {
  const auto with = [&](const std::string& name, const std::string& value) {
    return write(name + ".cpp", "int helper() { return " + value +
                                    "; }\ninline int twice(int x) { "
                                    "return 2 * x; }\n" +
                                    vertex(name, "twice(helper())"));
  };
  const auto result = popcWith({"-O0", with("A", "1"), with("B", "2"), "-o", place("ab.gp")});
  ASSERT_EQ(result.exitCode, 0) << result.output;
  CodeletLibrary library;
  library.addFile(place("ab.gp"), CodeletSource::GraphProgram, "");
  EXPECT_EQ(run(library, "A"), 2);
  EXPECT_EQ(run(library, "B"), 4);
}

TEST_F(CommandLine, ListsAndAcceptsTargets) {
  EXPECT_EQ(popcWith({"--list-targets"}).output, "cpu,ipu1,ipu2\n");
  const std::string a = write("a.cpp", vertex("A", "1")), out = place("a.gp");
  for (const std::vector<std::string>& target :
       {std::vector<std::string>{"--target", R"(["ipu1","ipu2"])"},
        {"--target", R"([{"name":"ipu2:cpp","arch":"ipu2","compile-flags":["-DPLAIN"]}])"},
        {"-target", "ipu2"},
        {"--target=ipu1,ipu2:cpp"},
        {"--target", "ipu21"},
        {"-target=cpu"}}) {
    std::vector<std::string> arguments = target;
    arguments.insert(arguments.end(), {"-o", out, a});
    EXPECT_EQ(popcWith(arguments).exitCode, 0) << target.front();
  }
  const auto wrong = popcWith({"--target", "ipu9", "-o", out, a});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_THAT(wrong.output, HasSubstr("unknown target 'ipu9'"));
}

TEST_F(CommandLine, LinksTargetsOfOneSourceOnce) {
  const std::string a = write("a.cpp", vertex("A", "1"));
  for (const char* target : {"cpu", "ipu2"})
    ASSERT_EQ(popcWith({"--target", target, a, "-o", place(std::string(target) + ".gp")}).exitCode,
              0);
  const auto result = popcWith({"-v", place("cpu.gp"), place("ipu2.gp"), "-o", place("all.gp")});
  EXPECT_EQ(result.output, "vertex A\n");
}

TEST_F(CommandLine, LetsHalvesComputeInFloatUnderAnyWarning) {
  const std::string text = codelet("struct H : Vertex { InOut<half> x; Input<half> y; "
                                   "void compute() { *x += *x * *y; } };");
  const auto result =
      popcWith({"-Wall", "-Werror", "-Wdouble-promotion", "-v",
                write("h.cpp", "#include <poplar/HalfFloat.hpp>\n" + text), "-o", place("h.gp")});
  EXPECT_EQ(result.exitCode, 0) << result.output;
  EXPECT_EQ(result.output, "vertex H\n");
}

TEST_F(CommandLine, TakesAssemblyThatIsOnlyForTheTile) {
  const std::string tile = write("tile.S", "#ifdef __IPU__\n  br $m10\n#endif\n");
  const std::string a = write("a.cpp", vertex("A", "1"));
  const auto result = popcWith({"-O3", "-v", tile, a, "-o", place("a.gp")});
  EXPECT_EQ(result.exitCode, 0) << result.output;
  EXPECT_EQ(result.output, "vertex A\n");

  const auto wrong = popcWith({write("any.S", "  br $m10\n"), "-o", place("b.gp")});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_THAT(wrong.output, HasSubstr("is assembly for a tile's processor"));
}

TEST_F(CommandLine, RejectsWhatItDoesNotKnow) {
  EXPECT_THAT(popcWith({"--frobnicate"}).output, HasSubstr("unknown option '--frobnicate'"));
  EXPECT_THAT(popcWith({"-o"}).output, HasSubstr("option '-o' needs a value"));
  EXPECT_THAT(popcWith({"-o", "x.gp"}).output, HasSubstr("no input files"));
  const auto missing = popcWith({"missing.cpp", "-o", place("x.gp")});
  EXPECT_EQ(missing.exitCode, 1);
  EXPECT_THAT(missing.output, HasSubstr("missing.cpp"));
}

TEST_F(CommandLine, FailsForIllegalFieldsAndWritesNothing) {
  const auto result = popcWith(
      {write("a.cpp", codelet("struct X : Vertex { unsigned y[100]; void compute() {} };")), "-o",
       place("a.gp")});
  EXPECT_EQ(result.exitCode, 1);
  EXPECT_THAT(result.output,
              HasSubstr("Field 'X.y' has unsupported field type 'unsigned int [100]'"));
  EXPECT_FALSE(std::filesystem::exists(place("a.gp")));
}

TEST_F(CommandLine, ExpandsIncludes) {
  write("value.hpp", "#define VALUE 5\n");
  const auto result =
      popcWith({"-E", write("a.cpp", "#include \"value.hpp\"\n" + vertex("A", "VALUE"))});
  EXPECT_EQ(result.exitCode, 0);
  EXPECT_THAT(result.output, HasSubstr("#define VALUE 5"));
}

TEST_F(CommandLine, ListsItsCode) {
  const std::string source = write("a.cpp", vertex("A", "5"));
  EXPECT_THAT(popcWith({"-S", source}).output, HasSubstr(".p2align"));
  EXPECT_THAT(popcWith({"--emit-llvm", source}).output, HasSubstr("define "));
  EXPECT_EQ(popcWith({"-S", "--target=ipu21", "-o", place("a.S"), source}).exitCode, 0);
  EXPECT_TRUE(std::filesystem::exists(place("a.S")));
}

TEST_F(CommandLine, DescribesItself) {
  EXPECT_THAT(popcWith({"--version"}).output, StartsWith("POPLAR version 3.3.0 "));
  EXPECT_THAT(popcWith({"--version"}).output, HasSubstr("IPU Model version "));
  EXPECT_THAT(popcWith({"--help"}).output, StartsWith("usage: popc"));
}

// A compiler that leaves a mark each time it is called.
class CompilerCalls : public CommandLine {
protected:
  CompilerCalls() {
    const std::string script = write("clang-counted", "#!/bin/sh\necho call >> " + place("calls") +
                                                          "\nexec clang++ \"$@\"\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    environment = {"IPUMODEL_CXX=" + script, "IPUMODEL_CACHE_DIR=" + place("cache")};
  }
  unsigned callsOf(const std::vector<std::string>& arguments) {
    popc::writeFileAtomically(place("calls"), "");
    const auto result = popcWith(arguments, environment);
    EXPECT_EQ(result.exitCode, 0) << result.output;
    const std::string calls = popc::readFile(place("calls"));
    return static_cast<unsigned>(std::count(calls.begin(), calls.end(), '\n'));
  }
  std::vector<std::string> environment;
};

TEST_F(CompilerCalls, AreNoneTheSecondTime) {
  write("value.hpp", "#define VALUE 5\n");
  const std::string a = write("a.cpp", "#include \"value.hpp\"\n" + vertex("A", "VALUE"));
  const std::vector<std::string> arguments = {a, "-o", place("a.gp")};
  EXPECT_EQ(callsOf(arguments), 3u); // expand, compile, link
  EXPECT_EQ(callsOf(arguments), 0u);
  EXPECT_EQ(callsOf({a, "-O1", "-o", place("a.gp")}), 3u);

  write("value.hpp", "#define VALUE 6\n");
  EXPECT_EQ(callsOf(arguments), 3u);
  CodeletLibrary library;
  library.addFile(place("a.gp"), CodeletSource::GraphProgram, "");
  EXPECT_EQ(run(library, "A"), 6);

  write("value.hpp", "#define VALUE 5\n"); // as it was
  EXPECT_EQ(callsOf(arguments), 0u);
}

TEST_F(CompilerCalls, SucceedWithoutACacheDirectory) {
  environment[1] = "IPUMODEL_CACHE_DIR=/dev/null/nowhere";
  const std::string a = write("a.cpp", vertex("A", "1"));
  EXPECT_EQ(callsOf({a, "-o", place("a.gp")}), 3u);
  EXPECT_EQ(callsOf({a, "-o", place("a.gp")}), 3u);
}

TEST_F(CompilerCalls, ServeTwoProcessesThatAskAtOnce) {
  const std::string a = write("a.cpp", vertex("A", "1"));
  const std::string once = std::string(POPC_PROGRAM) + " " + a + " -o " + place("out");
  popc::writeFileAtomically(place("calls"), "");
  const auto both = popc::runProcess({"env", environment[0], environment[1], "sh", "-c",
                                      once + "1.gp & " + once + "2.gp; wait $! && test -s " +
                                          place("out1.gp") + " && test -s " + place("out2.gp")});
  EXPECT_EQ(both.exitCode, 0) << both.output;
  const std::string calls = popc::readFile(place("calls"));
  EXPECT_EQ(std::count(calls.begin(), calls.end(), '\n'), 3);
}

} // namespace
} // namespace ipumodel::testing
