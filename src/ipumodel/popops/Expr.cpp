#include "popops/OpInfo.hpp"

#include <popops/Expr.hpp>

#include <cstring>
#include <limits>
#include <ostream>
#include <sstream>

namespace popops {
namespace expr {
namespace {

template <class T>
T read(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

std::uint64_t readInteger(const poplar::TypeTraits& traits, const char* data) {
  switch (traits.size) {
  case 1:
    return traits.isSigned ? static_cast<std::uint64_t>(read<std::int8_t>(data))
                           : read<std::uint8_t>(data);
  case 2:
    return traits.isSigned ? static_cast<std::uint64_t>(read<std::int16_t>(data))
                           : read<std::uint16_t>(data);
  case 4:
    return traits.isSigned ? static_cast<std::uint64_t>(read<std::int32_t>(data))
                           : read<std::uint32_t>(data);
  default:
    return read<std::uint64_t>(data);
  }
}

std::string call(const std::string& function, std::initializer_list<std::string> arguments) {
  std::string text = function;
  for (const auto& argument : arguments)
    text += "_" + argument;
  return text;
}

void printLeaf(std::ostream& os, const std::string& text, unsigned indent, bool prettyPrint) {
  os << std::string(prettyPrint ? indent : 0, ' ') << text;
}

// The operator, and what of it is not an operand, up to where the operands begin.
void printCall(std::ostream& os, const std::string& head,
               std::initializer_list<const Expr*> operands, unsigned indent, bool prettyPrint) {
  printLeaf(os, head, indent, prettyPrint);
  const char* between = "";
  for (const auto* operand : operands) {
    os << between << (prettyPrint ? "\n" : "");
    operand->print(os, indent + 2, prettyPrint);
    between = ",";
  }
  os << ")";
}

} // namespace

Expr::~Expr() = default;

double Const::getDataAsDouble() const {
  if (traits_.isFloat)
    return traits_.size == sizeof(float) ? static_cast<double>(read<float>(getData()))
                                         : read<double>(getData());
  const auto bits = readInteger(traits_, getData());
  return traits_.isSigned ? static_cast<double>(static_cast<std::int64_t>(bits))
                          : static_cast<double>(bits);
}

std::uint64_t Const::getDataForUnsignedIntegral() const {
  return traits_.isFloat ? static_cast<std::uint64_t>(getDataAsDouble())
                         : readInteger(traits_, getData());
}

std::string Const::printValue() const {
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  text << getDataAsDouble();
  return text.str();
}

std::string Const::name(const std::vector<poplar::Tensor>&) const {
  return call("Const", {type_.toString().cloneAsString(), printValue()});
}
std::string Cast::name(const std::vector<poplar::Tensor>& inputs) const {
  return call("Cast", {a_->name(inputs), type_.toString().cloneAsString()});
}
std::string PlaceHolder::name(const std::vector<poplar::Tensor>& inputs) const {
  return call("in" + std::to_string(index_),
              {inputs.at(index_ - 1).elementType().toString().cloneAsString()});
}
std::string UnaryOp::exprName(const std::vector<poplar::Tensor>& inputs) const {
  return a_->name(inputs);
}
std::string BinaryOp::exprName(const std::vector<poplar::Tensor>& inputs) const {
  return call(a_->name(inputs), {b_->name(inputs)});
}
std::string TernaryOp::exprName(const std::vector<poplar::Tensor>& inputs) const {
  return call(a_->name(inputs), {b_->name(inputs), c_->name(inputs)});
}
std::string UnaryOp::name(const std::vector<poplar::Tensor>& inputs) const {
  return call(opName(type_), {exprName(inputs)});
}
std::string BinaryOp::name(const std::vector<poplar::Tensor>& inputs) const {
  return call(opName(type_), {exprName(inputs)});
}
std::string TernaryOp::name(const std::vector<poplar::Tensor>& inputs) const {
  return call(opName(type_), {exprName(inputs)});
}

bool Const::deepEquals(const Expr& other) const {
  const auto* o = other.getAs<Const>();
  return o && type_ == o->type_ && data_ == o->data_;
}
bool Cast::deepEquals(const Expr& other) const {
  const auto* o = other.getAs<Cast>();
  return o && type_ == o->type_ && a_->deepEquals(*o->a_);
}
bool PlaceHolder::deepEquals(const Expr& other) const {
  const auto* o = other.getAs<PlaceHolder>();
  return o && index_ == o->index_;
}
bool UnaryOp::deepEquals(const Expr& other) const {
  const auto* o = other.getAs<UnaryOp>();
  return o && type_ == o->type_ && a_->deepEquals(*o->a_);
}
bool BinaryOp::deepEquals(const Expr& other) const {
  const auto* o = other.getAs<BinaryOp>();
  return o && type_ == o->type_ && a_->deepEquals(*o->a_) && b_->deepEquals(*o->b_);
}
bool TernaryOp::deepEquals(const Expr& other) const {
  const auto* o = other.getAs<TernaryOp>();
  return o && type_ == o->type_ && a_->deepEquals(*o->a_) && b_->deepEquals(*o->b_) &&
         c_->deepEquals(*o->c_);
}
bool deepEquals(const Expr& a, const Expr& b) {
  return a.deepEquals(b);
}

void Const::print(std::ostream& os, unsigned indent, bool prettyPrint) const {
  printLeaf(os, "Const(" + printValue() + ")", indent, prettyPrint);
}
void Cast::print(std::ostream& os, unsigned indent, bool prettyPrint) const {
  printCall(os, "Cast(" + type_.toString().cloneAsString() + ",", {a_.get()}, indent, prettyPrint);
}
void PlaceHolder::print(std::ostream& os, unsigned indent, bool prettyPrint) const {
  printLeaf(os, "PlaceHolder(" + std::to_string(index_) + ")", indent, prettyPrint);
}
void UnaryOp::print(std::ostream& os, unsigned indent, bool prettyPrint) const {
  printCall(os, std::string(opName(type_)) + "(", {a_.get()}, indent, prettyPrint);
}
void BinaryOp::print(std::ostream& os, unsigned indent, bool prettyPrint) const {
  printCall(os, std::string(opName(type_)) + "(", {a_.get(), b_.get()}, indent, prettyPrint);
}
void TernaryOp::print(std::ostream& os, unsigned indent, bool prettyPrint) const {
  printCall(os, std::string(opName(type_)) + "(", {a_.get(), b_.get(), c_.get()}, indent,
            prettyPrint);
}
std::ostream& operator<<(std::ostream& os, const Expr& expr) {
  expr.print(os);
  return os;
}

} // namespace expr
} // namespace popops
