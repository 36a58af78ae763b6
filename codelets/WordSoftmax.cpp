// A softmax over words that are dealt out to tiles (docs/language.md). Rows are steps of samples,
// [sample][step].
#include "maths/Cycles.hpp"
#include "maths/Gates.hpp"
#include "maths/MatrixProduct.hpp"
#include "maths/Phase.hpp"
#include "maths/WordScores.hpp"
#include "maths/Workers.hpp"

#include <poplar/Vertex.hpp>

#include <cmath>

using namespace poplar;
using namespace spillway;

// A multiply-add of two floats, with its loads, takes a worker two instructions.
static unsigned long productCycles(unsigned long rows, unsigned long inner, unsigned long columns) {
  return tileCycles(20 + rows * inner * ((columns + 1) / 2) * 2 / kWorkers);
}

// Scores of the tile's words, which become exp(score - largest of the tile).
class WordScores : public MultiVertex {
public:
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> inputs;    // [row][size]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> embedding; // [the tile's words][size]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> bias;      // [the tile's words]
  Input<Vector<int, VectorLayout::SPAN>> labels;            // [row] or kNoWord
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> scores;   // [row][the tile's words]
  Output<Vector<float, VectorLayout::ONE_PTR>> statistics;  // [row][WordStatistic]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> scratch;   // [worker][kProductScratch]
  const unsigned firstWord, numWords, size;

  bool compute(unsigned worker) {
    const Slice rows = workerSlice(labels.size(), worker, numWorkers());
    const unsigned count = static_cast<unsigned>(rows.end - rows.begin);
    float* to = &scores[rows.begin * numWords];
    multiplyMatrices({&inputs[rows.begin * size], size, 1}, {&embedding[0], 1, size},
                     {count, size, numWords}, ProductSum::Start, to, numWords,
                     &scratch[static_cast<unsigned long>(worker) * kProductScratch]);
    for (unsigned long row = rows.begin; row < rows.end; ++row, to += numWords) {
      summarise(to, labels[row], &statistics[row * kWordStatistics]);
    }
    return true;
  }

  unsigned long estimateCycles() const { return productCycles(labels.size(), size, numWords); }

private:
  void summarise(float* row, int label, float* statistic) const {
    const float* offset = &bias[0];
    float largest = row[0] + offset[0];
    unsigned first = 0;
    for (unsigned v = 0; v < numWords; ++v) {
      row[v] += offset[v];
      first = row[v] > largest ? v : first;
      largest = row[v] > largest ? row[v] : largest;
    }
    const unsigned own = static_cast<unsigned>(label) - firstWord;
    const bool holds = label != kNoWord && own < numWords;
    statistic[kLargestScore] = largest;
    statistic[kLabelScore] = holds ? row[own] : 0.0f;
    statistic[kLabelIsFirst] = holds && own == first ? 1.0f : 0.0f;
    float sum = 0.0f;
    forEachRowBlock<kElementLanes>(numWords, [&](auto blockWidth, unsigned begin) {
      constexpr unsigned W = decltype(blockWidth)::value;
      const Row<W> power = expRow<W>(loadRow<W>(row + begin) - largest);
      storeRow<W>(row + begin, power);
      sum += sumRow<W>(power);
    });
    statistic[kScoreSum] = sum;
  }

  static constexpr unsigned kElementLanes = kWidestRow < 32 ? kWidestRow : 32;
};

// Losses of a group of samples from what all tiles say.
class WordLoss : public MultiVertex {
public:
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> statistics; // per tile: [row][WordStatistic]
  Input<Vector<int, VectorLayout::ONE_PTR>> labels;               // [sample][step] or kNoWord
  Output<Vector<float, VectorLayout::ONE_PTR>> logSums;           // [row]
  Output<Vector<float, VectorLayout::ONE_PTR>> losses;            // [sample]
  Output<Vector<unsigned, VectorLayout::ONE_PTR>> correct;        // [sample]
  const unsigned samples, steps;

  bool compute(unsigned worker) {
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      float loss = 0.0f;
      unsigned met = 0;
      for (unsigned t = 0; t < steps; ++t) {
        const unsigned row = sample * steps + t;
        bool isFirst = false;
        const float label = combine(row, isFirst);
        if (labels[row] != kNoWord) {
          loss += logSums[row] - label;
          met += isFirst ? 1 : 0;
        }
      }
      losses[sample] = loss;
      correct[sample] = met;
    }
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(20 + 30ul * statistics.size() * samples * steps / kWorkers);
  }

private:
  // The label's score; isFirst: no word before it scores as much, none after it more.
  float combine(unsigned row, bool& isFirst) {
    const unsigned long at = static_cast<unsigned long>(row) * kWordStatistics;
    float largest = statistics[0][at + kLargestScore];
    float label = 0.0f;
    for (unsigned tile = 0; tile < statistics.size(); ++tile) {
      const float* tiles = &statistics[tile][at];
      if (tile == 0 || tiles[kLargestScore] > largest) {
        largest = tiles[kLargestScore];
        isFirst = tiles[kLabelIsFirst] != 0.0f;
      }
      label += tiles[kLabelScore];
    }
    float sum = 0.0f;
    for (unsigned tile = 0; tile < statistics.size(); ++tile) {
      const float* tiles = &statistics[tile][at];
      sum += tiles[kScoreSum] * std::exp(tiles[kLargestScore] - largest);
    }
    logSums[row] = largest + std::log(sum);
    return label;
  }
};
