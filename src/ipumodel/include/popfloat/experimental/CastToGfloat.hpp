// Casts of tensors between FLOAT or HALF and floating-point formats of few bits ("gfloat").
//
// A number of a format with M bits of mantissa and E of exponent is quantised: rounded to the
// format, and still a FLOAT or HALF; and packed: sign, exponent and mantissa in the lowest 1 + E +
// M bits of a SIGNED_CHAR or SHORT. Infinities and NaN of the input stay what they are; a finite
// number beyond the format's largest becomes NaN in Nanoo mode and the largest otherwise. Without
// denormals, numbers below the smallest normal one are rounded to it or to zero. Formats without
// exponent bits have denormals only.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

#include <popfloat/experimental/GfloatExpr.hpp>
#include <popfloat/experimental/GfloatExprUtil.hpp>

#include <memory>
#include <vector>

namespace popfloat {
namespace experimental {

class GfloatCast {
public:
  /// Options have the names of the members.
  struct GfloatFormatOptions {
    unsigned numMantissaBits = 10;
    unsigned numExponentBits = 5;
    unsigned numExponentBias = 15;
    bool enableDenorms = true;
    bool enableInfsAndNans = true;

    GfloatFormatOptions() {}
    GfloatFormatOptions(const poplar::OptionFlags& options) { parseGfloatFormatOptions(options); }
    void parseGfloatFormatOptions(const poplar::OptionFlags& options);
  };

  /// A format, and the types that hold it: quantised, the smaller of HALF and FLOAT that has all
  /// its numbers; packed, the smallest integer; calculated in, as asked for. Throws poplibs_error
  /// for formats that nothing holds.
  struct FormatConfig {
    FormatConfig() = default;
    FormatConfig(unsigned numMantissaBits, unsigned numExponentBits, int exponentBias,
                 bool enableDenorms, bool enableInfsAndNans,
                 SpecType specCalculationType = SpecType::AUTO);
    FormatConfig(unsigned numMantissaBits, unsigned numExponentBits, int exponentBias,
                 bool enableDenorms, bool enableInfsAndNans, poplar::Type calculationType);
    FormatConfig(GfloatFormatOptions formatOptions, poplar::Type calculationType);

    poplar::Type getCalculationType() const { return calculationType; }
    poplar::Type getNativeType() const { return nativeType; }
    poplar::Type getStorageType() const { return storageType; }
    FormatType getFormatType() const { return formatType; }
    unsigned getNumMantissaBits() const { return numMantissaBits; }
    unsigned getNumExponentBits() const { return numExponentBits; }
    int getExponentBias() const { return exponentBias; }
    bool isDenormEnabled() const { return enableDenorms; }
    bool infAndNansEnabled() const { return enableInfsAndNans; }
    bool isPackedFloatFormat() const {
      return formatType != FormatType::QUANTISED_FP16 && formatType != FormatType::QUANTISED_FP32 &&
             formatType != FormatType::IEEE_FP16;
    }
    unsigned getPackedFloatBits() const { return packedFloatBits; }
    bool isBlockFloat() const { return blockFloat; }
    /// The format in one number, for createCastOpParamsTensor.
    unsigned getPackedFloatParameters() const;
    bool operator==(const FormatConfig& other) const;

  private:
    void chooseTypes(bool inHalf);

    poplar::Type calculationType, nativeType, storageType;
    FormatType formatType = FormatType::INVALID_FORMAT;
    unsigned numMantissaBits = 0, numExponentBits = 0;
    int exponentBias = 0;
    bool enableDenorms = true, enableInfsAndNans = true, blockFloat = false;
    unsigned packedFloatBits = 0;
  };

  struct GfloatCastOptions {
    RoundType roundMode = RoundType::INV;
    SRDensityType srNoiseDensity = SRDensityType::INVALID;
    unsigned numSRBits = 24;
    double srNoiseOffset = 0.0;
    double srNoiseScale = 0.0;
    double srNoiseMax = 0.0;
    double srNoiseMin = 0.0;
    double bernoulliProb = 0.0;
    bool enableNanooMode = true;

    GfloatCastOptions() {}
    GfloatCastOptions(const poplar::OptionFlags& options) { parseGfloatCastOptions(options); }
    void parseGfloatCastOptions(const poplar::OptionFlags& options);
  };

  /// How to round. Noise is in units of the last place, between a minimum and a maximum; what is
  /// cut off after it was added is truncated for UNIFORM and LOGIT_NORMAL noise, and rounded to
  /// nearest for the others. bernoulliProb is the probability of rounding towards zero.
  struct RoundConfig {
    RoundConfig() = default;
    RoundConfig(RoundType roundMode, unsigned numSRBits, poplar::Type calculationType,
                SRDensityType srNoiseDensity = SRDensityType::INVALID, float srNoiseOffset = 0.0,
                float srNoiseScale = 0.0, float srNoiseMax = 0.0, float srNoiseMin = 0.0,
                float bernoulliProb = 0.0);
    RoundConfig(GfloatCastOptions castOptions, poplar::Type calculationType);

    RoundType getRoundMode() const { return roundModeType; }
    unsigned getNumSRBits() const { return numSRBits; }
    SRDensityType getSRNoiseDensity() const { return srNoiseDensity; }
    float getBernoulliProbability() const { return bernoulliProb; }
    float getSRNoiseOffset() const { return srNoiseOffset; }
    float getSRNoiseScale() const { return srNoiseScale; }
    float getSRNoiseMax() const { return srNoiseMax; }
    float getSRNoiseMin() const { return srNoiseMin; }

  private:
    RoundType roundModeType = RoundType::INV;
    unsigned numSRBits = 24;
    SRDensityType srNoiseDensity = SRDensityType::INVALID;
    float srNoiseOffset = 0, srNoiseScale = 0, srNoiseMax = 0, srNoiseMin = 0, bernoulliProb = 0;
  };

  /// One direction of a cast: what it calculates in and what its result is stored as.
  struct CastConfig {
    CastConfig() = default;
    static CastConfig createCastNativeToGF(FormatType formatType, poplar::Type calculationType,
                                           poplar::Type storageType, RoundConfig roundCfg,
                                           bool enableNanooMode);
    static CastConfig createCastGFToNative(FormatType formatType, poplar::Type calculationType,
                                           poplar::Type storageType);

    const RoundConfig& getRoundConfig() const { return roundConfig; }
    RoundType getRoundMode() const { return roundConfig.getRoundMode(); }
    unsigned getNumSRBits() const { return roundConfig.getNumSRBits(); }
    SRDensityType getSRNoiseDensity() const { return roundConfig.getSRNoiseDensity(); }
    float getBernoulliProbability() const { return roundConfig.getBernoulliProbability(); }
    float getSRNoiseOffset() const { return roundConfig.getSRNoiseOffset(); }
    float getSRNoiseScale() const { return roundConfig.getSRNoiseScale(); }
    float getSRNoiseMax() const { return roundConfig.getSRNoiseMax(); }
    float getSRNoiseMin() const { return roundConfig.getSRNoiseMin(); }
    bool isNanooModeEnabled() const { return enableNanooMode; }
    poplar::Type getCalculationType() const { return calculationType; }
    poplar::Type getStorageType() const { return storageType; }
    FormatType getFormatType() const { return floatFormatType; }
    /// As FLOAT or HALF, not packed.
    bool getStoreAsNative() const {
      return storageType == poplar::FLOAT || storageType == poplar::HALF;
    }
    bool inPlaceOp(poplar::Type inType) const { return inType == storageType; }

  private:
    CastConfig(FormatType format, poplar::Type calculation, poplar::Type storage, RoundConfig round,
               bool nanoo);

    poplar::Type calculationType, storageType;
    RoundConfig roundConfig;
    bool enableNanooMode = false;
    FormatType floatFormatType = FormatType::INVALID_FORMAT;
  };

  /// GFType: what casts to the format are stored as; NativeType: what casts back give. AUTO is what
  /// the FormatConfig says.
  GfloatCast(const FormatConfig& formatCfg, const RoundConfig& roundCfg, const bool enableNanooMode,
             const SpecType& GFType = SpecType::AUTO, const SpecType& NativeType = SpecType::AUTO);
  GfloatCast(const GfloatFormatOptions& formatOptions, const GfloatCastOptions& castOptions,
             poplar::Type calculationType, const SpecType& GFType = SpecType::AUTO,
             const SpecType& NativeType = SpecType::AUTO);
  GfloatCast(const GfloatCast& other);

  /// The format as a tensor, from FormatConfig::getPackedFloatParameters or a tensor that holds
  /// that, which may then change from run to run. Neither needs a vertex.
  static poplar::Tensor createCastOpParamsTensor(poplar::Graph& graph, const poplar::ComputeSet& cs,
                                                 poplar::Type calculationType,
                                                 const unsigned gfPacked);
  static poplar::Tensor createCastOpParamsTensor(poplar::Graph& graph, const poplar::ComputeSet& cs,
                                                 poplar::Type calculationType,
                                                 poplar::Tensor gfPacked);
  static poplar::Tensor createCastOpParamsTensor(poplar::Graph& graph,
                                                 poplar::program::Sequence& prog,
                                                 poplar::Type calculationType,
                                                 const unsigned gfPacked,
                                                 const poplar::DebugContext& debugContext = {});
  static poplar::Tensor createCastOpParamsTensor(poplar::Graph& graph,
                                                 poplar::program::Sequence& prog,
                                                 poplar::Type calculationType,
                                                 poplar::Tensor gfPacked,
                                                 const poplar::DebugContext& debugContext = {});
  /// This cast's own; needed before it casts.
  void createCastOpParamsTensor(poplar::Graph& graph, poplar::program::Sequence& prog,
                                const poplar::DebugContext& debugContext = {});
  void createCastOpParamsTensor(poplar::Graph& graph, const poplar::ComputeSet& cs);

  /// FLOAT or HALF to the format. With a compute set the result is quantised, in the calculation
  /// type unless the storage type is FLOAT or HALF; with a program it is of the storage type.
  static poplar::Tensor castNativeToGfloat(poplar::Graph& graph, poplar::Tensor input,
                                           const poplar::Tensor& param,
                                           poplar::program::Sequence& prog,
                                           const CastConfig& gfCastCfg,
                                           const poplar::DebugContext& debugContext = {});
  static poplar::Tensor castNativeToGfloat(poplar::Graph& graph, poplar::Tensor input,
                                           const poplar::Tensor& param,
                                           const poplar::ComputeSet& cs,
                                           const CastConfig& gfCastCfg);
  poplar::Tensor castNativeToGfloat(poplar::Graph& graph, poplar::Tensor input,
                                    poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {});

  /// Quantises the input itself.
  static void castNativeToGfloatInPlace(poplar::Graph& graph, poplar::Tensor input,
                                        const poplar::Tensor& param,
                                        poplar::program::Sequence& prog,
                                        const CastConfig& gfCastCfg,
                                        const poplar::DebugContext& debugContext = {});
  static void castNativeToGfloatInPlace(poplar::Graph& graph, poplar::Tensor input,
                                        const poplar::Tensor& param, const poplar::ComputeSet& cs,
                                        const CastConfig& gfCastCfg);
  void castNativeToGfloatInPlace(poplar::Graph& graph, poplar::Tensor input,
                                 poplar::program::Sequence& prog,
                                 const poplar::DebugContext& debugContext = {});
  void castNativeToGfloatInPlace(poplar::Graph& graph, poplar::Tensor input,
                                 const poplar::ComputeSet& cs);

  /// Packed, or quantised, to FLOAT or HALF.
  static poplar::Tensor castGfloatToNative(poplar::Graph& graph, poplar::Tensor input,
                                           const poplar::Tensor& param,
                                           poplar::program::Sequence& prog,
                                           const CastConfig& gfCastCfg,
                                           const poplar::DebugContext& debugContext = {});
  static poplar::Tensor castGfloatToNative(poplar::Graph& graph, poplar::Tensor input,
                                           const poplar::Tensor& param,
                                           const poplar::ComputeSet& cs,
                                           const CastConfig& gfCastCfg);
  poplar::Tensor castGfloatToNative(poplar::Graph& graph, poplar::Tensor input,
                                    poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {});
  poplar::Tensor castGfloatToNative(poplar::Graph& graph, poplar::Tensor input,
                                    const poplar::ComputeSet& cs);

  poplar::Type getGFStorageType() const { return nativeToGFCastCfg.getStorageType(); }
  poplar::Type getCalculationType() const { return nativeToGFCastCfg.getCalculationType(); }
  poplar::Type getNativeStorageType() const { return gfToNativeCastCfg.getStorageType(); }
  const FormatConfig getFormatConfig() const { return formatCfg; }
  const CastConfig getNativeToGFConfig() const { return nativeToGFCastCfg; }
  const CastConfig getGFToNativeConfig() const { return gfToNativeCastCfg; }
  bool getStoreAsNative() const { return nativeToGFCastCfg.getStoreAsNative(); }
  poplar::Tensor getCastOpParams() const { return *gfParams; }
  bool isCastOpParamSet() const { return castOpParamSet; }
  /// Takes the tensor over.
  void setGfloatCastParameters(poplar::Tensor* params) { gfParams.reset(params); }
  bool isNanooModeEnabled() const { return nativeToGFCastCfg.isNanooModeEnabled(); }
  RoundType getRoundMode() const { return nativeToGFCastCfg.getRoundMode(); }
  bool inPlaceOp(poplar::Type outType) const { return nativeToGFCastCfg.inPlaceOp(outType); }

protected:
  CastConfig nativeToGFCastCfg;
  CastConfig gfToNativeCastCfg;
  FormatConfig formatCfg;
  std::unique_ptr<poplar::Tensor> gfParams;
  bool castOpParamSet;
};

} // namespace experimental
} // namespace popfloat
