// How PrintTensor writes numbers.
#pragma once

namespace poplar {

class PrintTensorFmt {
public:
  enum class FloatFormat { Auto, Fixed, Scientific, None };

  // Tensors of more than summariseThreshold elements show only edgeItems at both ends of a
  // dimension; lines break before maxLineWidth characters; numbers have that many significant
  // digits.
  PrintTensorFmt(unsigned summariseThreshold_ = 1000, unsigned edgeItems_ = 3,
                 unsigned maxLineWidth_ = 75, unsigned digits_ = 8,
                 FloatFormat floatFormat_ = FloatFormat::Auto, char separator_ = ' ',
                 char openBracket_ = '[', char closeBracket_ = ']')
      : summariseThreshold(summariseThreshold_),
        edgeItems(edgeItems_),
        maxLineWidth(maxLineWidth_),
        digits(digits_),
        floatFormat(floatFormat_),
        separator(separator_),
        openBracket(openBracket_),
        closeBracket(closeBracket_) {}

  // All elements, on one line per innermost dimension.
  static PrintTensorFmt disableFormatting() {
    return PrintTensorFmt(~0u, 0, ~0u, 8, FloatFormat::None);
  }

  unsigned summariseThreshold;
  unsigned edgeItems;
  unsigned maxLineWidth;
  unsigned digits;
  FloatFormat floatFormat;
  char separator;
  char openBracket;
  char closeBracket;
};

} // namespace poplar
