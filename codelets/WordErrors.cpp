// The gradients of a softmax over words that are dealt out to tiles (docs/language.md), and of the
// words' rows. Rows are steps of samples, [sample][step].
#include "maths/MatrixProduct.hpp"
#include "maths/WordScores.hpp"

#include <poplar/Vertex.hpp>

#include <cmath>

using namespace poplar;
using namespace spillway;

// d (scale * loss) / d score of the tile's words, and with them the gradients of its rows.
class WordErrors : public Vertex {
public:
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> inputs;    // [row][size]
  Input<Vector<float, VectorLayout::ONE_PTR>> statistics;   // [row][WordStatistic]
  Input<Vector<float, VectorLayout::ONE_PTR>> logSums;      // [row]
  Input<Vector<int, VectorLayout::SPAN>> labels;            // [row] or kNoWord
  Input<float> scale;                                       // 1 / number of labels
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> errors;    // [row][the tile's words]; exponentials
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> gradient; // [the tile's words][size]
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> biasGradient; // [the tile's words]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> scratch;       // [kProductScratch]
  const unsigned firstWord, numWords, size;

  bool compute() {
    const unsigned rows = static_cast<unsigned>(labels.size());
    float* biases = &biasGradient[0];
    for (unsigned v = 0; v < numWords; ++v) {
      biases[v] = 0.0f;
    }
    for (unsigned row = 0; row < rows; ++row) {
      float* error = &errors[static_cast<unsigned long>(row) * numWords];
      const float largest = statistics[row * kWordStatistics + kLargestScore];
      const float factor =
          labels[row] == kNoWord ? 0.0f : *scale * std::exp(largest - logSums[row]);
      scaleRow(error, factor, error, numWords);
      const unsigned own = static_cast<unsigned>(labels[row]) - firstWord;
      if (labels[row] != kNoWord && own < numWords) {
        error[own] -= *scale;
      }
      for (unsigned v = 0; v < numWords; ++v) {
        biases[v] += error[v];
      }
    }
    multiplyMatrices({&errors[0], 1, numWords}, {&inputs[0], size, 1}, {numWords, rows, size},
                     ProductSum::Start, &gradient[0], size, &scratch[0]);
    return true;
  }

  unsigned long estimateCycles() const {
    return 20 + labels.size() * (3ul * numWords + 2ul * numWords * ((size + 1) / 2));
  }
};
