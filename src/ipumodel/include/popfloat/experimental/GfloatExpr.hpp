// What casts to numbers of few bits can be told. Included by codelets too.
#ifndef popfloat_experimental_GfloatExpr_hpp
#define popfloat_experimental_GfloatExpr_hpp

namespace popfloat {
namespace experimental {

enum class RoundType {
  INV, // none
  RZ,  // towards zero
  RN,  // to nearest, ties to even
  RA,  // to nearest, ties away from zero
  RU,  // up
  RD,  // down
  SR,  // stochastic, by as many random bits as are cut off
  SX   // stochastic, by fewer bits or by noise of some density
};

// What a format is stored as.
enum class FormatType {
  INVALID_FORMAT,
  IEEE_FP16,
  QUANTISED_FP32,
  QUANTISED_FP16,
  MIN_NORM_ALIGN_GF8, // 8 bits, less than 5 of them exponent
  ONE_FIVE_TWO_GF8,   // the upper half of a HALF
  MAX_NORM_ALIGN_GF8, // the same without infinities
  BFLOAT16,
  NO_DENORM_GF16,
  ENABLE_DENORM_GF16
};

// Of the noise of stochastic rounding.
enum class SRDensityType {
  INVALID, // uniform over [0, 1)
  UNIFORM,
  NORMAL,
  TRUNCATED_NORMAL,
  BERNOULLI,
  LOGISTIC,
  TRUNCATED_LOGISTIC,
  LAPLACE,
  TRUNCATED_LAPLACE,
  LOGIT_NORMAL,
  TRUNCATED_LOGIT_NORMAL
};

enum class SpecType { FP32, FP16, INT8, INT16, INT32, AUTO };

} // namespace experimental
} // namespace popfloat

#endif
