#include "popops/OpInfo.hpp"

#include <popops/Expr.hpp>

#include <cstring>
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
std::string UnaryOp::name(const std::vector<poplar::Tensor>& inputs) const {
  return call(opName(type_), {a_->name(inputs)});
}
std::string BinaryOp::name(const std::vector<poplar::Tensor>& inputs) const {
  return call(opName(type_), {a_->name(inputs), b_->name(inputs)});
}
std::string TernaryOp::name(const std::vector<poplar::Tensor>& inputs) const {
  return call(opName(type_), {a_->name(inputs), b_->name(inputs), c_->name(inputs)});
}

} // namespace expr
} // namespace popops
