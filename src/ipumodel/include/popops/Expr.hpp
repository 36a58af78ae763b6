// Expressions over elements of tensors, such as Tanh(Add(Square(_1), Const(3))), for popops::map().
#pragma once

#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <popops/ExprOp.hpp>

#include <algorithm>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace popops {
namespace expr {

/// The root of all expressions; they are values with deep copies.
class Expr {
protected:
  using ExprClassID = void (*)(void);
  ExprClassID classId;
  Expr(ExprClassID id) : classId(id) {}

public:
  Expr(const Expr&) = default;
  Expr& operator=(const Expr&) = default;
  virtual ~Expr();

  template <class T>
  bool isA() const {
    return classId == T::getClassId();
  }
  template <class T>
  T* getAs() {
    return isA<T>() ? static_cast<T*>(this) : nullptr;
  }
  template <class T>
  const T* getAs() const {
    return isA<T>() ? static_cast<const T*>(this) : nullptr;
  }

  virtual std::unique_ptr<Expr> clone() const = 0;
  /// A name that tells expressions of different shape or types apart.
  virtual std::string name(const std::vector<poplar::Tensor>& inputs) const = 0;
  /// Whether the other one is built in the same way, from the same operators, placeholders and
  /// constants of one type and value.
  virtual bool deepEquals(const Expr& other) const = 0;
  /// As ADD(PlaceHolder(1),Const(3)); if pretty, operands stand on lines of their own, two columns
  /// further in than their operator.
  virtual void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const = 0;
};

std::ostream& operator<<(std::ostream& os, const Expr& expr);
bool deepEquals(const Expr& a, const Expr& b);

template <class T>
class ExprType : public Expr {
  static void location() {}
  static ExprClassID getClassId() { return &location; }

public:
  ExprType() : Expr(getClassId()) {}
  friend class Expr;
};

/// Holds any expression, to build one up at run time.
class Any {
  std::unique_ptr<Expr> expr_;

public:
  Any(const Expr& e) : expr_(e.clone()) {}
  Any(const Any& other) : expr_(other.expr_->clone()) {}
  Any(Any&&) = default;
  Any& operator=(const Any& other) {
    expr_ = other.expr_->clone();
    return *this;
  }
  Any& operator=(Any&&) = default;

  operator Expr&() { return *expr_; }
  operator const Expr&() const { return *expr_; }
  std::string name(const std::vector<poplar::Tensor>& inputs) const { return expr_->name(inputs); }
};

/// A constant. In an operation with something else it takes that one's type.
class Const : public ExprType<Const> {
  poplar::TypeTraits traits_;
  poplar::Type type_;
  std::vector<char> data_;

  static poplar::Type deviceType(double) { return poplar::FLOAT; }
  template <typename T>
  static poplar::Type deviceType(T) {
    return poplar::equivalent_device_type<T>().value;
  }

protected:
  template <typename T>
  Const(T x, const poplar::Type& type)
      : traits_(poplar::TypeTraits::make<T>()),
        type_(type),
        data_(reinterpret_cast<const char*>(&x), reinterpret_cast<const char*>(&x) + sizeof(T)) {}

public:
  template <typename T,
            typename = typename std::enable_if<poplar::TypeTraits::isSimpleType<T>(), T>::type>
  Const(T x) : Const(x, deviceType(x)) {}
  Const(poplar::TypeTraits traits, poplar::Type type, const char* data)
      : traits_(traits), type_(type), data_(data, data + traits.size) {}

  const char* getData() const { return data_.data(); }
  const poplar::TypeTraits& getTypeTraits() const { return traits_; }
  const poplar::Type& getType() const { return type_; }
  std::string printValue() const;
  double getDataAsDouble() const;
  std::uint64_t getDataForUnsignedIntegral() const;

  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new Const(*this)); }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;
};

/// A constant of type HALF.
class ConstHalf : public Const {
public:
  ConstHalf(float x) : Const(x, poplar::HALF) {}
};

inline ConstHalf operator"" _half(long double x) {
  return ConstHalf(static_cast<float>(x));
}

/// A change of type.
class Cast : public ExprType<Cast> {
  std::unique_ptr<Expr> a_;
  poplar::Type type_;

public:
  Cast(const Expr& a, const poplar::Type type) : a_(a.clone()), type_(type) {}
  Cast(const Cast& other) : Cast(*other.a_, other.type_) {}
  Cast(Cast&&) = default;

  const Expr& getLHS() const { return *a_; }
  const poplar::Type& getRHSType() const { return type_; }
  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new Cast(*this)); }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;
};

/// Tensor number `index`, counted from 1, of those the expression is mapped over.
class PlaceHolder : public ExprType<PlaceHolder> {
  unsigned index_;

public:
  PlaceHolder(unsigned index) : index_(index) {}
  unsigned getIndex() const { return index_; }
  std::unique_ptr<Expr> clone() const override {
    return std::unique_ptr<Expr>(new PlaceHolder(index_));
  }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;
};

const PlaceHolder _1(1);
const PlaceHolder _2(2);
const PlaceHolder _3(3);
const PlaceHolder _4(4);
const PlaceHolder _5(5);
const PlaceHolder _6(6);
const PlaceHolder _7(7);
const PlaceHolder _8(8);
const PlaceHolder _9(9);
const PlaceHolder _10(10);
const PlaceHolder _11(11);
const PlaceHolder _12(12);
const PlaceHolder _13(13);
const PlaceHolder _14(14);
const PlaceHolder _15(15);
const PlaceHolder _16(16);
const PlaceHolder _17(17);
const PlaceHolder _18(18);
const PlaceHolder _19(19);
const PlaceHolder _20(20);

class UnaryOp : public ExprType<UnaryOp> {
  UnaryOpType type_;
  std::unique_ptr<Expr> a_;

public:
  UnaryOp(UnaryOpType type, const Expr& a) : type_(type), a_(a.clone()) {}
  UnaryOp(const UnaryOp& other) : UnaryOp(other.type_, *other.a_) {}
  UnaryOp(UnaryOp&&) = default;

  UnaryOpType getOpType() const { return type_; }
  const Expr& getArg() const { return *a_; }
  std::unique_ptr<Expr> clone() const override { return std::unique_ptr<Expr>(new UnaryOp(*this)); }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  /// The names of the operands alone.
  std::string exprName(const std::vector<poplar::Tensor>& inputs) const;
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;
};

class BinaryOp : public ExprType<BinaryOp> {
  BinaryOpType type_;
  std::unique_ptr<Expr> a_, b_;

public:
  BinaryOp(BinaryOpType type, const Expr& a, const Expr& b)
      : type_(type), a_(a.clone()), b_(b.clone()) {}
  BinaryOp(const BinaryOp& other) : BinaryOp(other.type_, *other.a_, *other.b_) {}
  BinaryOp(BinaryOp&&) = default;

  BinaryOpType getOpType() const { return type_; }
  const Expr& getLHS() const { return *a_; }
  const Expr& getRHS() const { return *b_; }
  std::unique_ptr<Expr> clone() const override {
    return std::unique_ptr<Expr>(new BinaryOp(*this));
  }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  /// The names of the operands alone.
  std::string exprName(const std::vector<poplar::Tensor>& inputs) const;
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;
};

class TernaryOp : public ExprType<TernaryOp> {
  TernaryOpType type_;
  std::unique_ptr<Expr> a_, b_, c_;

public:
  TernaryOp(TernaryOpType type, const Expr& a, const Expr& b, const Expr& c)
      : type_(type), a_(a.clone()), b_(b.clone()), c_(c.clone()) {}
  TernaryOp(const TernaryOp& other) : TernaryOp(other.type_, *other.a_, *other.b_, *other.c_) {}
  TernaryOp(TernaryOp&&) = default;

  TernaryOpType getOpType() const { return type_; }
  const Expr& getArg0() const { return *a_; }
  const Expr& getArg1() const { return *b_; }
  const Expr& getArg2() const { return *c_; }
  std::unique_ptr<Expr> clone() const override {
    return std::unique_ptr<Expr>(new TernaryOp(*this));
  }
  std::string name(const std::vector<poplar::Tensor>& inputs) const override;
  /// The names of the operands alone.
  std::string exprName(const std::vector<poplar::Tensor>& inputs) const;
  bool deepEquals(const Expr& other) const override;
  void print(std::ostream& os, unsigned indent = 0, bool prettyPrint = true) const override;
};

// The classes and operators of each operation differ in their names alone; only a macro can make
// those.
#define POPLIBS_DEFINE_EXPR_UNARY_OP(Name, Op)                                                     \
  class Name : public UnaryOp {                                                                    \
  public:                                                                                          \
    Name(const Expr& a) : UnaryOp(UnaryOpType::Op, a) {}                                           \
  };
#define POPLIBS_DEFINE_EXPR_UNARY_OP_AND_SYMBOL(Name, Op, Sym)                                     \
  POPLIBS_DEFINE_EXPR_UNARY_OP(Name, Op)                                                           \
  inline Name operator Sym(const Expr& a) {                                                        \
    return Name(a);                                                                                \
  }

POPLIBS_DEFINE_EXPR_UNARY_OP(Abs, ABSOLUTE)
POPLIBS_DEFINE_EXPR_UNARY_OP(Asin, ASIN)
POPLIBS_DEFINE_EXPR_UNARY_OP_AND_SYMBOL(BitwiseNot, BITWISE_NOT, ~)
POPLIBS_DEFINE_EXPR_UNARY_OP(Cbrt, CBRT)
POPLIBS_DEFINE_EXPR_UNARY_OP(Ceil, CEIL)
POPLIBS_DEFINE_EXPR_UNARY_OP(Cos, COS)
POPLIBS_DEFINE_EXPR_UNARY_OP(Erf, ERF)
POPLIBS_DEFINE_EXPR_UNARY_OP(Exp, EXPONENT)
POPLIBS_DEFINE_EXPR_UNARY_OP(Expm1, EXPONENT_MINUS_ONE)
POPLIBS_DEFINE_EXPR_UNARY_OP(Exp2, EXPONENT2)
POPLIBS_DEFINE_EXPR_UNARY_OP(Floor, FLOOR)
POPLIBS_DEFINE_EXPR_UNARY_OP(GeluErf, GELU_ERF)
POPLIBS_DEFINE_EXPR_UNARY_OP(Inv, INVERSE)
POPLIBS_DEFINE_EXPR_UNARY_OP(IsFinite, IS_FINITE)
POPLIBS_DEFINE_EXPR_UNARY_OP(IsInf, IS_INF)
POPLIBS_DEFINE_EXPR_UNARY_OP(IsNaN, IS_NAN)
POPLIBS_DEFINE_EXPR_UNARY_OP(Log, LOGARITHM)
POPLIBS_DEFINE_EXPR_UNARY_OP(Log1p, LOGARITHM_ONE_PLUS)
POPLIBS_DEFINE_EXPR_UNARY_OP(NearbyInt, NEARBY_INT)
POPLIBS_DEFINE_EXPR_UNARY_OP_AND_SYMBOL(Not, LOGICAL_NOT, !)
POPLIBS_DEFINE_EXPR_UNARY_OP_AND_SYMBOL(Neg, NEGATE, -)
POPLIBS_DEFINE_EXPR_UNARY_OP(Relu, RELU)
POPLIBS_DEFINE_EXPR_UNARY_OP(Round, ROUND)
POPLIBS_DEFINE_EXPR_UNARY_OP(Rsqrt, RSQRT)
POPLIBS_DEFINE_EXPR_UNARY_OP(Sigmoid, SIGMOID)
POPLIBS_DEFINE_EXPR_UNARY_OP(Signum, SIGNUM)
POPLIBS_DEFINE_EXPR_UNARY_OP(Sin, SIN)
POPLIBS_DEFINE_EXPR_UNARY_OP(Sqrt, SQRT)
POPLIBS_DEFINE_EXPR_UNARY_OP(Square, SQUARE)
POPLIBS_DEFINE_EXPR_UNARY_OP(Tan, TAN)
POPLIBS_DEFINE_EXPR_UNARY_OP(Tanh, TANH)
POPLIBS_DEFINE_EXPR_UNARY_OP(Trunc, TRUNC)

#define POPLIBS_DEFINE_EXPR_BINARY_OP(Name, Op)                                                    \
  class Name : public BinaryOp {                                                                   \
  public:                                                                                          \
    Name(const Expr& a, const Expr& b) : BinaryOp(BinaryOpType::Op, a, b) {}                       \
  };
#define POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Name, Op, Sym)                                    \
  POPLIBS_DEFINE_EXPR_BINARY_OP(Name, Op)                                                          \
  template <typename T>                                                                            \
  inline typename std::enable_if<poplar::TypeTraits::isSimpleType<T>(), Name>::type operator Sym(  \
      const T& a, const Expr& b) {                                                                 \
    return Name(Const(a), b);                                                                      \
  }                                                                                                \
  template <typename T>                                                                            \
  inline typename std::enable_if<poplar::TypeTraits::isSimpleType<T>(), Name>::type operator Sym(  \
      const Expr& a, const T& b) {                                                                 \
    return Name(a, Const(b));                                                                      \
  }                                                                                                \
  inline Name operator Sym(const Expr& a, const Expr& b) {                                         \
    return Name(a, b);                                                                             \
  }

POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Add, ADD, +)
POPLIBS_DEFINE_EXPR_BINARY_OP(Atan2, ATAN2)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(BitwiseAnd, BITWISE_AND, &)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(BitwiseOr, BITWISE_OR, |)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(BitwiseXor, BITWISE_XOR, ^)
POPLIBS_DEFINE_EXPR_BINARY_OP(BitwiseXnor, BITWISE_XNOR)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Divide, DIVIDE, /)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Equal, EQUAL, ==)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Gte, GREATER_THAN_EQUAL, >=)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Gt, GREATER_THAN, >)
POPLIBS_DEFINE_EXPR_BINARY_OP(InvStdDevToVariance, INV_STD_DEV_TO_VARIANCE)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Lte, LESS_THAN_EQUAL, <=)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(And, LOGICAL_AND, &&)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Or, LOGICAL_OR, ||)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Lt, LESS_THAN, <)
POPLIBS_DEFINE_EXPR_BINARY_OP(Max, MAXIMUM)
POPLIBS_DEFINE_EXPR_BINARY_OP(Min, MINIMUM)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Mul, MULTIPLY, *)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(NotEqual, NOT_EQUAL, !=)
POPLIBS_DEFINE_EXPR_BINARY_OP(Pow, POWER)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Rem, REMAINDER, %)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Shl, SHIFT_LEFT, <<)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Shr, SHIFT_RIGHT, >>)
POPLIBS_DEFINE_EXPR_BINARY_OP(ShrSE, SHIFT_RIGHT_SIGN_EXTEND)
POPLIBS_DEFINE_EXPR_BINARY_OP_AND_SYMBOL(Sub, SUBTRACT, -)
POPLIBS_DEFINE_EXPR_BINARY_OP(VarianceToInvStdDev, VARIANCE_TO_INV_STD_DEV)

#define POPLIBS_DEFINE_EXPR_TERNARY_OP(Name, Op)                                                   \
  class Name : public TernaryOp {                                                                  \
  public:                                                                                          \
    Name(const Expr& a, const Expr& b, const Expr& c) : TernaryOp(TernaryOpType::Op, a, b, c) {}   \
  };

/// Select(a, b, condition), Clamp(x, lowest, highest).
POPLIBS_DEFINE_EXPR_TERNARY_OP(Select, SELECT)
POPLIBS_DEFINE_EXPR_TERNARY_OP(Clamp, CLAMP)

} // namespace expr
} // namespace popops
