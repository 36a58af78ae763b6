#include "engine/PrintTensor.hpp"

#include "graph/TypeInfo.hpp"

#include <poplar/IeeeHalf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace ipumodel {

namespace {

using FloatFormat = poplar::PrintTensorFmt::FloatFormat;

template <class T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

bool isReal(poplar::Type type) {
  return type == poplar::FLOAT || type == poplar::HALF;
}

double realValue(poplar::Type type, const std::byte* at) {
  return type == poplar::FLOAT ? double{read<float>(at)}
                               : double{float(poplar::IeeeHalf::fromBits(read<std::uint16_t>(at)))};
}

std::string integerText(poplar::Type type, const std::byte* at) {
  switch (sizeOf(type)) {
  case 1:
    return std::to_string(isSigned(type) ? read<std::int8_t>(at) : read<std::uint8_t>(at));
  case 2:
    return std::to_string(isSigned(type) ? read<std::int16_t>(at) : read<std::uint16_t>(at));
  case 4:
    return isSigned(type) ? std::to_string(read<std::int32_t>(at))
                          : std::to_string(read<std::uint32_t>(at));
  default:
    return isSigned(type) ? std::to_string(read<std::int64_t>(at))
                          : std::to_string(read<std::uint64_t>(at));
  }
}

class Printer {
public:
  Printer(std::ostream& out, poplar::Type type, const std::vector<std::size_t>& shape,
          const std::byte* data, const poplar::PrintTensorFmt& format)
      : out_(out),
        type_(type),
        shape_(shape),
        data_(data),
        format_(format),
        elementBytes_(sizeOf(type)) {
    std::size_t numElements = 1;
    for (const std::size_t extent : shape)
      numElements *= extent;
    summarise_ = numElements > format.summariseThreshold;
    if (isReal(type))
      chooseRealFormat(numElements);
    for (std::size_t i = 0;
         i < numElements && !summarise_ && format.floatFormat != FloatFormat::None; ++i)
      width_ = std::max(width_, element(i).size());
  }

  void print() {
    if (shape_.empty())
      out_ << element(0);
    else
      printDim(0, 0, 1);
  }

private:
  // Scientific where a fixed number of decimals would lose a small value or stretch to a huge one.
  void chooseRealFormat(std::size_t numElements) {
    scientific_ = format_.floatFormat == FloatFormat::Scientific;
    double largest = 0, smallest = 0;
    for (std::size_t i = 0; i < numElements; ++i) {
      const double value = std::fabs(realValue(type_, data_ + i * elementBytes_));
      if (!std::isfinite(value) || value == 0)
        continue;
      largest = std::max(largest, value);
      smallest = smallest == 0 ? value : std::min(smallest, value);
    }
    if (format_.floatFormat == FloatFormat::Auto && largest > 0)
      scientific_ = largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1e6;
    int digitsBefore = 1;
    for (double bound = 10; largest >= bound && digitsBefore < 20; bound *= 10)
      ++digitsBefore;
    decimals_ = std::max(0, static_cast<int>(format_.digits) - (scientific_ ? 1 : digitsBefore));
  }

  std::string element(std::size_t index) const {
    const std::byte* at = data_ + index * elementBytes_;
    if (!isReal(type_))
      return integerText(type_, at);
    char text[64];
    const double value = realValue(type_, at);
    if (format_.floatFormat == FloatFormat::None)
      std::snprintf(text, sizeof text, "%.9g", value);
    else
      std::snprintf(text, sizeof text, scientific_ ? "%.*e" : "%.*f", decimals_, value);
    return text;
  }

  void printDim(std::size_t dim, std::size_t first, std::size_t indent) {
    std::size_t inner = 1; // elements of one slice
    for (std::size_t d = dim + 1; d < shape_.size(); ++d)
      inner *= shape_[d];
    const bool isLast = dim + 1 == shape_.size();
    const std::size_t extent = shape_[dim];
    out_ << format_.openBracket;
    std::size_t column = indent;
    for (std::size_t i = 0; i < extent; ++i) {
      const bool skip = summarise_ && extent > 2 * format_.edgeItems && i == format_.edgeItems;
      if (!isLast)
        out_ << '\n' << std::string(indent, ' ');
      else if (i > 0)
        breakOrSeparate(skip ? 3 : width_, indent, column);
      if (skip) {
        out_ << "...";
        i = extent - format_.edgeItems - 1;
        continue;
      }
      if (isLast) {
        const std::string text = element(first + i);
        out_ << std::string(width_ > text.size() ? width_ - text.size() : 0, ' ') << text;
        column += std::max(width_, text.size());
      } else {
        printDim(dim + 1, first + i * inner, indent + 1);
      }
    }
    if (!isLast && extent)
      out_ << '\n' << std::string(indent - 1, ' ');
    out_ << format_.closeBracket;
  }

  void breakOrSeparate(std::size_t width, std::size_t indent, std::size_t& column) {
    out_ << format_.separator;
    ++column;
    if (column + width + 1 > format_.maxLineWidth) {
      out_ << '\n' << std::string(indent, ' ');
      column = indent;
    }
  }

  std::ostream& out_;
  poplar::Type type_;
  const std::vector<std::size_t>& shape_;
  const std::byte* data_;
  const poplar::PrintTensorFmt& format_;
  std::size_t elementBytes_;
  bool summarise_ = false;
  bool scientific_ = false;
  int decimals_ = 0;
  std::size_t width_ = 0;
};

} // namespace

void printTensor(std::ostream& out, const std::string& title, poplar::Type type,
                 const std::vector<std::size_t>& shape, const std::byte* data,
                 const poplar::PrintTensorFmt& format) {
  if (!title.empty())
    out << title << ": ";
  Printer(out, type, shape, data, format).print();
  out << '\n' << std::flush;
}

} // namespace ipumodel
