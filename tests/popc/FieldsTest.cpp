#include "Codelets.hpp"

#include <poplar/exceptions.hpp>

#include <gmock/gmock.h>

namespace ipumodel::testing {
namespace {

using ::testing::HasSubstr;

std::string errorOf(const std::string& text) {
  try {
    compile(text);
  } catch (const poplar::graph_object_creation_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Fields, HaveDirections) {
  const auto library = compile(R"(
    struct V : Vertex {
      Input<Vector<float>> in;
      Output<float> out;
      InOut<Vector<float>> both;
      float state;
      void compute() {}
    };)");
  const VertexType& type = typeOf(library, "V");
  ASSERT_EQ(type.fields.size(), 4u);
  EXPECT_EQ(type.fields[0].direction, FieldDirection::Input);
  EXPECT_EQ(type.fields[1].direction, FieldDirection::Output);
  EXPECT_EQ(type.fields[2].direction, FieldDirection::InOut);
  EXPECT_EQ(type.fields[3].direction, FieldDirection::State);
}

TEST(Fields, HaveElementTypes) {
  const auto library = compile(R"(
    #include <cstdint>
    enum class Mode : unsigned char { A, B };
    struct V : Vertex {
      float f; half h; int i; unsigned u; short s; unsigned short us; char c; signed char sc;
      unsigned char uc; bool b; long long ll; unsigned long long ull; int64_t i64; Mode mode;
      const unsigned cu; Input<Vector<int8_t>> i8; Output<Vector<uint16_t>> u16;
      void compute() {}
    };)");
  const VertexType& type = typeOf(library, "V");
  const std::vector<poplar::Type> expected = {
      poplar::FLOAT,        poplar::HALF,          poplar::INT,
      poplar::UNSIGNED_INT, poplar::SHORT,         poplar::UNSIGNED_SHORT,
      poplar::CHAR,         poplar::SIGNED_CHAR,   poplar::UNSIGNED_CHAR,
      poplar::BOOL,         poplar::LONGLONG,      poplar::UNSIGNED_LONGLONG,
      poplar::LONGLONG,     poplar::UNSIGNED_CHAR, poplar::UNSIGNED_INT,
      poplar::SIGNED_CHAR,  poplar::UNSIGNED_SHORT};
  ASSERT_EQ(type.fields.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(type.fields[i].elementType, expected[i]) << type.fields[i].name;
}

TEST(Fields, HaveVectorLayouts) {
  const auto library = compile(R"(
    struct V : Vertex {
      Input<Vector<float>> span;
      Input<Vector<float, VectorLayout::SHORT_SPAN>> shortSpan;
      Input<Vector<float, VectorLayout::ONE_PTR, 8>> onePtr;
      Output<Vector<float, VectorLayout::SCALED_PTR32, 4>> scaled32;
      Output<Vector<float, VectorLayout::SCALED_PTR64, 8, true>> scaled64;
      Output<Vector<float, VectorLayout::SCALED_PTR128, 16>> scaled128;
      InOut<Vector<half, VectorLayout::COMPACT_PTR, 8>> compact;
      Vector<unsigned> state;
      void compute() {}
    };)");
  const VertexType& type = typeOf(library, "V");
  const std::vector<PointerLayout> expected = {
      PointerLayout::Span,        PointerLayout::ShortSpan,   PointerLayout::OnePtr,
      PointerLayout::ScaledPtr32, PointerLayout::ScaledPtr64, PointerLayout::ScaledPtr128,
      PointerLayout::CompactPtr,  PointerLayout::Span};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(type.fields[i].innerLayout, expected[i]) << type.fields[i].name;
    EXPECT_EQ(type.fields[i].rank, FieldRank::Vector);
  }
  EXPECT_EQ(fieldOf(type, "span").minAlign, 4u);
  EXPECT_EQ(fieldOf(type, "scaled64").minAlign, 8u);
  EXPECT_TRUE(fieldOf(type, "scaled64").interleaved);
  EXPECT_FALSE(fieldOf(type, "scaled128").interleaved);
  EXPECT_EQ(fieldOf(type, "state").direction, FieldDirection::State);
}

TEST(Fields, HaveListLayouts) {
  const auto library = compile(R"(
    struct V : Vertex {
      Input<VectorList<float, VectorListLayout::DELTAN>> deltaN;
      Output<VectorList<float, VectorListLayout::DELTANELEMENTS>> deltaNElements;
      InOut<VectorList<int, VectorListLayout::COMPACT_DELTAN, 4, false>> compact;
      Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> edges;
      Vector<InOut<Vector<float>>, VectorLayout::ONE_PTR> pointers;
      Vector<Output<float>> scalars;
      void compute() {}
    };)");
  const VertexType& type = typeOf(library, "V");
  for (const FieldInfo& field : type.fields)
    EXPECT_EQ(field.rank, FieldRank::VectorList) << field.name;
  EXPECT_EQ(fieldOf(type, "deltaN").outerLayout, PointerLayout::DeltaN);
  EXPECT_EQ(fieldOf(type, "deltaNElements").outerLayout, PointerLayout::DeltaNElements);
  EXPECT_EQ(fieldOf(type, "compact").outerLayout, PointerLayout::CompactDeltaN);
  EXPECT_EQ(fieldOf(type, "edges").outerLayout, PointerLayout::Span);
  EXPECT_EQ(fieldOf(type, "edges").innerLayout, PointerLayout::OnePtr);
  EXPECT_EQ(fieldOf(type, "edges").minAlign, 8u);
  EXPECT_EQ(fieldOf(type, "pointers").outerLayout, PointerLayout::OnePtr);
  EXPECT_EQ(fieldOf(type, "pointers").direction, FieldDirection::InOut);
  EXPECT_EQ(fieldOf(type, "scalars").innerLayout, PointerLayout::None);
}

TEST(Fields, MayBePrivateAndConstAndNeverConstructed) {
  const auto library = compile(R"(
    class V : public Vertex {
      V();
      Input<int> hidden;
      const int offset;
      Output<int> out;
      bool compute() { *out = hidden + offset; return true; }
    };)");
  int hidden = 4, out = 0;
  VertexObject(typeOf(library, "V"))
      .scalar("hidden", hidden)
      .state("offset", 3)
      .scalar("out", out)
      .run();
  EXPECT_EQ(out, 7);
}

TEST(Fields, AreInheritedBasesFirst) {
  const auto library = compile(R"(
    struct Base : Vertex { Input<int> a; };
    template <class T> struct Middle : Base { Input<T> b; };
    struct Derived : Middle<int> {
      Output<int> c;
      void compute() { c = a * 10 + b; }
    };)");
  EXPECT_EQ(library.find("Base"), nullptr); // has no compute()
  const VertexType& type = typeOf(library, "Derived");
  ASSERT_EQ(type.fields.size(), 3u);
  EXPECT_EQ(type.fields[0].name, "a");
  EXPECT_EQ(type.fields[1].name, "b");
  int a = 1, b = 2, c = 0;
  VertexObject(type).scalar("a", a).scalar("b", b).scalar("c", c).run();
  EXPECT_EQ(c, 12);
}

TEST(Fields, OfIllegalTypeAreNamed) {
  EXPECT_EQ(errorOf("struct X : Vertex { unsigned int y[100]; void compute() {} };"),
            "Field 'X.y' has unsupported field type 'unsigned int [100]'");
  EXPECT_EQ(errorOf("struct X : Vertex { float* p; void compute() {} };"),
            "Field 'X.p' has unsupported field type 'float *'");
  EXPECT_EQ(errorOf("struct S { int a; }; struct X : Vertex { S s; void compute() {} };"),
            "Field 'X.s' has unsupported field type 'S'");
  EXPECT_EQ(errorOf("struct X : Vertex { double d; void compute() {} };"),
            "Field 'X.d' has unsupported field type 'double'");
  EXPECT_EQ(errorOf("struct S { int a; }; struct X : Vertex { Input<S> s; void compute() {} };"),
            "Field 'X.s' has unsupported field type 'S'");
  EXPECT_EQ(errorOf("namespace n { template <class T> struct X : Vertex { Input<Vector<T*>> v; "
                    "void compute() {} }; template struct X<int>; }"),
            "Field 'n::X<int>.v' has unsupported field type 'int *'");
}

TEST(Fields, WithoutSizeHaveNoSize) {
  EXPECT_THAT(errorOf(R"(
    struct X : Vertex {
      Input<Vector<float, VectorLayout::ONE_PTR>> v;
      Output<unsigned> n;
      void compute() { *n = v.size(); }
    };)"),
              HasSubstr("no member named 'size'"));
}

} // namespace
} // namespace ipumodel::testing
