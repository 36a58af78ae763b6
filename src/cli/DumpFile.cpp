#include "cli/DumpFile.hpp"

#include "config/Config.hpp"
#include "data/BatchFile.hpp"
#include "data/ParameterFile.hpp"
#include "train/DurableFile.hpp"

#include <fmt/format.h>

namespace spillway {
namespace {

using Shape = std::vector<std::size_t>;

// Files hold [step][sample][size]; the reference has samples apart. Adds one sample's
// [step][size].
template <class To, class From>
void interleave(const std::vector<From>& sample, std::size_t index, const Shape& shape,
                std::vector<To>& all) {
  all.resize(shape[0] * shape[1] * shape[2]);
  for (std::size_t t = 0; t < shape[0]; ++t) {
    for (std::size_t i = 0; i < shape[2]; ++i) {
      all[(t * shape[1] + index) * shape[2] + i] = static_cast<To>(sample[t * shape[2] + i]);
    }
  }
}

void writeLayer(Hdf5Writer& file, const std::string& name, const Shape& shape,
                const DeviceLayerTrace& layer) {
  file.write<float>(name + "u", shape, layer.u);
  if (!layer.adaptation.empty()) {
    file.write<float>(name + "a", shape, layer.adaptation);
  }
  file.write<std::uint8_t>(name + "spikes", shape, layer.spikes);
  file.write<std::uint8_t>(name + "active", shape, layer.active);
}

void writeTrace(Hdf5Writer& file, const CheckCase& task, const DeviceTrace& trace) {
  const NetworkSpec& network = task.settings.network;
  const std::size_t steps = task.batch.numSteps, samples = task.batch.numSamples;
  for (std::size_t l = 0; l < trace.layers.size(); ++l) {
    writeLayer(file, fmt::format("layer{}/", l), {steps, samples, network.layers[l].size},
               trace.layers[l]);
  }
  if (!trace.readout.empty()) {
    file.write<float>("readout/v", {steps, samples, network.readout.numOutputs}, trace.readout);
  }
}

// The flags of one sample's lists, [step][size]; the first numSpikes ids of a list, or all.
std::vector<std::uint8_t> flags(const std::vector<reference::ActiveList>& lists, std::size_t size,
                                bool spikesOnly) {
  std::vector<std::uint8_t> set(lists.size() * size, 0);
  for (std::size_t t = 0; t < lists.size(); ++t) {
    const std::size_t count = spikesOnly ? lists[t].numSpikes : lists[t].ids.size();
    for (std::size_t k = 0; k < count; ++k) {
      set[t * size + lists[t].ids[k]] = 1;
    }
  }
  return set;
}

void writeReference(Hdf5Writer& file, const CheckCase& task,
                    const reference::ReferenceResult& expected) {
  file.write("reference/loss", expected.loss);
  writeParameters(file, reference::toParameters(expected.gradients), "reference/gradients/");
  const NetworkSpec& network = task.settings.network;
  const std::size_t steps = task.batch.numSteps, samples = task.batch.numSamples;
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Shape shape{steps, samples, network.layers[l].size};
    DeviceLayerTrace all;
    for (std::size_t b = 0; b < samples; ++b) {
      const reference::LayerTrace& layer = expected.samples[b].layers[l];
      interleave(layer.u, b, shape, all.u);
      if (!layer.adaptation.empty()) {
        interleave(layer.adaptation, b, shape, all.adaptation);
      }
      interleave(flags(layer.active, shape[2], true), b, shape, all.spikes);
      interleave(flags(layer.active, shape[2], false), b, shape, all.active);
    }
    if (network.layers[l].allLearn()) {
      all.active.assign(all.active.size(), 1);
    }
    writeLayer(file, fmt::format("reference/layer{}/", l), shape, all);
  }
  const std::size_t outputs = network.readout.numOutputs;
  const std::size_t rows = expected.samples[0].logits.size() / outputs;
  std::vector<double> logits;
  for (std::size_t b = 0; b < samples; ++b) {
    interleave(expected.samples[b].logits, b, {rows, samples, outputs}, logits);
  }
  file.write<double>("reference/logits",
                     rows == 1 ? Shape{samples, outputs} : Shape{rows, samples, outputs}, logits);
}

} // namespace

void writeDump(const std::string& path, const CheckCase& task, const CheckOutcome& outcome) {
  Hdf5Writer file; // in memory: on a full disk the library fails twice, the second time at exit
  file.writeText("config", formatConfig(task.settings));
  file.write("loss", outcome.result.loss);
  file.write("numCorrect", outcome.result.numCorrect);
  file.write("numLabels", outcome.result.numLabels);
  writeParameters(file, outcome.gradients, "gradients/");
  writeParameters(file, task.parameters);
  writeBatch(file, task.batch, task.settings.network.readout.numOutputs);
  if (outcome.trace) {
    writeTrace(file, task, *outcome.trace);
  }
  for (std::size_t l = 0; l < outcome.result.layers.size(); ++l) {
    file.write(fmt::format("layer{}/numDropped", l), outcome.result.layers[l].numDropped);
  }
  file.write("counts/forwardSteps", outcome.counts.forwardSteps);
  file.write("counts/lightSteps", outcome.counts.lightSteps);
  file.write("counts/backwardSteps", outcome.counts.backwardSteps);
  file.write("counts/remoteWrites", outcome.counts.remoteWrites);
  file.write("counts/remoteReads", outcome.counts.remoteReads);
  file.write("counts/remoteWriteOps", outcome.counts.remoteWriteOps);
  file.write("counts/remoteReadOps", outcome.counts.remoteReadOps);
  file.write("counts/spikeWrites", outcome.counts.spikeWrites);
  file.write("counts/spikeReads", outcome.counts.spikeReads);
  file.write("counts/slotsUsed", outcome.counts.slotsUsed);
  if (outcome.reference) {
    writeReference(file, task, *outcome.reference);
  }
  const std::vector<char> image = file.image();
  writeDurably(path, {image.data(), image.size()});
}

} // namespace spillway
