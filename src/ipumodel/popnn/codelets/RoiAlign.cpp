// Samples of regions of feature maps, for some channels.
#include <poplar/Vertex.hpp>

#include <cstdint>
#include <type_traits>

namespace popnn {

using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

// out[region][channel][bins] of maps [images][channel][pixels], or (Gradient) maps of out, summed
// in float. Workers take every sixth channel.
template <class T, bool Gradient>
class RoiAlign : public MultiVertex {
  template <class V>
  using Given = Input<Vector<V>>;

public:
  typename std::conditional<Gradient, Output<Vector<float>>, Given<T>>::type maps;
  typename std::conditional<Gradient, Given<T>, Output<Vector<T>>>::type bins;
  Input<Vector<T>> regions;
  Input<Vector<int>> images;
  unsigned channels;
  unsigned height;
  unsigned width;
  unsigned binRows;
  unsigned binColumns;
  unsigned ratio;
  bool aligned;
  float scale;

  bool compute(unsigned worker) {
    for (unsigned channel = worker; channel < channels; channel += numWorkers()) {
      if constexpr (Gradient)
        for (unsigned image = 0; image * channels * height * width < maps.size(); ++image)
          for (unsigned i = 0; i != height * width; ++i)
            maps[(image * channels + channel) * height * width + i] = 0;
      for (unsigned region = 0; region != images.size(); ++region)
        sampleRegion(region, channel);
    }
    return true;
  }

  // About thirty cycles for each of the four pixels around a point.
  std::uint64_t estimateCycles() const {
    const std::uint64_t points = std::uint64_t(bins.size()) * ratio * ratio;
    return 60 + (Gradient ? maps.size() / 2 : 0) + 120 * points;
  }

private:
  void sampleRegion(unsigned region, unsigned channel) {
    const float shift = aligned ? 0.5f : 0.f;
    const auto corner = [&](unsigned i) {
      return static_cast<float>(regions[4 * region + i]) * scale - shift;
    };
    const float left = corner(0), top = corner(1);
    float sizeX = corner(2) - left, sizeY = corner(3) - top;
    if (!aligned) {
      sizeX = sizeX < 1 ? 1 : sizeX;
      sizeY = sizeY < 1 ? 1 : sizeY;
    }
    const float stepX = sizeX / float(binColumns * ratio), stepY = sizeY / float(binRows * ratio);
    const unsigned map = (unsigned(images[region]) * channels + channel) * height * width;
    unsigned bin = (region * channels + channel) * binRows * binColumns;
    for (unsigned row = 0; row != binRows; ++row)
      for (unsigned column = 0; column != binColumns; ++column, ++bin) {
        const float share = 1.f / float(ratio * ratio);
        float sum = 0, weight = share;
        if constexpr (Gradient)
          weight = share * static_cast<float>(bins[bin]);
        for (unsigned i = 0; i != ratio * ratio; ++i)
          sum += weight * sample(map, top + stepY * (float(row * ratio + i / ratio) + 0.5f),
                                 left + stepX * (float(column * ratio + i % ratio) + 0.5f), weight);
        if constexpr (!Gradient)
          bins[bin] = static_cast<T>(sum);
      }
  }

  // The map between four pixels; Gradient: adds `weight` to them by the same shares.
  float sample(unsigned map, float y, float x, float weight) {
    if (y < -1 || x < -1 || y > float(height) || x > float(width))
      return 0;
    const auto clamp = [](float& at, unsigned size) {
      at = at < 0 ? 0 : at > float(size - 1) ? float(size - 1) : at;
      const unsigned low = unsigned(at);
      return low + 1 < size ? low : size < 2 ? 0 : size - 2;
    };
    const unsigned row = clamp(y, height), column = clamp(x, width);
    const float down = y - float(row), right = x - float(column);
    const unsigned below = height > 1 ? width : 0, beside = width > 1 ? 1 : 0;
    const unsigned at = map + row * width + column;
    const float shares[] = {(1 - down) * (1 - right), (1 - down) * right, down * (1 - right),
                            down * right};
    const unsigned pixels[] = {at, at + beside, at + below, at + below + beside};
    float value = 0;
    for (unsigned i = 0; i != 4; ++i)
      if constexpr (Gradient)
        maps[pixels[i]] += weight * shares[i];
      else
        value += shares[i] * static_cast<float>(maps[pixels[i]]);
    return value;
  }
};

template class RoiAlign<float, false>;
template class RoiAlign<float, true>;
template class RoiAlign<half, false>;
template class RoiAlign<half, true>;

} // namespace popnn
