// Regions of feature maps, each sampled to one size.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popnn {
namespace experimental {

struct roiAlignParams {
  unsigned long samplingRatio_;                ///< points along each side of a bin
  unsigned long alignedHeight_, alignedWidth_; ///< bins of a region
  bool aligned_;       ///< pixels have their centre at half coordinates; regions may be empty
  float spatialScale_; ///< from coordinates of regions to those of the feature map

  roiAlignParams(unsigned long samplingRatio, unsigned long poolH, unsigned long poolW,
                 bool aligned, float spatialScale)
      : samplingRatio_(samplingRatio),
        alignedHeight_(poolH),
        alignedWidth_(poolW),
        aligned_(aligned),
        spatialScale_(spatialScale) {}
};

/// [regions][C][alignedHeight][alignedWidth]: means over the points of a bin, interpolated between
/// four pixels, of maps [N][C][H][W]. Regions [regions][4] are x1, y1, x2, y2; the batch index of
/// each, [regions], is INT or UNSIGNED_INT. FLOAT and HALF.
poplar::Tensor roiAlignFwd(poplar::Graph& graph, poplar::program::Sequence& prog,
                           poplar::Tensor& bottomData, poplar::Tensor& bottomRois,
                           poplar::Tensor& bottomBatchIndex, const roiAlignParams& params,
                           const poplar::DebugContext& debugContext = {});
/// The gradient of the maps, of that of the result.
poplar::Tensor roiAlignInputGradient(poplar::Graph& graph, poplar::program::Sequence& prog,
                                     poplar::Tensor& bottomData, poplar::Tensor& bottomRois,
                                     poplar::Tensor& bottomBatchIndex, poplar::Tensor& topDataGrad,
                                     const roiAlignParams& params,
                                     const poplar::DebugContext& debugContext = {});

} // namespace experimental
} // namespace popnn
