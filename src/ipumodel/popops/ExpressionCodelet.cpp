#include "popops/ExpressionCodelet.hpp"

#include "popops/ElementOpsText.hpp"
#include "popops/OpInfo.hpp"

#include <functional>
#include <sstream>

namespace popops {
namespace {

using Kind = TypedExpr::Kind;

std::string typeName(const poplar::Type& type) {
  return type.toString().cloneAsString();
}

// Constants of type half are float fields, converted where they are used.
std::string constantFieldType(const poplar::Type& type) {
  return type == poplar::HALF ? "float" : typeName(type);
}

// Writes one statement per operation; gives the name of the result.
class Body {
public:
  std::string statements, cycles = "0";

  std::string add(const TypedExpr& e) {
    if (e.kind == Kind::PlaceHolder)
      return "x" + std::to_string(e.input + 1);
    if (e.kind == Kind::Const)
      return "static_cast<" + typeName(e.type) + ">(c" + std::to_string(numConstants_++) + ")";
    std::vector<std::string> names;
    for (const auto& argument : e.arguments)
      names.push_back(add(argument));
    const auto result = "v" + std::to_string(numValues_++);
    statements +=
        "    const " + typeName(e.type) + " " + result + " = " + operation(e, names) + ";\n";
    return result;
  }

private:
  std::string operation(const TypedExpr& e, const std::vector<std::string>& names) {
    const auto operandType = typeName(e.arguments[0].type);
    switch (e.kind) {
    case Kind::Cast:
      cycles += " + 2";
      return "elementops::convert<" + typeName(e.type) + ">(" + names[0] + ")";
    case Kind::Unary: {
      const std::string op = std::string("expr::UnaryOpType::") + opName(e.unaryOp());
      cycles += " + unaryCyclesPerVector<" + operandType + ">(" + op + ")";
      return (givesBool(e.unaryOp()) ? "elementops::unaryTest<" : "elementops::unary<") + op +
             ">(" + names[0] + ")";
    }
    case Kind::Binary: {
      const std::string op = std::string("expr::BinaryOpType::") + opName(e.binaryOp());
      cycles += " + binaryCyclesPerVector<" + operandType + ">(" + op + ")";
      return (givesBool(e.binaryOp()) ? "elementops::compare<" : "elementops::binary<") + op +
             ">(" + names[0] + ", " + names[1] + ")";
    }
    default:
      cycles += " + 5 * kVectorWidth<" + operandType + ">";
      if (e.ternaryOp() == expr::TernaryOpType::SELECT)
        return names[2] + " ? " + names[0] + " : " + names[1];
      return "elementops::clamp<" + operandType + ">(" + names[0] + ", " + names[1] + ", " +
             names[2] + ")";
    }
  }

  unsigned numConstants_ = 0, numValues_ = 0;
};

void collectConstants(const TypedExpr& expr, std::vector<const TypedExpr*>& constants) {
  if (expr.kind == Kind::Const)
    constants.push_back(&expr);
  for (const auto& argument : expr.arguments)
    collectConstants(argument, constants);
}

} // namespace

std::vector<const TypedExpr*> constantsOf(const TypedExpr& expr) {
  std::vector<const TypedExpr*> constants;
  collectConstants(expr, constants);
  return constants;
}

GeneratedCodelet generateCodelet(const TypedExpr& expr, const std::vector<CodeletInput>& inputs,
                                 CodeletOutput output) {
  Body body;
  const auto result = body.add(expr);
  const auto constants = constantsOf(expr);
  const auto outType = typeName(expr.type);
  const bool inPlace = output == CodeletOutput::FirstInput;

  // The loop over a region, with the arguments of both vertices.
  std::string parameters, loads, arguments1D, arguments2D, fields1D, fields2D;
  const auto declare = [&](const std::string& edge, const std::string& type,
                           const std::string& name) {
    fields1D += "  poplar::" + edge + "<poplar::Vector<" + type + ">> " + name + ";\n";
    fields2D +=
        "  poplar::Vector<poplar::" + edge + "<poplar::Vector<" + type + ">>> " + name + ";\n";
  };
  declare(inPlace ? "InOut" : "Output", outType, "out");
  for (std::size_t i = 0; i != inputs.size(); ++i) {
    const auto k = std::to_string(i + 1), type = typeName(inputs[i].type);
    const bool isOut = inPlace && i == 0;
    const std::string field = isOut ? "out" : "in" + k;
    if (!isOut)
      declare("Input", type, field);
    parameters += ", const " + type + "* p" + k;
    loads +=
        "    const " + type + " x" + k + " = p" + k + (inputs[i].isScalar ? "[0];\n" : "[i];\n");
    arguments1D += ", &" + field + "[0]";
    arguments2D += ", &" + field + "[i][0]";
  }
  std::string constantFields;
  for (std::size_t i = 0; i != constants.size(); ++i) {
    const auto name = "c" + std::to_string(i), type = constantFieldType(constants[i]->type);
    constantFields += "  " + type + " " + name + ";\n";
    parameters += ", " + type + " " + name;
    arguments1D += ", " + name;
    arguments2D += ", " + name;
  }

  std::ostringstream code;
  code << "inline void region(" << outType << "* out, unsigned begin, unsigned end" << parameters
       << ") {\n#pragma clang loop vectorize(assume_safety)\n"
       << "  for (unsigned i = begin; i < end; ++i) {\n"
       << loads << body.statements << "    out[i] = " << result << ";\n  }\n}\n\n"
       << "class OneRegion : public poplar::MultiVertex {\npublic:\n"
       << fields1D << constantFields << "\n  bool compute(unsigned worker) {\n"
       << "    const auto r = workerRange(out.size(), kVectorWidth<" << outType
       << ">, worker, numWorkers());\n    region(&out[0], r.begin, r.end" << arguments1D
       << ");\n    return true;\n  }\n  std::uint64_t estimateCycles() const {\n"
       << "    return kLaunchCycles + numWorkers() * (30 + (" << body.cycles
       << ") * vectorsPerWorker<" << outType << ">(out.size(), numWorkers()));\n  }\n};\n\n"
       << "class ManyRegions : public poplar::Vertex {\npublic:\n"
       << fields2D << constantFields << "\n  bool compute() {\n"
       << "    for (unsigned i = 0; i < out.size(); ++i)\n      region(&out[i][0], 0, out[i].size()"
       << arguments2D << ");\n    return true;\n  }\n  std::uint64_t estimateCycles() const {\n"
       << "    std::uint64_t cycles = 30;\n    for (unsigned i = 0; i < out.size(); ++i)\n"
       << "      cycles += 10 + (" << body.cycles << ") * vectorsPerWorker<" << outType
       << ">(out[i].size(), 1);\n    return cycles;\n  }\n};\n\n";

  // The name follows from the text, so equal expressions share a codelet.
  std::ostringstream nameSpace;
  nameSpace << "popops::map::_" << std::hex << std::hash<std::string>()(code.str());
  GeneratedCodelet codelet;
  codelet.oneRegion = nameSpace.str() + "::OneRegion";
  codelet.manyRegions = nameSpace.str() + "::ManyRegions";
  codelet.text = std::string("#include <poplar/Vertex.hpp>\n") + kElementOpsText + "namespace " +
                 nameSpace.str() + " {\n\n" + code.str() + "} // namespace " + nameSpace.str() +
                 "\n";
  return codelet;
}

} // namespace popops
