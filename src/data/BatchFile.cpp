#include "data/BatchFile.hpp"

#include "data/FileBytes.hpp"

#include <algorithm>
#include <cmath>

namespace spillway {

namespace {

struct Integers {
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> values;
};

[[noreturn]] void fail(const Hdf5Reader& file, const std::string& name,
                       const std::string& message) {
  throw FileError(file.path(), "data set '" + name + "'", message);
}

// Whole numbers, whatever type holds them: what is not one is refused rather than rounded.
Integers readIntegers(const Hdf5Reader& file, const std::string& name) {
  const Hdf5Array<double> array = file.read<double>(name);
  Integers integers{array.shape, {}};
  integers.values.reserve(array.values.size());
  for (const double value : array.values) {
    if (!(std::abs(value) < 0x1p53) || value != std::trunc(value)) {
      fail(file, name, "holds " + std::to_string(value) + "; it must hold whole numbers");
    }
    integers.values.push_back(static_cast<std::int64_t>(value));
  }
  return integers;
}

Integers readIntegers(const Hdf5Reader& file, const std::string& name, std::size_t rank) {
  Integers array = readIntegers(file, name);
  if (array.shape.size() != rank) {
    fail(file, name,
         "has " + std::to_string(array.shape.size()) + " dimensions; it must have " +
             std::to_string(rank));
  }
  return array;
}

std::uint32_t checkedSize(const Hdf5Reader& file, const std::string& name, std::int64_t size) {
  constexpr std::int64_t kMaxIds = 65535;
  if (size < 1 || size > kMaxIds) {
    fail(file, name, std::to_string(size) + " inputs; there must be 1 to 65535");
  }
  return static_cast<std::uint32_t>(size);
}

std::string placeOf(const EventBatch& batch, std::size_t row) {
  return "step " + std::to_string(row / batch.numSamples) + ", sample " +
         std::to_string(row % batch.numSamples);
}

// Writes the ids of one row, which must ascend and fit.
void setRow(const Hdf5Reader& file, const std::string& name, EventBatch& batch, std::size_t row,
            const std::vector<std::int64_t>& ids) {
  const std::string place = placeOf(batch, row);
  if (ids.size() > batch.maxEvents) {
    fail(file, name,
         place + " has " + std::to_string(ids.size()) + " events; the network takes at most " +
             std::to_string(batch.maxEvents));
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= std::int64_t{batch.numInputs} || (i > 0 && ids[i] <= ids[i - 1])) {
      fail(file, name,
           place + " has id " + std::to_string(ids[i]) + " at place " + std::to_string(i) +
               "; ids must ascend and be below " + std::to_string(batch.numInputs));
    }
    batch.ids[row * batch.maxEvents + i] = static_cast<std::uint16_t>(ids[i]);
  }
  batch.counts[row] = static_cast<std::uint16_t>(ids.size());
}

EventBatch emptyBatch(const std::vector<std::size_t>& shape, std::uint32_t numInputs,
                      std::uint32_t maxEvents) {
  EventBatch batch;
  batch.numSteps = static_cast<std::uint32_t>(shape[0]);
  batch.numSamples = static_cast<std::uint32_t>(shape[1]);
  batch.numInputs = numInputs;
  batch.maxEvents = maxEvents == 0 ? numInputs : maxEvents;
  batch.counts.resize(shape[0] * shape[1]);
  batch.ids.resize(shape[0] * shape[1] * batch.maxEvents);
  return batch;
}

// Block by block, since a raster takes far more memory than the events in it.
EventBatch readRaster(const Hdf5Reader& file, std::uint32_t maxEvents, Values values) {
  const std::string name = "batch/raster";
  const std::vector<std::size_t> shape = file.shape(name);
  if (shape.size() != 3) {
    fail(file, name, "must have the dimensions steps, samples, inputs");
  }
  const std::uint32_t numInputs = checkedSize(file, name, static_cast<std::int64_t>(shape[2]));
  EventBatch batch = emptyBatch(shape, numInputs, maxEvents);
  constexpr std::size_t kBlockElements = std::size_t{1} << 20;
  const std::size_t numSamples = shape[1];
  const std::size_t blockSteps =
      std::max<std::size_t>(1, kBlockElements / std::max<std::size_t>(1, numSamples * numInputs));
  for (std::size_t step = 0; step < shape[0]; step += blockSteps) {
    const auto block =
        file.readRows<double>(name, step, std::min(blockSteps, shape[0] - step)).values;
    for (std::size_t offset = 0; offset < block.size(); offset += numInputs) {
      const std::size_t row = step * numSamples + offset / numInputs;
      std::vector<std::int64_t> ids;
      for (std::uint32_t j = 0; j < numInputs; ++j) {
        const double value = block[offset + j];
        if (!std::isfinite(value)) {
          fail(file, name,
               placeOf(batch, row) + ", input " + std::to_string(j) + " is not a number");
        }
        if (value != 0.0) {
          ids.push_back(j);
        }
      }
      setRow(file, name, batch, row, ids);
      for (std::size_t k = 0; values == Values::Keep && k < batch.maxEvents; ++k) {
        batch.values.push_back(
            k < ids.size() ? static_cast<float>(block[offset + static_cast<std::size_t>(ids[k])])
                           : 0.0f);
      }
    }
  }
  return batch;
}

// batch/values, in rows of the batch's capacity.
void readValues(const Hdf5Reader& file, std::size_t capacity, EventBatch& batch) {
  const Hdf5Array<float> values = file.read<float>("batch/values");
  if (values.values.size() != batch.counts.size() * capacity) {
    fail(file, "batch/values", "does not have the shape of batch/ids");
  }
  batch.values.resize(batch.ids.size());
  for (std::size_t row = 0; row < batch.counts.size(); ++row) {
    for (std::size_t k = 0; k < batch.counts[row]; ++k) {
      const float value = values.values[row * capacity + k];
      if (!std::isfinite(value)) {
        fail(file, "batch/values", placeOf(batch, row) + " holds a value that is not finite");
      }
      batch.values[row * batch.maxEvents + k] = value;
    }
  }
}

EventBatch readEvents(const Hdf5Reader& file, std::uint32_t maxEvents, Values values) {
  const Integers ids = readIntegers(file, "batch/ids", 3);
  const Integers counts = readIntegers(file, "batch/counts", 2);
  if (ids.shape[0] != counts.shape[0] || ids.shape[1] != counts.shape[1]) {
    fail(file, "batch/counts", "does not have the steps and samples of batch/ids");
  }
  const Integers numInputs = readIntegers(file, "batch/numInputs", 0);
  EventBatch batch =
      emptyBatch(ids.shape, checkedSize(file, "batch/numInputs", numInputs.values[0]), maxEvents);
  const auto capacity = static_cast<std::int64_t>(ids.shape[2]);
  for (std::size_t row = 0; row < batch.counts.size(); ++row) {
    if (counts.values[row] < 0 || counts.values[row] > capacity) {
      fail(file, "batch/counts",
           "count " + std::to_string(counts.values[row]) + " in a row of " +
               std::to_string(capacity) + " ids");
    }
    const auto begin = ids.values.begin() + static_cast<std::int64_t>(row) * capacity;
    setRow(file, "batch/ids", batch, row, {begin, begin + counts.values[row]});
  }
  if (values == Values::Keep && file.has("batch/values")) {
    readValues(file, ids.shape[2], batch);
  }
  return batch;
}

std::string carriedLayer(std::size_t layer) {
  return "batch/carried/layer" + std::to_string(layer);
}

constexpr const char* kCarriedReadout = "batch/carried/readout";

std::vector<float> readCarriedTensor(const Hdf5Reader& file, const std::string& name,
                                     std::size_t numSamples) {
  Hdf5Array<float> array = file.read<float>(name);
  if (array.shape.size() != 2 || array.shape[0] != numSamples) {
    fail(file, name, "must have the dimensions samples (" + std::to_string(numSamples) + "), size");
  }
  if (!std::all_of(array.values.begin(), array.values.end(),
                   [](float value) { return std::isfinite(value); })) {
    fail(file, name, "holds a value that is not a finite number");
  }
  return std::move(array.values);
}

CarriedStates readCarried(const Hdf5Reader& file, std::size_t numSamples) {
  CarriedStates carried;
  while (file.has(carriedLayer(carried.layers.size()))) {
    carried.layers.push_back(
        readCarriedTensor(file, carriedLayer(carried.layers.size()), numSamples));
  }
  if (!carried.empty() && file.has(kCarriedReadout)) {
    carried.readout = readCarriedTensor(file, kCarriedReadout, numSamples);
  }
  return carried;
}

std::uint32_t readMaskKey(const Hdf5Reader& file) {
  const Integers key = readIntegers(file, "batch/maskKey", 0);
  if (key.values[0] < 0 || key.values[0] > std::int64_t{UINT32_MAX}) {
    fail(file, "batch/maskKey", "is " + std::to_string(key.values[0]) + "; it must be 0 to 2^32-1");
  }
  return static_cast<std::uint32_t>(key.values[0]);
}

} // namespace

void writeBatch(Hdf5Writer& file, const EventBatch& batch, std::uint32_t numOutputs) {
  const std::size_t steps = batch.numSteps, samples = batch.numSamples;
  file.write<std::uint32_t>("batch/numInputs", batch.numInputs);
  file.write<std::uint16_t>("batch/ids", {steps, samples, batch.maxEvents}, batch.ids);
  file.write<std::uint16_t>("batch/counts", {steps, samples}, batch.counts);
  if (!batch.values.empty()) {
    file.write<float>("batch/values", {steps, samples, batch.maxEvents}, batch.values);
  }
  if (!batch.labels.empty()) {
    const bool perStep = batch.labels.size() != samples;
    file.write<std::int32_t>(
        "batch/labels", perStep ? std::vector{steps, samples} : std::vector{samples}, batch.labels);
  }
  if (!batch.targets.empty()) {
    const std::size_t outputs = numOutputs;
    const bool perStep = batch.targets.size() != samples * outputs;
    file.write<float>("batch/targets",
                      perStep ? std::vector{steps, samples, outputs}
                              : std::vector{samples, outputs},
                      batch.targets);
  }
  file.write<std::uint32_t>("batch/maskKey", batch.maskKey);
  const auto writeCarried = [&](const std::string& name, const std::vector<float>& values) {
    file.write<float>(name, {samples, values.size() / samples}, values);
  };
  for (std::size_t l = 0; l < batch.carried.layers.size(); ++l) {
    writeCarried(carriedLayer(l), batch.carried.layers[l]);
  }
  if (!batch.carried.readout.empty()) {
    writeCarried(kCarriedReadout, batch.carried.readout);
  }
}

EventBatch readBatch(const Hdf5Reader& file, std::uint32_t maxEvents, Values values) {
  EventBatch batch = file.has("batch/raster") ? readRaster(file, maxEvents, values)
                                              : readEvents(file, maxEvents, values);
  if (file.has("batch/labels")) {
    const Integers labels = readIntegers(file, "batch/labels");
    for (std::int64_t label : labels.values) {
      if (label < EventBatch::kNoLabel || label > 65535) {
        fail(file, "batch/labels", "label " + std::to_string(label) + "; it must be -1 to 65535");
      }
      batch.labels.push_back(static_cast<std::int32_t>(label));
    }
  }
  if (file.has("batch/targets")) {
    batch.targets = file.read<float>("batch/targets").values;
    if (!std::all_of(batch.targets.begin(), batch.targets.end(),
                     [](float target) { return std::isfinite(target); })) {
      fail(file, "batch/targets", "holds a value that is not a finite number");
    }
  }
  if (file.has("batch/maskKey")) {
    batch.maskKey = readMaskKey(file);
  }
  batch.carried = readCarried(file, batch.numSamples);
  return batch;
}

} // namespace spillway
