#include "data/ImageSource.hpp"

#include "data/BernoulliTrain.hpp"
#include "data/FileBytes.hpp"
#include "data/Shuffle.hpp"
#include "network/CounterRandom.hpp"
#include "network/SettingError.hpp"

#include <algorithm>
#include <bit>

namespace spillway {

namespace {

constexpr std::uint64_t kRateSpikes = 41, kPixelOrder = 42;
constexpr std::uint64_t kLabelsAt = 8; // in an IDX file of one dimension

struct Image {
  std::uint32_t width, height;
  const std::vector<std::uint8_t>& values;
};

bool reaches(std::uint32_t value, std::uint32_t level, std::uint32_t levels) {
  return value * (levels + 1) >= 255 * (level + 1);
}

void add(std::vector<Event>& events, std::uint64_t step, std::uint64_t id) {
  events.push_back({static_cast<std::uint32_t>(step), static_cast<std::uint16_t>(id)});
}

void encodeRows(const Image& image, const ImageOptions& options, std::vector<Event>& events) {
  const std::uint64_t numCells = std::uint64_t{options.levels} * image.width;
  for (std::uint64_t t = 0; t < options.numSteps; ++t) {
    const std::uint64_t y = t * image.height / options.numSteps;
    for (std::uint64_t cell = 0; cell < numCells; ++cell) {
      const std::uint64_t x = cell % image.width;
      const auto level = static_cast<std::uint32_t>(cell / image.width);
      if (reaches(image.values[y * image.width + x], level, options.levels)) {
        add(events, t, cell);
      }
    }
  }
}

void encodePixels(const Image& image, const ImageOptions& options, std::vector<Event>& events) {
  const std::uint64_t numPixels = image.values.size();
  std::uint32_t before = 0;
  for (std::uint64_t t = 0; t < options.numSteps; ++t) {
    const std::uint32_t now = image.values[t * numPixels / options.numSteps];
    for (std::uint32_t k = 0; k < options.levels; ++k) {
      const bool was = reaches(before, k, options.levels), is = reaches(now, k, options.levels);
      if (was != is) {
        add(events, t, is ? k : options.levels + k);
      }
    }
    before = now;
  }
}

void encodeRates(const Image& image, const ImageOptions& options, const CounterRandom& random,
                 std::vector<Event>& events) {
  for (std::uint64_t i = 0; i < image.values.size(); ++i) {
    bernoulliTrain(kWhiteRate * image.values[i] / 255.0, options.numSteps, random,
                   i * options.numSteps, [&](std::uint32_t t) { add(events, t, i); });
  }
}

void encodeLatencies(const Image& image, const ImageOptions& options, std::vector<Event>& events) {
  for (std::uint64_t i = 0; i < image.values.size(); ++i) {
    if (image.values[i] > 0) {
      add(events, std::uint64_t{255u - image.values[i]} * options.numSteps / 255, i);
    }
  }
}

void addGrey(std::vector<Event>& events, std::uint64_t step, std::uint64_t id, std::uint8_t value) {
  if (value > 0) {
    events.push_back({static_cast<std::uint32_t>(step), static_cast<std::uint16_t>(id),
                      static_cast<float>(value) / 255.0f});
  }
}

std::vector<std::uint32_t> pixelOrder(PixelOrder order, std::uint32_t numPixels,
                                      std::uint64_t seed) {
  if (order == PixelOrder::Random) {
    return shuffledOrder(numPixels, seed, kPixelOrder);
  }
  std::vector<std::uint32_t> pixels;
  const std::uint32_t bits = static_cast<std::uint32_t>(std::bit_width(numPixels - 1));
  for (std::uint32_t place = 0; place < (order == PixelOrder::Reading ? numPixels : 1u << bits);
       ++place) {
    std::uint32_t pixel = place;
    if (order == PixelOrder::BitReversed) {
      pixel = 0;
      for (std::uint32_t bit = 0; bit < bits; ++bit) {
        pixel |= (place >> bit & 1) << (bits - 1 - bit);
      }
    }
    if (pixel < numPixels) {
      pixels.push_back(pixel);
    }
  }
  return pixels;
}

} // namespace

PixelOrder parsePixelOrder(const std::string& name) {
  if (name == "reading" || name.empty()) {
    return PixelOrder::Reading;
  }
  if (name == "random") {
    return PixelOrder::Random;
  }
  if (name == "bitReversed") {
    return PixelOrder::BitReversed;
  }
  throw SettingError("data.pixelOrder",
                     "data.pixelOrder = " + name +
                         " is not known; it must be reading, random or bitReversed");
}

ImageEncoding parseImageEncoding(const std::string& name) {
  if (name == "row") {
    return ImageEncoding::Row;
  }
  if (name == "pixel") {
    return ImageEncoding::Pixel;
  }
  if (name == "rate") {
    return ImageEncoding::Rate;
  }
  if (name == "latency") {
    return ImageEncoding::Latency;
  }
  if (name == "greyRow") {
    return ImageEncoding::GreyRow;
  }
  if (name == "greyPixel") {
    return ImageEncoding::GreyPixel;
  }
  throw SettingError(
      "data.encoding",
      "data.encoding = " + name +
          " is not known; it must be row, pixel, rate, latency, greyRow or greyPixel");
}

ImageSource::ImageSource(const std::filesystem::path& images, const std::filesystem::path& labels,
                         const ImageOptions& options)
    : options_(options), images_(readIdx(images, 3)), labels_(readIdx(labels, 1)) {
  if (images_.shape[0] != labels_.shape[0]) {
    throw FileError(labels, 4,
                    std::to_string(labels_.shape[0]) + " labels, but " + images.string() + " has " +
                        std::to_string(images_.shape[0]) + " images");
  }
  for (std::size_t i = 0; i < labels_.values.size(); ++i) {
    if (labels_.values[i] >= options.numClasses) {
      throw FileError(labels, kLabelsAt + i,
                      "label " + std::to_string(labels_.values[i]) + "; it must be 0 to " +
                          std::to_string(options.numClasses - 1) + " (data.classes)");
    }
  }
  const std::uint32_t block = options.downsample;
  height_ = (static_cast<std::uint32_t>(images_.shape[1]) + block - 1) / block;
  width_ = (static_cast<std::uint32_t>(images_.shape[2]) + block - 1) / block;
  const std::uint32_t exactly = options.encoding == ImageEncoding::GreyRow     ? height_
                                : options.encoding == ImageEncoding::GreyPixel ? width_ * height_
                                                                               : options.numSteps;
  if (options.numSteps != exactly) {
    throw SettingError("data.steps", "data.steps = " + std::to_string(options.numSteps) +
                                         " must be " + std::to_string(exactly) +
                                         " for this encoding of images of " +
                                         std::to_string(height_) + " x " + std::to_string(width_));
  }
  if (options.encoding == ImageEncoding::GreyPixel) {
    order_ = pixelOrder(options.order, width_ * height_, options.seed);
  }
  const std::uint32_t leastSteps = options.encoding == ImageEncoding::Row     ? height_
                                   : options.encoding == ImageEncoding::Pixel ? width_ * height_
                                                                              : 1;
  if (options.numSteps < leastSteps) {
    throw SettingError("data.steps", "data.steps = " + std::to_string(options.numSteps) +
                                         " is too few for this encoding of images of " +
                                         std::to_string(height_) + " x " + std::to_string(width_) +
                                         "; it must be at least " + std::to_string(leastSteps));
  }
  if (grid().numInputs() > 65535) {
    throw FileError(images, 8,
                    "images of " + std::to_string(height_) + " x " + std::to_string(width_) +
                        " make more than 65535 inputs");
  }
}

InputGrid ImageSource::grid() const {
  switch (options_.encoding) {
  case ImageEncoding::Row:
    return {.width = width_, .channels = options_.levels};
  case ImageEncoding::Pixel:
    return {.width = options_.levels, .channels = 2};
  case ImageEncoding::GreyRow:
    return {.width = width_};
  case ImageEncoding::GreyPixel:
    return {.width = 1};
  default:
    return {.width = width_, .height = height_};
  }
}

std::vector<std::uint8_t> ImageSource::image(std::uint32_t index) const {
  const std::size_t rows = images_.shape[1], columns = images_.shape[2];
  const std::uint8_t* pixels = images_.values.data() + index * rows * columns;
  std::vector<std::uint32_t> sums(std::size_t{width_} * height_), counts(sums.size());
  for (std::size_t y = 0; y < rows; ++y) {
    for (std::size_t x = 0; x < columns; ++x) {
      const std::size_t block = y / options_.downsample * width_ + x / options_.downsample;
      sums[block] += pixels[y * columns + x];
      ++counts[block];
    }
  }
  std::vector<std::uint8_t> means(sums.size());
  std::transform(sums.begin(), sums.end(), counts.begin(), means.begin(),
                 [](std::uint32_t sum, std::uint32_t count) {
                   return static_cast<std::uint8_t>(sum / count);
                 });
  return means;
}

Sample ImageSource::sample(std::uint32_t index) const {
  const std::vector<std::uint8_t> values = image(index);
  const Image view{width_, height_, values};
  Sample sample;
  sample.label = labels_.values[index];
  switch (options_.encoding) {
  case ImageEncoding::Row:
    encodeRows(view, options_, sample.events);
    break;
  case ImageEncoding::Pixel:
    encodePixels(view, options_, sample.events);
    break;
  case ImageEncoding::Rate:
    encodeRates(view, options_, CounterRandom(options_.seed, {kRateSpikes, index}), sample.events);
    break;
  case ImageEncoding::Latency:
    encodeLatencies(view, options_, sample.events);
    break;
  case ImageEncoding::GreyRow:
    for (std::size_t i = 0; i < values.size(); ++i) {
      addGrey(sample.events, i / width_, i % width_, values[i]);
    }
    break;
  case ImageEncoding::GreyPixel:
    for (std::size_t t = 0; t < order_.size(); ++t) {
      addGrey(sample.events, t, 0, values[order_[t]]);
    }
    break;
  }
  return sample;
}

} // namespace spillway
