#include "popops/ElementWiseVertices.hpp"
#include "popops/ExpressionCodelet.hpp"
#include "popops/OpInfo.hpp"
#include "popops/SingleOp.hpp"
#include "popops/TypedExpr.hpp"

#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/ElementWiseUtil.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include <algorithm>
#include <ostream>
#include <sstream>

namespace popops {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Sequence;
using Tensors = std::vector<Tensor>;
using Kind = TypedExpr::Kind;

struct MapOptions {
  bool generateCodelet = true;
  bool forceGenerateCodelet = false; // of single operations too
};

MapOptions parseOptions(const poplar::OptionFlags& flags) {
  MapOptions options;
  bool ignored = false;
  const poplibs::OptionSpec spec{
      {"enableGenerateCodelet", poplibs::OptionHandler::createWithBool(options.generateCodelet)},
      {"enableVectorBroadcastOptimisations", poplibs::OptionHandler::createWithBool(ignored)},
      {"forceGenerateCodelet",
       poplibs::OptionHandler::createWithBool(options.forceGenerateCodelet)},
      {"enableExpressionOptimizations", poplibs::OptionHandler::createWithBool(ignored)}};
  for (const auto& flag : flags)
    spec.parse(flag.first, flag.second);
  return options;
}

std::vector<std::size_t> commonShape(const Tensors& ts) {
  auto shape = ts.at(0);
  for (auto t : ts)
    poputil::broadcastToMatch(shape, t);
  return shape.shape();
}

// The tensors that the expression names.
void collectInputs(const TypedExpr& e, const Tensors& ts, Tensors& used) {
  if (e.kind == Kind::PlaceHolder)
    used.push_back(ts[e.input]);
  for (const auto& argument : e.arguments)
    collectInputs(argument, ts, used);
}

Tensor makeConstant(Graph& graph, const TypedExpr& e, const DebugContext& debugContext) {
  const auto t =
      isReal(e.type)
          ? graph.addConstant(e.type, {}, e.constant().getDataAsDouble(), debugContext)
          : graph.addConstant(e.type, {}, e.constant().getDataForUnsignedIntegral(), debugContext);
  graph.setTileMapping(t, 0);
  return t;
}

class Evaluator {
public:
  Evaluator(Graph& graph, const Tensors& ts, Sequence& prog, const DebugContext& debugContext,
            const MapOptions& options)
      : graph_(graph), ts_(ts), prog_(prog), debugContext_(debugContext), options_(options) {}

  // Makes a tensor for the result.
  Tensor evaluate(const TypedExpr& e) {
    if (e.kind == Kind::PlaceHolder)
      return poputil::duplicate(graph_, ts_[e.input], prog_, debugContext_);
    Tensors used;
    collectInputs(e, ts_, used);
    const auto out =
        createOutputForElementWiseOp(graph_, used.empty() ? ts_ : used, e.type, debugContext_);
    evaluateTo(e, out);
    return out;
  }

  void evaluateTo(const TypedExpr& e, const Tensor& out) {
    if (e.kind == Kind::PlaceHolder) {
      auto in = ts_[e.input];
      poputil::broadcastToMatch(in, out.shape());
      if (!(in == out))
        prog_.add(Copy(in, out, false, debugContext_));
    } else if (isSingle(e) && !options_.forceGenerateCodelet) {
      addSingle(e, out);
    } else if (options_.generateCodelet || options_.forceGenerateCodelet) {
      addGenerated(e, out);
    } else {
      addStepByStep(e, out);
    }
  }

private:
  static bool isSingle(const TypedExpr& e) {
    return e.kind != Kind::Const &&
           (e.kind != Kind::Cast || e.arguments[0].kind == Kind::PlaceHolder) &&
           std::all_of(e.arguments.begin(), e.arguments.end(),
                       [](const TypedExpr& argument) { return argument.isLeaf(); });
  }

  void addSingle(const TypedExpr& e, const Tensor& out) {
    Tensors operands;
    for (const auto& argument : e.arguments)
      operands.push_back(argument.kind == Kind::Const
                             ? makeConstant(graph_, argument, debugContext_)
                             : ts_[argument.input]);
    addOperation(e, operands, out);
  }

  void addOperation(const TypedExpr& e, const Tensors& operands, const Tensor& out) {
    switch (e.kind) {
    case Kind::Cast: {
      auto in = operands[0];
      poputil::broadcastToMatch(in, out.shape());
      prog_.add(cast(graph_, in, out, debugContext_));
      break;
    }
    case Kind::Unary:
      addUnaryOp(graph_, e.unaryOp(), operands[0], out, prog_, debugContext_);
      break;
    case Kind::Binary:
      addBinaryOp(graph_, e.binaryOp(), operands[0], operands[1], out, prog_, debugContext_);
      break;
    default:
      addTernaryOp(graph_, e.ternaryOp(), operands[0], operands[1], operands[2], out, prog_,
                   debugContext_);
    }
  }

  void addStepByStep(const TypedExpr& e, const Tensor& out) {
    if (e.kind == Kind::Const)
      return addGenerated(e, out);
    Tensors operands;
    for (const auto& argument : e.arguments)
      operands.push_back(argument.kind == Kind::Const
                             ? makeConstant(graph_, argument, debugContext_)
                         : argument.isLeaf() ? ts_[argument.input]
                                             : evaluate(argument));
    addOperation(e, operands, out);
  }

  void addGenerated(TypedExpr e, const Tensor& out) {
    // The inputs of the codelet are the distinct tensors of the expression; one that is the output
    // comes first and is written in place.
    Tensors distinct;
    renumber(e, out, distinct);
    const bool inPlace = !distinct.empty() && distinct[0] == out;
    std::vector<CodeletInput> inputs;
    std::vector<Operand> operands;
    for (std::size_t i = 0; i != distinct.size(); ++i) {
      const bool isScalar = distinct[i].numElements() == 1 && out.numElements() != 1;
      inputs.push_back({distinct[i].elementType(), isScalar});
      if (!(inPlace && i == 0))
        operands.push_back(makeOperand("in" + std::to_string(i + 1), distinct[i], out.shape()));
    }
    const auto codelet =
        generateCodelet(e, inputs, inPlace ? CodeletOutput::FirstInput : CodeletOutput::Separate);
    if (!graph_.hasCodelet(codelet.oneRegion)) {
      std::stringstream text(codelet.text);
      graph_.addCodelets(text, "-O3 -Wno-pass-failed");
    }
    const auto constants = constantsOf(e);
    const auto cs = graph_.addComputeSet(debugContext_);
    addElementWiseVertices(graph_, cs, out, "out", operands,
                           {codelet.oneRegion, codelet.manyRegions}, PatternFields::Absent,
                           [&](poplar::VertexRef v) {
                             for (std::size_t i = 0; i != constants.size(); ++i)
                               setConstant(v["c" + std::to_string(i)], *constants[i]);
                           });
    prog_.add(poplar::program::Execute(cs, debugContext_));
  }

  void renumber(TypedExpr& e, const Tensor& out, Tensors& distinct) {
    std::vector<TypedExpr*> leaves;
    collectPlaceHolders(e, leaves);
    for (auto* leaf : leaves)
      if (ts_[leaf->input] == out && distinct.empty())
        distinct.push_back(out);
    for (auto* leaf : leaves) {
      const auto& t = ts_[leaf->input];
      auto it = std::find(distinct.begin(), distinct.end(), t);
      if (it == distinct.end())
        it = distinct.insert(distinct.end(), t);
      leaf->input = static_cast<unsigned>(it - distinct.begin());
    }
  }

  static void collectPlaceHolders(TypedExpr& e, std::vector<TypedExpr*>& leaves) {
    if (e.kind == Kind::PlaceHolder)
      leaves.push_back(&e);
    for (auto& argument : e.arguments)
      collectPlaceHolders(argument, leaves);
  }

  void setConstant(const poplar::FieldRef& field, const TypedExpr& e) {
    if (isReal(e.type))
      graph_.setInitialValue(field, static_cast<float>(e.constant().getDataAsDouble()));
    else
      graph_.setInitialValue(field, e.constant().getDataForUnsignedIntegral());
  }

  Graph& graph_;
  const Tensors& ts_;
  Sequence& prog_;
  const DebugContext& debugContext_;
  MapOptions options_;
};

// How evenly a tensor lies on the tiles; the smaller, the better: elements of the fullest tile,
// then tiles without any.
using Spread = std::pair<std::size_t, std::size_t>;

Spread spreadOf(const Graph& graph, const Tensor& t) {
  Spread spread{0, 0};
  for (const auto& regions : graph.getTileMapping(t)) {
    std::size_t elements = 0;
    for (const auto& region : regions)
      elements += region.size();
    spread.first = std::max(spread.first, elements);
    spread.second += elements == 0 ? 1 : 0;
  }
  return spread;
}

std::size_t numRegions(const Graph& graph, const Tensor& t) {
  std::size_t count = 0;
  for (const auto& regions : graph.getTileMapping(t))
    for (const auto& region : graph.getSortedContiguousRegions(t, regions))
      count += region.size();
  return count;
}

} // namespace

Tensor createOutputForElementWiseOp(Graph& graph, const Tensors& inputs,
                                    const poplar::Type& outputType,
                                    const DebugContext& debugContext) {
  if (inputs.empty())
    throw poputil::poplibs_error("createOutputForElementWiseOp: there are no inputs");
  const auto shape = commonShape(inputs);
  const Tensor* best = nullptr;
  Spread bestSpread;
  for (const auto& t : inputs) {
    if (t.shape() != shape || !t.isParallelWriteable())
      continue;
    const auto spread = spreadOf(graph, t);
    const bool isBetter =
        best == nullptr || spread < bestSpread ||
        (!(bestSpread < spread) && numRegions(graph, t) < numRegions(graph, *best));
    if (isBetter) {
      best = &t;
      bestSpread = spread;
    }
  }
  if (best != nullptr)
    return graph.clone(outputType, *best, debugContext);
  const auto out = graph.addVariable(outputType, shape, debugContext);
  poputil::mapTensorLinearly(graph, out);
  return out;
}

Tensor map(Graph& graph, const expr::Expr& expr, const Tensors& ts, Sequence& prog,
           const DebugContext& debugContext, const poplar::OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const DebugContext context{di, ""};
  return Evaluator(graph, ts, prog, context, parseOptions(options))
      .evaluate(typeExpression(expr, ts));
}

void mapWithOutput(Graph& graph, const expr::Expr& expr, const Tensors& ts, const Tensor& out,
                   Sequence& prog, const DebugContext& debugContext,
                   const poplar::OptionFlags& options) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  const DebugContext context{di, ""};
  const auto typed = typeExpression(expr, ts);
  if (typed.type != out.elementType())
    throw poputil::poplibs_error(
        "Element-wise result of type " + typed.type.toString().cloneAsString() +
        " does not fit an output of type " + out.elementType().toString().cloneAsString());
  Evaluator(graph, ts, prog, context, parseOptions(options)).evaluateTo(typed, out);
}

void mapInPlace(Graph& graph, const expr::Expr& expr, const Tensors& ts, Sequence& prog,
                const DebugContext& debugContext, const poplar::OptionFlags& options) {
  mapWithOutput(graph, expr, ts, ts.at(0), prog, debugContext, options);
}

Tensors map(Graph& graph, const std::vector<expr::Any>& exprs, const Tensors& ts, Sequence& prog,
            const DebugContext& debugContext, const poplar::OptionFlags& options) {
  Tensors results;
  for (const auto& e : exprs)
    results.push_back(
        map(graph, static_cast<const expr::Expr&>(e), ts, prog, debugContext, options));
  return results;
}

void mapWithOutput(Graph& graph, const std::vector<expr::Any>& exprs, const Tensors& ts,
                   const Tensors& outs, Sequence& prog, const DebugContext& debugContext,
                   const poplar::OptionFlags& options) {
  if (exprs.size() != outs.size())
    throw poputil::poplibs_error("mapWithOutput: " + std::to_string(exprs.size()) +
                                 " expressions, " + std::to_string(outs.size()) + " outputs");
  // All results are there before one is written: an output may be the input of a later expression.
  const auto results = map(graph, exprs, ts, prog, debugContext, options);
  for (std::size_t i = 0; i != outs.size(); ++i)
    prog.add(Copy(results[i], outs[i], false, debugContext));
}

void mapInPlace(Graph& graph, const std::vector<expr::Any>& exprs, const Tensors& ts,
                Sequence& prog, const DebugContext& debugContext,
                const poplar::OptionFlags& options) {
  if (exprs.size() > ts.size())
    throw poputil::poplibs_error("mapInPlace: " + std::to_string(exprs.size()) + " expressions, " +
                                 std::to_string(ts.size()) + " tensors");
  mapWithOutput(graph, exprs, ts,
                Tensors(ts.begin(), ts.begin() + static_cast<std::ptrdiff_t>(exprs.size())), prog,
                debugContext, options);
}

void outputGeneratedCodelet(const poplar::Target&, const expr::Expr& expr, const Tensors& ts,
                            const poplar::OptionFlags& options, std::ostream& os) {
  parseOptions(options);
  const auto typed = typeExpression(expr, ts);
  std::size_t most = 0;
  for (const auto& t : ts)
    most = std::max(most, t.numElements());
  std::vector<CodeletInput> inputs;
  for (const auto& t : ts)
    inputs.push_back({t.elementType(), t.numElements() == 1 && most != 1});
  os << generateCodelet(typed, inputs, CodeletOutput::Separate).text;
}

} // namespace popops
