#include "Codelets.hpp"
#include "popc/CanonicalName.hpp"

namespace ipumodel::testing {
namespace {

using popc::canonicalName;

TEST(CanonicalName, HasNoBlanksButInsideTypes) {
  EXPECT_EQ(canonicalName("Foo<float, true, 3u>"), "Foo<float,true,3>");
  EXPECT_EQ(canonicalName("ns::Foo<unsigned int, unsigned short>"),
            "ns::Foo<unsigned int,unsigned short>");
  EXPECT_EQ(canonicalName("Foo<unsigned>"), "Foo<unsigned int>");
  EXPECT_EQ(canonicalName("Foo<unsigned char, long long, -5l>"), "Foo<unsigned char,long long,-5>");
}

TEST(CanonicalName, NamesEnumerators) {
  EXPECT_EQ(canonicalName("Foo<(ns::Op)1, half>", "ns::Op 0 ADD 1 MUL\n"), "Foo<ns::Op::MUL,half>");
  EXPECT_EQ(canonicalName("Foo<(ns::Op)7>", "ns::Op 0 ADD 1 MUL\n"), "Foo<(ns::Op)7>");
}

TEST(VertexFinder, FindsKinds) {
  const auto library = compile(R"(
    class A : public Vertex { public: bool compute() { return true; } };
    struct B : public MultiVertex { bool compute(unsigned) { return true; } };
    struct C : SupervisorVertex {
      __attribute__((target("supervisor"))) bool compute() { return true; }
    };
    struct NotAVertex { bool compute() { return true; } };)");
  EXPECT_EQ(typeOf(library, "A").kind, VertexKind::Worker);
  EXPECT_EQ(typeOf(library, "B").kind, VertexKind::Multi);
  EXPECT_EQ(typeOf(library, "C").kind, VertexKind::Supervisor);
  EXPECT_EQ(library.find("NotAVertex"), nullptr);
}

TEST(VertexFinder, FindsExplicitInstantiations) {
  const auto library = compile(R"(
    namespace ops {
    enum class Op { ADD, MUL };
    namespace expr { enum Kind { FIRST = 3, SECOND }; }
    template <Op O, typename T, bool B, unsigned N> struct Foo : Vertex { void compute() {} };
    template class Foo<Op::MUL, float, true, 3>;
    template class Foo<Op::ADD, half, false, 4u>;
    template <expr::Kind K> struct Bar : Vertex { void compute() {} };
    template struct Bar<expr::SECOND>;
    }
    using namespace ops;
    template <class T> class Never : public Vertex { void compute() {} };)");
  EXPECT_NE(library.find("ops::Foo<ops::Op::MUL,float,true,3>"), nullptr);
  EXPECT_NE(library.find("ops::Foo<ops::Op::ADD,half,false,4>"), nullptr);
  EXPECT_NE(library.find("ops::Foo<ops::Op::ADD, half, false, 4>"), nullptr);
  EXPECT_NE(library.find("ops::Bar<ops::expr::Kind::SECOND>"), nullptr);
  EXPECT_EQ(library.find("Never"), nullptr);
}

TEST(VertexFinder, FindsInstantiationsFromOutsideTheNamespace) {
  const auto library = compile(R"(
    namespace a { namespace b {
    enum class E { X, Y };
    template <E e, class T> class V : public Vertex { public: T t; void compute() {} };
    } }
    template class a::b::V<a::b::E::Y, unsigned short>;)");
  EXPECT_NE(library.find("a::b::V<a::b::E::Y,unsigned short>"), nullptr);
}

TEST(VertexFinder, FindsVerticesWithDependentBases) {
  const auto library = compile(R"(
    #include <type_traits>
    template <class T> struct Common : Vertex { Input<T> x; };
    template <class T> struct Derived : Common<T> {
      Output<T> y;
      void compute() { *y = *this->x; }
    };
    template struct Derived<float>;
    template <bool S> struct Either : SupervisorVertexIf<S> { void compute() {} };
    template struct Either<true>;
    template struct Either<false>;
    template <bool B> struct Maybe
        : std::conditional_t<B, MultiVertex, Vertex> {
      unsigned n;
      void compute(unsigned = 0) {}
    };
    template struct Maybe<true>;
    template struct Maybe<false>;
    template <class T> struct Helper : std::integral_constant<int, sizeof(T)> {};
    template struct Helper<int>;)");
  EXPECT_EQ(typeOf(library, "Derived<float>").fields.size(), 2u);
  EXPECT_EQ(typeOf(library, "Either<true>").kind, VertexKind::Supervisor);
  EXPECT_EQ(typeOf(library, "Either<false>").kind, VertexKind::Worker);
  EXPECT_EQ(typeOf(library, "Maybe<true>").kind, VertexKind::Multi);
  EXPECT_EQ(typeOf(library, "Maybe<false>").kind, VertexKind::Worker);
  EXPECT_EQ(library.find("Helper<int>"), nullptr);
}

TEST(VertexFinder, FindsSpecialisations) {
  const auto library = compile(R"(
    template <class T, bool B> struct V : Vertex { Input<T> general; void compute() {} };
    template <class T> struct V<T, true> : Vertex { Input<T> partial; void compute() {} };
    template <> struct V<int, true> : Vertex { Input<int> full; void compute() {} };
    template struct V<float, false>;
    template struct V<float, true>;)");
  EXPECT_EQ(typeOf(library, "V<float,false>").fields.at(0).name, "general");
  EXPECT_EQ(typeOf(library, "V<float,true>").fields.at(0).name, "partial");
  EXPECT_EQ(typeOf(library, "V<int,true>").fields.at(0).name, "full");
}

TEST(VertexFinder, FindsVerticesInAnonymousNamespacesAndClasses) {
  const auto library = compile(R"(
    namespace { struct Hidden : Vertex { void compute() {} }; }
    namespace n { namespace { template <class T> struct Deep : Vertex { void compute() {} };
    template struct Deep<int>; } }
    struct Outer { struct Inner : Vertex { void compute() {} }; };
    extern "C++" { struct Linked : Vertex { void compute() {} }; })");
  EXPECT_NE(library.find("Hidden"), nullptr);
  EXPECT_NE(library.find("n::Deep<int>"), nullptr);
  EXPECT_NE(library.find("Outer::Inner"), nullptr);
  EXPECT_NE(library.find("Linked"), nullptr);
}

TEST(VertexFinder, AcceptsConstraintsAndPragmas) {
  const auto library = compile(R"x(
    class [[poplar::constraint("elem(*in) != elem(*out)")]] V : public Vertex {
    public:
      Input<Vector<float>> in;
      Output<Vector<float>> out;
      [[poplar::constraint("region(*in) != region(*out)")]] bool compute() {
        #pragma clang loop unroll(disable)
        for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i];
        return true;
      }
    };)x");
  EXPECT_NE(library.find("V"), nullptr);
}

TEST(VertexFinder, SeesTheDeviceSideOfMixedFiles) {
  CodeletLibrary library;
  library.addText(R"(
    #ifdef __POPC__
    #include <poplar/Vertex.hpp>
    struct OnDevice : poplar::Vertex { void compute() {} };
    #else
    int main() { return not_declared_here(); }
    #endif
    #ifdef __IPU__
    #error "compiled for hardware"
    #endif)",
                  "");
  EXPECT_NE(library.find("OnDevice"), nullptr);
}

} // namespace
} // namespace ipumodel::testing
