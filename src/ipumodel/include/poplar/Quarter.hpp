// What belongs to numbers of eight bits (QUARTER) as a whole: their format and a power of two.
#pragma once

#include <poplar/StdIncludes.hpp>

namespace poplar {

class QuarterMetadata {
public:
  // Bits of sign, exponent and mantissa. Both formats have one NaN and no infinities.
  enum class Format { F143, F152 };

  // F143 with scale 0.
  QuarterMetadata() {}
  // Numbers are times 2^scale, from -32 to 31; another one throws poplar_error.
  QuarterMetadata(Format format, std::int8_t scale);
  // As a metadata tensor holds it.
  explicit QuarterMetadata(std::uint8_t binary);

  Format getFormat() const { return format_; }
  std::int8_t getScale() const { return scale_; }
  std::uint8_t getBinary() const;

  bool operator==(const QuarterMetadata& other) const {
    return format_ == other.format_ && scale_ == other.scale_;
  }
  bool operator!=(const QuarterMetadata& other) const { return !(*this == other); }

private:
  Format format_ = Format::F143;
  std::int8_t scale_ = 0;
};

std::string toString(QuarterMetadata::Format format);
std::ostream& operator<<(std::ostream& os, QuarterMetadata::Format format);
std::ostream& operator<<(std::ostream& os, const QuarterMetadata& metadata);

} // namespace poplar
