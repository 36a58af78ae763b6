#include "train/Metrics.hpp"

#include "train/MetricsFile.hpp"
#include "train/RunFolder.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace spillway {
namespace {

using Json = nlohmann::ordered_json;

std::string kindName(MetricsKind kind) {
  switch (kind) {
  case MetricsKind::Train:
    return "train";
  case MetricsKind::Epoch:
    return "epoch";
  case MetricsKind::Validation:
    return "validation";
  case MetricsKind::Test:
    return "test";
  }
  return "";
}

Json toJson(const MetricsRecord& record, const std::vector<std::uint32_t>& layerSizes,
            std::uint32_t numSteps, bool readsWords) {
  const RunningMean& mean = record.mean;
  const double sampleSteps = static_cast<double>(mean.numSamples) * numSteps;
  Json layers = Json::array();
  double spikes = 0.0, neuronSteps = 0.0;
  for (std::size_t l = 0; l < mean.layers.size(); ++l) {
    const LayerActivity& activity = mean.layers[l];
    const double steps = sampleSteps * layerSizes.at(l);
    spikes += static_cast<double>(activity.numSpikes);
    neuronSteps += steps;
    Json layer{{"rate", static_cast<double>(activity.numSpikes) / steps},
               {"dropped", activity.numDropped}};
    if (record.kind == MetricsKind::Train || record.kind == MetricsKind::Epoch) {
      layer["gradientShare"] = static_cast<double>(activity.numGradients) / steps;
    }
    layers.push_back(std::move(layer));
  }
  Json json{{"kind", kindName(record.kind)},
            {"update", record.update},
            {"epoch", record.epoch},
            {"loss", mean.loss()}};
  json["perplexity"] = readsWords ? Json(std::exp(mean.loss())) : Json(nullptr);
  json["accuracy"] = mean.hasClasses() ? Json(mean.accuracy()) : Json(nullptr);
  json["learningRate"] = record.learningRate ? Json(*record.learningRate) : Json(nullptr);
  json["seconds"] = record.seconds;
  json["samplesPerSecond"] =
      record.samplesPerSecond ? Json(*record.samplesPerSecond) : Json(nullptr);
  json["reduceShare"] = record.reduceShare ? Json(*record.reduceShare) : Json(nullptr);
  json["peakMemoryBytes"] = record.peakMemoryBytes;
  json["droppedInputs"] = mean.numDroppedInputs;
  json["sparsity"] = neuronSteps > 0.0 ? Json(1.0 - spikes / neuronSteps) : Json(nullptr);
  json["layers"] = std::move(layers);
  return json;
}

const std::vector<std::string>& scalarFields() {
  static const std::vector<std::string> fields{
      "kind",         "update",          "epoch",
      "loss",         "perplexity",      "accuracy",
      "learningRate", "seconds",         "samplesPerSecond",
      "reduceShare",  "peakMemoryBytes", "droppedInputs",
      "sparsity"};
  return fields;
}

std::string csvHeader(std::size_t numLayers) {
  std::string header;
  for (const std::string& field : scalarFields()) {
    header += (header.empty() ? "" : ",") + field;
  }
  for (std::size_t l = 0; l < numLayers; ++l) {
    header += fmt::format(",layer{0}.rate,layer{0}.gradientShare,layer{0}.dropped", l);
  }
  return header + "\n";
}

std::string csvCell(const Json& record, const std::string& field) {
  const auto value = record.find(field);
  if (value == record.end() || value->is_null()) {
    return "";
  }
  return value->is_string() ? value->get<std::string>() : value->dump();
}

std::string csvRow(const Json& record) {
  std::string row;
  for (const std::string& field : scalarFields()) {
    row += (row.empty() ? "" : ",") + csvCell(record, field);
  }
  for (const Json& layer : record.at("layers")) {
    row += "," + csvCell(layer, "rate") + "," + csvCell(layer, "gradientShare") + "," +
           csvCell(layer, "dropped");
  }
  return row + "\n";
}

} // namespace

MetricsWriter::MetricsWriter(const RunFolder& folder, const NetworkSpec& network,
                             std::uint32_t numSteps, std::uint64_t numRecords,
                             std::uint64_t lastUpdate)
    : numSteps_(numSteps), readsWords_(network.readsWords()) {
  for (const LayerSpec& layer : network.layers) {
    layerSizes_.push_back(layer.size);
  }
  std::string lines, rows = csvHeader(layerSizes_.size());
  for (const Json& record : readMetrics(folder.metricsJson())) {
    if (numRecords_ < numRecords && record.at("update").get<std::uint64_t>() <= lastUpdate) {
      lines += record.dump() + "\n";
      rows += csvRow(record);
      ++numRecords_;
    }
  }
  writeDurably(folder.metricsJson(), lines);
  writeDurably(folder.metricsCsv(), rows);
  json_.emplace(folder.metricsJson());
  csv_.emplace(folder.metricsCsv());
}

void MetricsWriter::write(const MetricsRecord& record) {
  const Json json = toJson(record, layerSizes_, numSteps_, readsWords_);
  json_->append(json.dump() + "\n");
  csv_->append(csvRow(json));
  ++numRecords_;
}

} // namespace spillway
