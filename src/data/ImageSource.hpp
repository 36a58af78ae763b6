// Grey images with labels, made into events in one of four ways.
#pragma once

#include "data/IdxFile.hpp"
#include "data/SampleSource.hpp"

#include <filesystem>
#include <string>

namespace spillway {

// v is the pixel's value over 255, T the number of steps.
//   Row      row y is shown during the steps [y T/height, (y+1) T/height); input (x, level k) is
//   active
//            there if v >= (k+1)/(levels+1). REQUIRES: T >= height.
//   Pixel    pixels follow one another in reading order, T/numPixels steps each; input k fires when
//   the
//            value rises past (k+1)/(levels+1), input levels+k when it falls below. REQUIRES: T >=
//            pixels.
//   Rate     every pixel fires with probability v * kWhiteRate at every step.
//   Latency  every pixel that is not black fires once, at step floor((1 - v) T).
//   GreyRow, GreyPixel   one row or pixel a step, each input's event carrying v; what is black
//   sends
//            none. Gated layers only. REQUIRES: T = height, T = pixels.
enum class ImageEncoding { Row, Pixel, Rate, Latency, GreyRow, GreyPixel };

// The order in which GreyPixel shows pixels: reading order, one drawn by the seed, or by the place
// with its bits reversed (places beyond the image left out).
enum class PixelOrder { Reading, Random, BitReversed };
inline constexpr double kWhiteRate = 0.25;

struct ImageOptions {
  ImageEncoding encoding = ImageEncoding::Latency;
  std::uint32_t numSteps = 100;
  std::uint32_t levels = 4;     // Row, Pixel
  std::uint32_t downsample = 1; // blocks of downsample x downsample pixels become their mean
  std::uint64_t seed = 1;       // Rate, PixelOrder::Random
  PixelOrder order = PixelOrder::Reading; // GreyPixel
  std::uint32_t numClasses = 10;          // labels lie below
};

// "row", "pixel", "rate", "latency", "greyRow", "greyPixel"; throws UserError for other names.
ImageEncoding parseImageEncoding(const std::string& name);
// "reading", "random", "bitReversed"; throws UserError for other names.
PixelOrder parsePixelOrder(const std::string& name);

class ImageSource : public SampleSource {
public:
  // Throws FileError where images and labels do not fit together, and for a label that is none of
  // the classes; UserError for too few steps.
  ImageSource(const std::filesystem::path& images, const std::filesystem::path& labels,
              const ImageOptions& options);

  std::uint32_t size() const override { return static_cast<std::uint32_t>(labels_.values.size()); }
  Sample sample(std::uint32_t index) const override;

  InputGrid grid() const;
  bool valued() const {
    return options_.encoding == ImageEncoding::GreyRow ||
           options_.encoding == ImageEncoding::GreyPixel;
  }

private:
  std::vector<std::uint8_t> image(std::uint32_t index) const;

  ImageOptions options_;
  IdxArray images_, labels_;
  std::uint32_t width_ = 0, height_ = 0; // after down-sampling
  std::vector<std::uint32_t> order_;     // GreyPixel: the pixel of every step
};

} // namespace spillway
