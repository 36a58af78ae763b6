#include "reference/WordMatrix.hpp"

#include "reference/GatedMasks.hpp"

namespace spillway::reference {

namespace {

constexpr std::uint32_t kOutputStream = 0x20000, kWordStream = 0x20001; // of maskUniform()

double square(double x) {
  return x * x;
}

} // namespace

WordMatrix::WordMatrix(const NetworkSpec& network, const DenseSet& parameters, bool masked)
    : network_(network),
      matrix_(*find(parameters, "embedding/weight")),
      bias_(find(parameters, "embedding/bias")),
      masked_(masked) {}

std::optional<std::size_t> WordMatrix::word(BatchSample sample, std::size_t step) const {
  const std::size_t row = step * sample.batch.numSamples + sample.index;
  if (sample.batch.counts[row] == 0) {
    return std::nullopt;
  }
  return sample.batch.ids[row * sample.batch.maxEvents];
}

double WordMatrix::outputScale(BatchSample sample, std::size_t i) const {
  return maskScale(masked_ ? network_.language.outputDropout : 0.0, sample.batch.maskKey,
                   kOutputStream,
                   static_cast<std::uint32_t>(sample.index * network_.numInputs + i));
}

double WordMatrix::wordScale(BatchSample sample, std::size_t word) const {
  return maskScale(masked_ ? network_.language.wordDropout : 0.0, sample.batch.maskKey, kWordStream,
                   static_cast<std::uint32_t>(word));
}

Vector WordMatrix::embedded(BatchSample sample, std::size_t step) const {
  Vector x(network_.numInputs);
  if (const auto id = word(sample, step)) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      x[j] = wordScale(sample, *id) * matrix_.values[*id * x.size() + j];
    }
  }
  return x;
}

Vector WordMatrix::softmaxInput(BatchSample sample, const Vector& y) const {
  Vector input = y;
  for (std::size_t i = 0; i < input.size(); ++i) {
    input[i] *= outputScale(sample, i);
  }
  return input;
}

Vector WordMatrix::logits(const Vector& input) const {
  Vector scores(network_.readout.numOutputs);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    scores[k] = bias_ == nullptr ? 0.0 : bias_->values[k];
    for (std::size_t i = 0; i < input.size(); ++i) {
      scores[k] += matrix_.values[k * input.size() + i] * input[i];
    }
  }
  return scores;
}

double WordMatrix::penalty(BatchSample sample, const std::vector<Vector>& inputs) const {
  const LanguageSpec& language = network_.language;
  const double all = static_cast<double>(inputs.size()) * sample.batch.numSamples *
                     static_cast<double>(network_.numInputs);
  const double changes =
      all / static_cast<double>(inputs.size()) * static_cast<double>(inputs.size() - 1);
  double sum = 0.0;
  for (std::size_t t = 0; masked_ && t < inputs.size(); ++t) {
    for (std::size_t i = 0; i < inputs[t].size(); ++i) {
      sum += language.activityPenalty * square(inputs[t][i]) / all;
      if (t > 0) {
        sum += language.slownessPenalty * square(inputs[t][i] - inputs[t - 1][i]) / changes;
      }
    }
  }
  return sum;
}

Vector WordMatrix::backward(BatchSample sample, const std::vector<Vector>& inputs, std::size_t step,
                            const Vector& dLogits, DenseSet& gradients) const {
  const Vector& input = inputs[step];
  DenseTensor& dMatrix = *find(gradients, "embedding/weight");
  DenseTensor* dBias = find(gradients, "embedding/bias");
  Vector dy(input.size());
  for (std::size_t k = 0; k < dLogits.size(); ++k) {
    for (std::size_t i = 0; i < input.size(); ++i) {
      dMatrix.values[k * input.size() + i] += dLogits[k] * input[i];
      dy[i] += dLogits[k] * matrix_.values[k * input.size() + i];
    }
    if (dBias != nullptr) {
      dBias->values[k] += dLogits[k];
    }
  }
  const LanguageSpec& language = network_.language;
  const double perStep =
      static_cast<double>(sample.batch.numSamples) * static_cast<double>(network_.numInputs);
  const double steps = static_cast<double>(inputs.size());
  for (std::size_t i = 0; i < dy.size(); ++i) {
    dy[i] += 2.0 * language.activityPenalty * input[i] / (perStep * steps);
    const double slowness = 2.0 * language.slownessPenalty / (perStep * (steps - 1.0));
    if (step > 0) {
      dy[i] += slowness * (input[i] - inputs[step - 1][i]);
    }
    if (step + 1 < inputs.size()) {
      dy[i] += slowness * (input[i] - inputs[step + 1][i]);
    }
    dy[i] *= outputScale(sample, i);
  }
  return dy;
}

void WordMatrix::addEmbedded(BatchSample sample, std::size_t step, const Vector& dx,
                             DenseSet& gradients) const {
  if (const auto id = word(sample, step)) {
    DenseTensor& dMatrix = *find(gradients, "embedding/weight");
    for (std::size_t j = 0; j < dx.size(); ++j) {
      dMatrix.values[*id * dx.size() + j] += wordScale(sample, *id) * dx[j];
    }
  }
}

} // namespace spillway::reference
