#include "config/LayerSizes.hpp"

#include "config/Values.hpp"

#include <stdexcept>

namespace spillway {
namespace {

constexpr std::uint64_t kMaxSize = 65535; // ids are 16 bits wide
constexpr std::uint64_t kMaxLayers = 1024;

std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return text;
}

} // namespace

std::vector<std::uint32_t> parseLayerSizes(std::string_view text) {
  std::vector<std::uint32_t> sizes;
  try {
    while (true) {
      const std::size_t comma = text.find(',');
      const std::string_view item = trim(text.substr(0, comma));
      const std::size_t times = item.find('x');
      const std::uint64_t repeats =
          times == item.npos ? 1 : parseWhole(trim(item.substr(0, times)), 1, kMaxLayers);
      const std::uint64_t size =
          parseWhole(trim(times == item.npos ? item : item.substr(times + 1)), 1, kMaxSize);
      if (sizes.size() + repeats > kMaxLayers) {
        throw std::invalid_argument("too many");
      }
      sizes.insert(sizes.end(), repeats, static_cast<std::uint32_t>(size));
      if (comma == text.npos) {
        return sizes;
      }
      text.remove_prefix(comma + 1);
    }
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(
        "must be 1 to 1024 sizes from 1 to 65535, such as 256,256,128 or 3x256 (three of 256)");
  }
}

std::string formatLayerSizes(const NetworkSpec& network) {
  std::string text;
  for (const LayerSpec& layer : network.layers) {
    text += (text.empty() ? "" : ",") + std::to_string(layer.size);
  }
  return text;
}

} // namespace spillway
