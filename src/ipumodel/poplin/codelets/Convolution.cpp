// A block of a convolution.
#include <poplar/Vertex.hpp>

namespace poplin {

using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

// out[co][z][y][x] = sum over ci and the kernel of
//     in[ci][z * strideZ + kz][y * strideY + ky][x * strideX + kx] * weights[co][ci][kz][ky][kx],
// summed in float. Workers share the rows of the output.
template <class In, class Out>
class ConvBlock : public MultiVertex {
public:
  Input<Vector<In>> in;
  Input<Vector<In>> weights;
  Output<Vector<Out>> out;
  unsigned outputChannels, inputChannels;
  unsigned outDepth, outHeight, outWidth;
  unsigned inDepth, inHeight, inWidth;
  unsigned kernelDepth, kernelHeight, kernelWidth;
  unsigned strideZ, strideY, strideX;

  bool compute(unsigned worker) {
    const unsigned rows = outputChannels * outDepth * outHeight;
    for (unsigned row = rows * worker / numWorkers(); row < rows * (worker + 1) / numWorkers();
         ++row)
      computeRow(row / (outDepth * outHeight), row / outHeight % outDepth, row % outHeight);
    return true;
  }

  // For each kernel element the matrix unit takes 16 outputs and 16 (half) or 8 (float) inputs at a
  // time, 4 or 8 cycles for each output element; weights load at 8 bytes a cycle (PopLibs,
  // poplin/PerformanceEstimation.hpp).
  std::uint64_t estimateCycles() const {
    const std::uint64_t inputsPerPass = sizeof(In) == 2 ? 16 : 8;
    const std::uint64_t cyclesPerOutput = sizeof(In) == 2 ? 4 : 8;
    const std::uint64_t passes =
        static_cast<std::uint64_t>(kernelDepth) * kernelHeight * kernelWidth *
        ((inputChannels + inputsPerPass - 1) / inputsPerPass) * ((outputChannels + 15) / 16);
    const std::uint64_t load = 16 * inputsPerPass * sizeof(In) / 8;
    const std::uint64_t outputs = static_cast<std::uint64_t>(outDepth) * outHeight * outWidth;
    return 50 + passes * (load + 20 + cyclesPerOutput * outputs);
  }

private:
  // A block of accumulators at a time.
  void computeRow(unsigned co, unsigned z, unsigned y) {
    constexpr unsigned kBlock = 64;
    for (unsigned x0 = 0; x0 < outWidth; x0 += kBlock) {
      const unsigned n = outWidth - x0 < kBlock ? outWidth - x0 : kBlock;
      float acc[kBlock] = {};
      const In* weight = &weights[0] + static_cast<std::size_t>(co) * inputChannels * kernelDepth *
                                           kernelHeight * kernelWidth;
      for (unsigned ci = 0; ci < inputChannels; ++ci)
        for (unsigned kz = 0; kz < kernelDepth; ++kz)
          for (unsigned ky = 0; ky < kernelHeight; ++ky) {
            const In* line =
                &in[0] + ((static_cast<std::size_t>(ci) * inDepth + z * strideZ + kz) * inHeight +
                          y * strideY + ky) *
                             inWidth;
            for (unsigned kx = 0; kx < kernelWidth; ++kx) {
              const float factor = static_cast<float>(*weight++);
              const In* from = line + x0 * strideX + kx;
              for (unsigned i = 0; i < n; ++i)
                acc[i] += factor * static_cast<float>(from[i * strideX]);
            }
          }
      Out* to =
          &out[0] + ((static_cast<std::size_t>(co) * outDepth + z) * outHeight + y) * outWidth + x0;
      for (unsigned i = 0; i < n; ++i)
        to[i] = static_cast<Out>(acc[i]);
    }
  }
};

template class ConvBlock<float, float>;
template class ConvBlock<half, float>;
template class ConvBlock<half, half>;
template class ConvBlock<float, half>;

} // namespace poplin
