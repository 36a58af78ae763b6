#include <poplar/exceptions.hpp>
#include <poplin/MultiConvolution.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

namespace poplin {
namespace multiconv {
namespace {

using poplar::DebugContext;
using poplar::Graph;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::program::Sequence;

void checkOptions(const OptionFlags& options) {
  for (const auto& flag : options)
    if (flag.first != "planType" && flag.first != "perConvReservedTiles" &&
        flag.first != "cycleBackOff")
      throw poplar::invalid_option("Unrecognised option '" + flag.first +
                                   "' of a multi-convolution");
}

const CreateTensorArgs& argsAt(const std::vector<CreateTensorArgs>& args, unsigned index) {
  if (index >= args.size())
    throw poputil::poplibs_error("Convolution " + std::to_string(index) +
                                 " of a multi-convolution of " + std::to_string(args.size()));
  return args[index];
}

bool insertsCycleCounts(const OptionFlags& options) {
  const auto it = options.find("insertTransformsCycleCountProgs");
  return it != options.end() && it->second == "true";
}

template <class Args, class Update>
void updateAll(const std::vector<Args>& args, const OptionFlags& options, const Update& update) {
  checkOptions(options);
  // The convolutions share their programs, and with them what is inserted there.
  for (const auto& one : args)
    if (insertsCycleCounts(one.options) != insertsCycleCounts(args[0].options))
      throw poputil::poplibs_error("The convolutions of a multi-convolution differ in "
                                   "insertTransformsCycleCountProgs");
  for (std::size_t i = 0; i != args.size(); ++i)
    update(args[i], std::to_string(i));
}

} // namespace

Tensor createWeights(Graph& graph, const std::vector<CreateTensorArgs>& args, unsigned weightsIndex,
                     const OptionFlags& options, PlanningCache* cache) {
  checkOptions(options);
  const auto& one = argsAt(args, weightsIndex);
  return poplin::createWeights(graph, one.params, one.name, one.options, cache);
}
Tensor createInput(Graph& graph, const std::vector<CreateTensorArgs>& args, unsigned inputIndex,
                   const OptionFlags& options, PlanningCache* cache) {
  checkOptions(options);
  const auto& one = argsAt(args, inputIndex);
  return poplin::createInput(graph, one.params, one.name, one.options, cache);
}
std::vector<Tensor> createWeights(Graph& graph, const std::vector<CreateTensorArgs>& args,
                                  const OptionFlags& options, PlanningCache* cache) {
  std::vector<Tensor> all;
  for (unsigned i = 0; i != args.size(); ++i)
    all.push_back(createWeights(graph, args, i, options, cache));
  return all;
}
std::vector<Tensor> createInput(Graph& graph, const std::vector<CreateTensorArgs>& args,
                                const OptionFlags& options, PlanningCache* cache) {
  std::vector<Tensor> all;
  for (unsigned i = 0; i != args.size(); ++i)
    all.push_back(createInput(graph, args, i, options, cache));
  return all;
}

std::vector<Tensor> convolution(Graph& graph, const std::vector<ConvolutionArgs>& args,
                                bool transposeAndFlipWeights, Sequence& prog,
                                const DebugContext& debugContext, const OptionFlags& options,
                                PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  std::vector<Tensor> outputs;
  updateAll(args, options, [&](const ConvolutionArgs& one, const std::string& name) {
    outputs.push_back(poplin::convolution(graph, one.inputs, one.weights, one.params,
                                          transposeAndFlipWeights, prog, {di, name}, one.options,
                                          cache));
  });
  return outputs;
}

std::vector<Tensor> calculateWeightDeltas(Graph& graph,
                                          const std::vector<CalculateWeightDeltasArgs>& args,
                                          Sequence& prog, const DebugContext& debugContext,
                                          const OptionFlags& options, PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  std::vector<Tensor> deltas;
  updateAll(args, options, [&](const CalculateWeightDeltasArgs& one, const std::string& name) {
    deltas.push_back(poplin::calculateWeightDeltas(graph, one.zDeltas, one.activations, one.params,
                                                   prog, {di, name}, one.options, cache));
  });
  return deltas;
}

void convolutionWeightUpdate(Graph& graph, const std::vector<ConvWeightUpdateArgs>& args,
                             Sequence& prog, const DebugContext& debugContext,
                             const OptionFlags& options, PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  updateAll(args, options, [&](const ConvWeightUpdateArgs& one, const std::string& name) {
    poplin::convolutionWeightUpdate(graph, one.zDeltas, one.weights, one.activations, one.params,
                                    one.scale, prog, {di, name}, one.options, cache);
  });
}
void convolutionWeightUpdate(Graph& graph, const std::vector<ConvWeightUpdateArgsScalar>& args,
                             Sequence& prog, const DebugContext& debugContext,
                             const OptionFlags& options, PlanningCache* cache) {
  poputil::PoplibsOpDebugInfo di(debugContext);
  updateAll(args, options, [&](const ConvWeightUpdateArgsScalar& one, const std::string& name) {
    poplin::convolutionWeightUpdate(graph, one.zDeltas, one.weights, one.activations, one.params,
                                    one.scale, prog, {di, name}, one.options, cache);
  });
}

} // namespace multiconv
} // namespace poplin
