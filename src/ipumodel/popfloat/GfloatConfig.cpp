// Formats, ways of rounding and casts as they are described, and their names.
#include "popfloat/codelets/GfloatNumber.hpp"

#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>

#include <popfloat/experimental/CastToGfloat.hpp>

#include <tuple>

namespace popfloat::experimental {
namespace {

using poplar::Type;
using poplibs::OptionHandler;

constexpr unsigned kHalfMantissaBits = 10, kHalfExponentBits = 5;
constexpr unsigned kFloatMantissaBits = 23, kFloatExponentBits = 8;

// Of a HALF only, so that other ways to round to it are calculated in FLOAT.
bool isPartOfHalf(unsigned mantissaBits, unsigned exponentBits) {
  return mantissaBits <= kHalfMantissaBits && exponentBits <= kHalfExponentBits &&
         mantissaBits + exponentBits < kHalfMantissaBits + kHalfExponentBits;
}

const std::map<std::string, RoundType>& roundTypes() {
  static const std::map<std::string, RoundType> names = {
      {"INV", RoundType::INV}, {"RZ", RoundType::RZ}, {"RN", RoundType::RN}, {"RA", RoundType::RA},
      {"RU", RoundType::RU},   {"RD", RoundType::RD}, {"SR", RoundType::SR}, {"SX", RoundType::SX}};
  return names;
}

const std::map<std::string, SRDensityType>& densities() {
  static const std::map<std::string, SRDensityType> names = {
      {"INVALID", SRDensityType::INVALID},
      {"UNIFORM", SRDensityType::UNIFORM},
      {"NORMAL", SRDensityType::NORMAL},
      {"TRUNCATED_NORMAL", SRDensityType::TRUNCATED_NORMAL},
      {"BERNOULLI", SRDensityType::BERNOULLI},
      {"LOGISTIC", SRDensityType::LOGISTIC},
      {"TRUNCATED_LOGISTIC", SRDensityType::TRUNCATED_LOGISTIC},
      {"LAPLACE", SRDensityType::LAPLACE},
      {"TRUNCATED_LAPLACE", SRDensityType::TRUNCATED_LAPLACE},
      {"LOGIT_NORMAL", SRDensityType::LOGIT_NORMAL},
      {"TRUNCATED_LOGIT_NORMAL", SRDensityType::TRUNCATED_LOGIT_NORMAL}};
  return names;
}

template <class E>
std::string nameOf(const std::map<std::string, E>& names, E value) {
  for (const auto& [name, known] : names)
    if (known == value)
      return name;
  throw poputil::poplibs_error("unknown enumerator of popfloat");
}

} // namespace

std::string roundTypeToString(RoundType rmode) {
  return nameOf(roundTypes(), rmode);
}
std::string srDensityTypeToString(SRDensityType dist) {
  return nameOf(densities(), dist);
}
std::string formatTypeToString(FormatType fmt) {
  static const std::map<std::string, FormatType> names = {
      {"INVALID_FORMAT", FormatType::INVALID_FORMAT},
      {"IEEE_FP16", FormatType::IEEE_FP16},
      {"QUANTISED_FP32", FormatType::QUANTISED_FP32},
      {"QUANTISED_FP16", FormatType::QUANTISED_FP16},
      {"MIN_NORM_ALIGN_GF8", FormatType::MIN_NORM_ALIGN_GF8},
      {"ONE_FIVE_TWO_GF8", FormatType::ONE_FIVE_TWO_GF8},
      {"MAX_NORM_ALIGN_GF8", FormatType::MAX_NORM_ALIGN_GF8},
      {"BFLOAT16", FormatType::BFLOAT16},
      {"NO_DENORM_GF16", FormatType::NO_DENORM_GF16},
      {"ENABLE_DENORM_GF16", FormatType::ENABLE_DENORM_GF16}};
  return nameOf(names, fmt);
}

Type specTypeToPoplarType(SpecType specType) {
  switch (specType) {
  case SpecType::FP32:
    return poplar::FLOAT;
  case SpecType::FP16:
    return poplar::HALF;
  case SpecType::INT8:
    return poplar::SIGNED_CHAR;
  case SpecType::INT16:
    return poplar::SHORT;
  case SpecType::INT32:
    return poplar::INT;
  case SpecType::AUTO:
    break;
  }
  throw poputil::poplibs_error("SpecType::AUTO is no type");
}

void GfloatCast::GfloatFormatOptions::parseGfloatFormatOptions(const poplar::OptionFlags& options) {
  const poplibs::OptionSpec spec{
      {"numMantissaBits", OptionHandler::createWithInteger(numMantissaBits)},
      {"numExponentBits", OptionHandler::createWithInteger(numExponentBits)},
      {"numExponentBias", OptionHandler::createWithInteger(numExponentBias)},
      {"enableDenorms", OptionHandler::createWithBool(enableDenorms)},
      {"enableInfsAndNans", OptionHandler::createWithBool(enableInfsAndNans)}};
  for (const auto& option : options)
    spec.parse(option.first, option.second);
}

void GfloatCast::GfloatCastOptions::parseGfloatCastOptions(const poplar::OptionFlags& options) {
  const poplibs::OptionSpec spec{
      {"roundMode", OptionHandler::createWithEnum(roundMode, roundTypes())},
      {"numSRBits", OptionHandler::createWithInteger(numSRBits)},
      {"srNoiseDensity", OptionHandler::createWithEnum(srNoiseDensity, densities())},
      {"srNoiseOffset", OptionHandler::createWithDouble(srNoiseOffset)},
      {"srNoiseScale", OptionHandler::createWithDouble(srNoiseScale)},
      {"srNoiseMax", OptionHandler::createWithDouble(srNoiseMax)},
      {"srNoiseMin", OptionHandler::createWithDouble(srNoiseMin)},
      {"bernoulliProb", OptionHandler::createWithDouble(bernoulliProb)},
      {"enableNanooMode", OptionHandler::createWithBool(enableNanooMode)}};
  for (const auto& option : options)
    spec.parse(option.first, option.second);
}

GfloatCast::FormatConfig::FormatConfig(unsigned mantissaBits, unsigned exponentBits, int bias,
                                       bool denorms, bool infsAndNans, Type calculation)
    : calculationType(calculation),
      numMantissaBits(mantissaBits),
      numExponentBits(exponentBits),
      exponentBias(bias),
      enableDenorms(denorms),
      enableInfsAndNans(infsAndNans && exponentBits > 0) {
  chooseTypes(isPartOfHalf(mantissaBits, exponentBits));
}

GfloatCast::FormatConfig::FormatConfig(unsigned mantissaBits, unsigned exponentBits, int bias,
                                       bool denorms, bool infsAndNans, SpecType calculation)
    : numMantissaBits(mantissaBits),
      numExponentBits(exponentBits),
      exponentBias(bias),
      enableDenorms(denorms),
      enableInfsAndNans(infsAndNans && exponentBits > 0) {
  const bool inHalf = calculation != SpecType::FP32 && isPartOfHalf(mantissaBits, exponentBits);
  if (!inHalf && calculation == SpecType::FP16)
    throw poputil::poplibs_error("popfloat: a format of " + std::to_string(mantissaBits) +
                                 " bits of mantissa and " + std::to_string(exponentBits) +
                                 " of exponent cannot be calculated in HALF");
  calculationType = inHalf ? poplar::HALF : poplar::FLOAT;
  chooseTypes(inHalf);
}

GfloatCast::FormatConfig::FormatConfig(GfloatFormatOptions options, Type calculation)
    : FormatConfig(options.numMantissaBits, options.numExponentBits,
                   static_cast<int>(options.numExponentBias), options.enableDenorms,
                   options.enableInfsAndNans, calculation) {}

void GfloatCast::FormatConfig::chooseTypes(bool inHalf) {
  if (numMantissaBits > kFloatMantissaBits || numExponentBits > kFloatExponentBits)
    throw poputil::poplibs_error("popfloat: a format of " + std::to_string(numMantissaBits) +
                                 " bits of mantissa and " + std::to_string(numExponentBits) +
                                 " of exponent is beyond FLOAT");
  const unsigned numBits = 1 + numMantissaBits + numExponentBits;
  blockFloat = numExponentBits == 0 || (numExponentBits == 1 && enableInfsAndNans);
  nativeType = storageType = inHalf ? poplar::HALF : poplar::FLOAT;
  formatType = inHalf ? FormatType::QUANTISED_FP16 : FormatType::QUANTISED_FP32;
  packedFloatBits = inHalf ? 16 : 32;
  if (numBits <= 8) {
    packedFloatBits = 8;
    storageType = poplar::SIGNED_CHAR;
    if (!inHalf && numExponentBits <= kHalfExponentBits)
      nativeType = poplar::HALF;
    formatType = !inHalf                                ? FormatType::ENABLE_DENORM_GF16
                 : numExponentBits != kHalfExponentBits ? FormatType::MIN_NORM_ALIGN_GF8
                 : enableInfsAndNans                    ? FormatType::ONE_FIVE_TWO_GF8
                                                        : FormatType::MAX_NORM_ALIGN_GF8;
  } else if (!inHalf && numMantissaBits == kHalfMantissaBits &&
             numExponentBits == kHalfExponentBits && enableInfsAndNans) {
    packedFloatBits = 16;
    nativeType = storageType = poplar::HALF;
    formatType = FormatType::IEEE_FP16;
  } else if (!inHalf && numBits <= 16) {
    packedFloatBits = 16;
    storageType = poplar::SHORT;
    formatType = numExponentBits == kFloatExponentBits ? FormatType::BFLOAT16
                 : enableDenorms                       ? FormatType::ENABLE_DENORM_GF16
                                                       : FormatType::NO_DENORM_GF16;
  }
}

unsigned GfloatCast::FormatConfig::getPackedFloatParameters() const {
  return GfloatFormat::pack(numMantissaBits, numExponentBits, exponentBias, enableDenorms,
                            enableInfsAndNans);
}

bool GfloatCast::FormatConfig::operator==(const FormatConfig& other) const {
  return getPackedFloatParameters() == other.getPackedFloatParameters() &&
         calculationType == other.calculationType;
}

GfloatCast::RoundConfig::RoundConfig(RoundType mode, unsigned numBits, Type, SRDensityType density,
                                     float offset, float scale, float most, float least,
                                     float probability)
    : roundModeType(mode),
      numSRBits(numBits),
      srNoiseDensity(density),
      srNoiseOffset(offset),
      srNoiseScale(scale),
      srNoiseMax(most),
      srNoiseMin(least),
      bernoulliProb(probability) {
  if (least > most)
    throw poputil::poplibs_error("popfloat: noise of at least " + std::to_string(least) +
                                 " and at most " + std::to_string(most));
}

GfloatCast::RoundConfig::RoundConfig(GfloatCastOptions options, Type calculation)
    : RoundConfig(options.roundMode, options.numSRBits, calculation, options.srNoiseDensity,
                  static_cast<float>(options.srNoiseOffset),
                  static_cast<float>(options.srNoiseScale), static_cast<float>(options.srNoiseMax),
                  static_cast<float>(options.srNoiseMin),
                  static_cast<float>(options.bernoulliProb)) {}

GfloatCast::CastConfig::CastConfig(FormatType format, Type calculation, Type storage,
                                   RoundConfig round, bool nanoo)
    : calculationType(calculation),
      storageType(storage),
      roundConfig(round),
      enableNanooMode(nanoo),
      floatFormatType(format) {
  if (format == FormatType::INVALID_FORMAT)
    throw poputil::poplibs_error("popfloat: a cast needs a format");
}

GfloatCast::CastConfig GfloatCast::CastConfig::createCastNativeToGF(FormatType format,
                                                                    Type calculation, Type storage,
                                                                    RoundConfig round, bool nanoo) {
  return CastConfig(format, calculation, storage, round, nanoo);
}
GfloatCast::CastConfig
GfloatCast::CastConfig::createCastGFToNative(FormatType format, Type calculation, Type storage) {
  return CastConfig(format, calculation, storage, RoundConfig(), false);
}

} // namespace popfloat::experimental
